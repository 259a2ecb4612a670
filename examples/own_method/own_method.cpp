// A method from outside the library: heat conduction in a periodic plane, dT/dt = a (T_xx + T_yy),
// by the explicit five-point scheme. The reader, the messages, fields, series, checkpoints,
// pictures and the timing report are the library's.
//
//   own_method CASE [OUTPUT]

#include <cmath>
#include <iostream>
#include <knudsen/knudsen.hpp>
#include <knudsen/method.hpp>

namespace {

struct Parameters {
  int cells[2] = {1, 1};
  double diffusivity = 0.1;  // times the time step over the square of a cell's width
  bool single_precision = false;
};

const std::vector<knudsen::Quantity> fields{{"temperature", "1", "Temperature."}};
const std::vector<knudsen::Quantity> monitors{{"mean", "1", "Mean temperature."},
                                              {"peak", "1", "Highest temperature."}};

/// One step of a cell. Kernels are functors, which all backends can compile.
template <class ExecutionSpace, class Real>
struct Conduct {
  knudsen::View<const Real*, ExecutionSpace> now;
  knudsen::View<Real*, ExecutionSpace> next;
  int nx, ny;
  Real diffusivity;

  KOKKOS_INLINE_FUNCTION void operator()(int cell) const {
    const int x = cell % nx;
    const int row = cell - x;
    const int west = row + (x == 0 ? nx - 1 : x - 1);
    const int east = row + (x == nx - 1 ? 0 : x + 1);
    const int south = (row == 0 ? (ny - 1) * nx : row - nx) + x;
    const int north = (row == (ny - 1) * nx ? 0 : row + nx) + x;
    next(cell) =
        now(cell) + diffusivity * (now(west) + now(east) + now(south) + now(north) - 4 * now(cell));
  }
};

/// Owns the state on a backend and advances it.
template <class ExecutionSpace, class Real>
class Heat final : public knudsen::Method {
 public:
  explicit Heat(const Parameters& parameters)
      : parameters_(parameters),
        now_("temperature", static_cast<std::size_t>(cells())),
        next_("next temperature", static_cast<std::size_t>(cells())) {
    timers_.declare("conduct", 2.0 * sizeof(Real) * cells(), 7.0 * cells());
  }

  void initialise() override {
    const auto [nx, ny] = parameters_.cells;
    const auto host = Kokkos::create_mirror_view(now_);
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const bool inside = std::abs(4 * x - 2 * nx) < nx && std::abs(4 * y - 2 * ny) < ny;
        host(static_cast<std::size_t>(y * nx + x)) = inside ? 1 : 0;
      }
    }
    Kokkos::deep_copy(now_, host);
    step_ = 0;
  }
  void initialise(const knudsen::GivenFields& given) override {
    initialise();
    if (given.temperature.empty()) return;
    const auto host = Kokkos::create_mirror_view(now_);
    for (std::size_t i = 0; i < host.extent(0); ++i) host(i) = Real(given.temperature[i]);
    Kokkos::deep_copy(now_, host);
  }

  void advance(std::int64_t steps) override {
    for (; steps > 0; --steps, ++step_) {
      timers_.call(0, [&] {
        Kokkos::parallel_for(
            "heat/conduct", Kokkos::RangePolicy<ExecutionSpace>(0, cells()),
            Conduct<ExecutionSpace, Real>{now_, next_, parameters_.cells[0], parameters_.cells[1],
                                          Real(parameters_.diffusivity)});
      });
      std::swap(now_, next_);
    }
  }
  void fence() override { ExecutionSpace().fence(); }
  knudsen::KernelTimers& timers() override { return timers_; }
  void remember() override {}  // there is no monitor of a change

  double monitor(const std::string& name) override {
    double sum = 0;
    double peak = 0;
    for (const Real value : values()) {
      sum += value;
      peak = std::max<double>(peak, value);
    }
    return name == "mean" ? sum / cells() : peak;
  }
  std::optional<knudsen::Divergence> find_divergence() override {
    const auto found = values();
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (std::isfinite(found[i])) continue;
      const auto cell = static_cast<std::int64_t>(i);
      return knudsen::Divergence{{cell % parameters_.cells[0], cell / parameters_.cells[0], 0},
                                 "the temperature is not finite"};
    }
    return {};
  }
  knudsen::Field field(const std::string& /*name*/) override { return {fields[0], values()}; }

  void save(knudsen::CheckpointWriter& checkpoint) override {
    knudsen::save_view(checkpoint, "temperature", now_);
  }
  void load(const knudsen::CheckpointReader& checkpoint) override {
    knudsen::load_view(checkpoint, "temperature", now_);
    step_ = checkpoint.step();
  }

 private:
  int cells() const { return parameters_.cells[0] * parameters_.cells[1]; }
  std::vector<Real> values() const {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), now_);
    return {host.data(), host.data() + host.extent(0)};
  }

  Parameters parameters_;
  knudsen::View<Real*, ExecutionSpace> now_, next_;
  knudsen::KernelTimers timers_{
      std::make_unique<knudsen::HostClock>("host clock", [] { ExecutionSpace().fence(); })};
  std::int64_t step_ = 0;
};

