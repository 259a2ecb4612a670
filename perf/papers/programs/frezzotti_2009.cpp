// A reference for the shock waves of Frezzotti 2009, figure 1, by another method: the iteration of
// the integral equation of Liepmann, Narasimha and Chahine (1962), whose points the paper shows.
//
//   paper_frezzotti_2009 MACH [POINTS]
//
// prints density, velocity and temperature of the BGKW equation, each from 0 upstream to 1
// downstream, over the distance from the place of the mean density. Units as in `bgkw`: velocities
// in sqrt(2 R T), lengths such that the relaxation rate is n T^0.26 (delta = 1, exponent 0.74).

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr double exponent = 0.74;
constexpr double length = 60;

struct State {
  double density;
  double velocity;
  double temperature;
};

/// Weights of the source at both ends of a step of optical depth t, where it is linear in t.
struct Weights {
  double stays;  ///< of the distribution at the step's start
  double first;
  double last;
};
Weights weights(double t) {
  const double stays = std::exp(-t);
  // Mean of exp(-s) over the step; a series where the difference would lose its digits.
  const double mean = t < 1e-4 ? 1 - t / 2 + t * t / 6 : (1 - stays) / t;
  return {stays, mean - stays, 1 - mean};
}

/// Values of the reduced distributions: over the velocities across, and of their squares.
struct Pair {
  double plain;
  double squares;
};
Pair maxwellian(const State& at, double v) {
  const double c = v - at.velocity;
  const double plain =
      at.density / std::sqrt(M_PI * at.temperature) * std::exp(-c * c / at.temperature);
  return {plain, plain * at.temperature};
}

class Shock {
 public:
  Shock(double mach, int points) : states_(static_cast<std::size_t>(points)) {
    const double speed = mach * std::sqrt(5.0 / 6);
    const double m2 = mach * mach;
    upstream_ = {1, speed, 1};
    downstream_ = {4 * m2 / (m2 + 3), speed * (m2 + 3) / (4 * m2),
                   (5 * m2 - 1) * (m2 + 3) / (16 * m2)};
    const double reach = 6 * std::sqrt(downstream_.temperature);
    const int count = 480;
    spacing_ = (speed + 2 * reach) / count;
    for (int i = 0; i < count; ++i) velocities_.push_back(-reach + (i + 0.5) * spacing_);
    step_ = length / (points - 1);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const double part = (1 + std::tanh((step_ * static_cast<double>(i) - length / 2) / 4)) / 2;
      states_[i] = {
          upstream_.density + part * (downstream_.density - upstream_.density),
          upstream_.velocity + part * (downstream_.velocity - upstream_.velocity),
          upstream_.temperature + part * (downstream_.temperature - upstream_.temperature)};
    }
  }

  /// One iteration; the largest change of the density.
  double iterate() {
    struct Sums {
      double mass = 0, momentum = 0, energy = 0;
    };
    const std::size_t points = states_.size();
    std::vector<Sums> sums(points);
    std::vector<double> depth(points - 1);
    for (std::size_t i = 0; i + 1 < points; ++i) depth[i] = step_ * (rate(i) + rate(i + 1)) / 2;
    for (const double v : velocities_) {
      const bool right = v > 0;
      Pair f = maxwellian(right ? upstream_ : downstream_, v);
      Pair before = maxwellian(states_[right ? 0 : points - 1], v);
      for (std::size_t k = 0; k < points; ++k) {
        const std::size_t i = right ? k : points - 1 - k;
        const Pair here = maxwellian(states_[i], v);
        if (k > 0) {
          const Weights w = weights(depth[right ? i - 1 : i] / std::fabs(v));
          f.plain = w.stays * f.plain + w.first * before.plain + w.last * here.plain;
          f.squares = w.stays * f.squares + w.first * before.squares + w.last * here.squares;
        }
        before = here;
        sums[i].mass += spacing_ * f.plain;
        sums[i].momentum += spacing_ * v * f.plain;
        sums[i].energy += spacing_ * (v * v * f.plain + f.squares);
      }
    }
    double change = 0;
    for (std::size_t i = 0; i < points; ++i) {
      const double u = sums[i].momentum / sums[i].mass;
      const State next{sums[i].mass, u, (sums[i].energy / sums[i].mass - u * u) / 1.5};
      change = std::fmax(change, std::fabs(next.density - states_[i].density));
      states_[i] = next;
    }
    return change;
  }

  void print() const {
    const double middle = (upstream_.density + downstream_.density) / 2;
    double centre = 0;
    for (std::size_t i = 0; i + 1 < states_.size(); ++i) {
      const double low = states_[i].density;
      const double high = states_[i + 1].density;
      if (low < middle && high >= middle) {
        centre = step_ * (static_cast<double>(i) + (middle - low) / (high - low));
      }
    }
    double steepest = 0;
    for (std::size_t i = 0; i + 1 < states_.size(); ++i) {
      steepest = std::fmax(steepest, (states_[i + 1].density - states_[i].density) / step_);
    }
    std::printf("# density thickness %.5f\n", (downstream_.density - upstream_.density) / steepest);
    std::printf("x,density,velocity,temperature\n");
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const double x = step_ * static_cast<double>(i) - centre;
      if (std::fabs(x) > 15) continue;
      const State& at = states_[i];
      std::printf("%.4f,%.6f,%.6f,%.6f\n", x, (at.density - 1) / (downstream_.density - 1),
                  (at.velocity - upstream_.velocity) / (downstream_.velocity - upstream_.velocity),
                  (at.temperature - 1) / (downstream_.temperature - 1));
    }
  }

 private:
  double rate(std::size_t i) const {
    return states_[i].density * std::pow(states_[i].temperature, 1 - exponent);
  }

  State upstream_{}, downstream_{};
  std::vector<State> states_;
  std::vector<double> velocities_;
  double spacing_ = 0;
  double step_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: paper_frezzotti_2009 MACH [POINTS]\n");
    return 2;
  }
  const double mach = std::atof(argv[1]);
  const int points = argc > 2 ? std::atoi(argv[2]) : 601;
  Shock shock(mach, points);
  double change = 1;
  int iterations = 0;
  for (; iterations < 20000 && change > 1e-9; ++iterations) change = shock.iterate();
  std::printf(
      "# source: the BGKW equation's shock wave at Mach %g, viscosity exponent %g, by the "
      "iteration of its integral equation (Liepmann, Narasimha, Chahine 1962), "
      "perf/papers/programs/frezzotti_2009.cpp\n",
      mach, exponent);
  std::printf("# %d points on a length of %g, %d iterations, last change of the density %.2g\n",
              points, length, iterations, change);
  shock.print();
  return 0;
}