/// What is known before memory is taken.
class HeatProblem final : public knudsen::Problem {
 public:
  explicit HeatProblem(const Parameters& given) : parameters_(given) {
    const double cells = double(given.cells[0]) * given.cells[1];
    const double size = given.single_precision ? 4 : 8;
    method = "heat";
    variant = "explicit";
    precision = given.single_precision ? "single" : "double";
    update_unit = "cell";
    grid.cells = {given.cells[0], given.cells[1], 1};
    sizes = {{"cells", std::int64_t(cells)}};
    updates_per_step = cells;
    bytes_per_step = 2 * size * cells;
    memory_bytes = std::uint64_t(2 * size * cells);
    resolved = {{"diffusivity", std::to_string(given.diffusivity), "1"}};
    fields = ::fields;
    monitors = ::monitors;
    default_fields = {"temperature"};
    default_monitors = {"mean"};
    given_fields = {"temperature"};
  }
  std::unique_ptr<knudsen::Method> create(knudsen::Backend backend) const override {
    return knudsen::make_method_for<Heat>(parameters_, backend);
  }

 private:
  Parameters parameters_;
};

/// Reads the method's blocks of a case; its texts are those of the schema and the messages.
std::unique_ptr<knudsen::Problem> read_heat(knudsen::CaseNode& root) {
  Parameters parameters;
  parameters.single_precision = root.choice_or("precision", "double", {"single", "double"},
                                               "Of the temperature.") == "single";
  root.require_object("domain", "The plane.", [&](knudsen::CaseNode& domain) {
    const auto cells = domain.require_integers("cells", 2, "Cells along x and y.",
                                               knudsen::Range::between(3, 30000));
    for (std::size_t axis = 0; axis < 2; ++axis) parameters.cells[axis] = int(cells[axis]);
  });
  parameters.diffusivity = root.require_number(
      "diffusivity", "Times the time step over the square of a cell's width; stable up to 0.25.",
      {0, 0.25, true, false});
  return std::make_unique<HeatProblem>(parameters);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: own_method CASE [OUTPUT]\n";
    return 2;
  }
  knudsen::register_method({"heat",
                            "Heat conduction in a periodic plane",
                            "an example",
                            read_heat,
                            {"precision"},
                            [] { return fields; },
                            [] { return monitors; }});
  try {
    const knudsen::Session session;
    knudsen::Options options;
    if (argc > 2) options.output = argv[2];
    std::cout << knudsen::Case::from_file(argv[1]).run(options).summary;
    return 0;
  } catch (const knudsen::InputError& error) {
    std::cerr << "own_method: " << error.what() << "\n";
    return 2;
  } catch (const knudsen::RunError& error) {
    std::cerr << "own_method: " << error.what() << "\n";
    return 1;
  }
}
