#include "lbm_d2q9/serial_reference.hpp"

#include <utility>

namespace knudsen::lbm_d2q9 {
namespace {

using textbook::along;
using textbook::lattice_velocity;
using textbook::opposite;
using textbook::weight;

/// Number of the population with the velocity (x, y).
std::size_t population(int x, int y) {
  std::size_t q = 0;
  while (lattice_velocity[q] != std::array<int, 2>{x, y}) ++q;
  return q;
}

/// Momentum that a wall adds to what it sends along c_q.
double from_wall(std::size_t q, const std::array<double, 2>& wall_velocity) {
  return 6 * weight[q] * along(q, wall_velocity);
}

bool is_open(const SideCondition& side) {
  return side.kind != SideKind::periodic && side.kind != SideKind::wall;
}

}  // namespace

SerialReference::SerialReference(Scenario scenario, const std::vector<Populations>& taken_in)
    : scenario_(std::move(scenario)),
      taken_in_(static_cast<std::size_t>(scenario_.nx + 2) *
                static_cast<std::size_t>(scenario_.ny + 2)) {
  std::size_t i = 0;
  for (int y = 0; y < scenario_.ny; ++y) {
    for (int x = 0; x < scenario_.nx; ++x) taken_in_[index(x, y)] = taken_in[i++];
  }
  // Nothing is under way to the walls yet but the weights: the state of rest.
  for (int y = -1; y <= scenario_.ny; ++y) {
    for (int x = -1; x <= scenario_.nx; ++x) {
      if (!is_fluid(x, y)) taken_in_[index(x, y)] = weight;
    }
  }
  complete(taken_in_, std::vector<Populations>(taken_in_));
}

int SerialReference::body_at(int x, int y) const {
  return scenario_.body[flat_index(scenario_.nx, x, y)];
}

bool SerialReference::is_fluid(int x, int y) const {
  return x >= 0 && x < scenario_.nx && y >= 0 && y < scenario_.ny && body_at(x, y) < 0;
}

SerialReference::Upstream SerialReference::upstream(int x, int y, std::size_t q) const {
  Upstream from;
  from.x = x - lattice_velocity[q][0];
  from.y = y - lattice_velocity[q][1];
  std::vector<Side> crossed;
  if (from.y < 0) crossed.push_back(south);
  if (from.y >= scenario_.ny) crossed.push_back(north);
  if (from.x < 0) crossed.push_back(west);
  if (from.x >= scenario_.nx) crossed.push_back(east);
  int walls = 0;
  bool open = false;
  for (const Side side : crossed) {
    const SideCondition& condition = scenario_.sides[side];
    open = open || is_open(condition);
    if (condition.kind != SideKind::wall) continue;
    from.kind = Upstream::wall;
    ++walls;
    for (std::size_t a = 0; a < 2; ++a) from.velocity[a] += condition.velocity[a];
  }
  // At a corner of two walls: their mean half-way; the ghost node there is of the north or south.
  if (walls == 2) {
    for (double& v : from.velocity) v /= 2;
    if (scenario_.treatment == WallTreatment::full_way) {
      from.velocity = scenario_.sides[crossed[0]].velocity;
    }
  }
  if (open) from.kind = Upstream::beyond_open_side;
  if (scenario_.sides[west].kind == SideKind::periodic) {
    from.x = (from.x + scenario_.nx) % scenario_.nx;
  }
  if (scenario_.sides[south].kind == SideKind::periodic) {
    from.y = (from.y + scenario_.ny) % scenario_.ny;
  }
  if (from.kind == Upstream::fluid && body_at(from.x, from.y) >= 0) {
    from.kind = Upstream::body;
    from.body_index = body_at(from.x, from.y);
    from.velocity = scenario_.body_velocities[static_cast<std::size_t>(from.body_index)];
  }
  return from;
}

std::vector<SerialReference::Populations> SerialReference::collided() const {
  std::vector<Populations> outgoing(taken_in_.size());
  for (int y = -1; y <= scenario_.ny; ++y) {
    for (int x = -1; x <= scenario_.nx; ++x) {
      const Populations& f = taken_in_[index(x, y)];
      Populations& out = outgoing[index(x, y)];
      if (is_fluid(x, y)) {
        out = textbook::collide(f, scenario_.fluid);
      } else {
        for (std::size_t q = 0; q < 9; ++q) out[q] = f[opposite[q]];
      }
    }
  }
  return outgoing;
}

double SerialReference::returned(const std::vector<Populations>& outgoing, int x, int y,
                                 std::size_t q, const Upstream& from) const {
  const Populations& out = outgoing[index(x, y)];
  const std::size_t p = opposite[q];
  if (scenario_.treatment == WallTreatment::interpolated && from.kind == Upstream::body) {
    const double d = scenario_.distance(x, y, static_cast<int>(p), from.body_index);
    if (d >= 0) {
      return (d * (out[p] + out[q]) + (1 - d) * taken_in_[index(x, y)][p] +
              from_wall(q, from.velocity)) /
             (1 + d);
    }
  }
  return out[p] + from_wall(q, from.velocity);
}

void SerialReference::take_in(int x, int y, const std::vector<Populations>& outgoing,
                              std::vector<Populations>& next) const {
  const bool full_way = scenario_.treatment == WallTreatment::full_way;
  next[index(x, y)][0] = outgoing[index(x, y)][0];
  for (std::size_t q = 1; q < 9; ++q) {
    const Upstream from = upstream(x, y, q);
    double& value = next[index(x, y)][q];
    if (from.kind == Upstream::beyond_open_side) {
      value = 0;  // completed later
    } else if (from.kind == Upstream::fluid) {
      value = outgoing[index(from.x, from.y)][q];
    } else if (!full_way) {
      value = returned(outgoing, x, y, q, from);
    } else {
      // The wall sends on what it had taken in, and takes in what this node sends.
      value = outgoing[index(from.x, from.y)][q];
      const std::size_t p = opposite[q];
      next[index(from.x, from.y)][p] = outgoing[index(x, y)][p] + from_wall(q, from.velocity);
    }
  }
}

void SerialReference::step() {
  const std::vector<Populations> outgoing = collided();
  std::vector<Populations> next(taken_in_.size(), weight);
  for (int y = 0; y < scenario_.ny; ++y) {
    for (int x = 0; x < scenario_.nx; ++x) {
      if (is_fluid(x, y)) take_in(x, y, outgoing, next);
    }
  }
  complete(next, taken_in_);
  taken_in_ = std::move(next);
}

std::array<double, 2> SerialReference::prescribed_velocity(Side side, int at) const {
  const SideCondition& condition = scenario_.sides[side];
  const int count = side == west || side == east ? scenario_.ny : scenario_.nx;
  const double s = (at + 0.5) / count;
  const double shape = condition.parabolic ? 4 * s * (1 - s) : 1;
  return {shape * condition.velocity[0], shape * condition.velocity[1]};
}

void SerialReference::complete(std::vector<Populations>& state,
                               const std::vector<Populations>& before) const {
  const auto& sides = scenario_.sides;
  for (int y = 0; y < scenario_.ny; ++y) {
    for (int x = 0; x < scenario_.nx; ++x) {
      if (!is_fluid(x, y)) continue;
      const bool at_west = x == 0 && is_open(sides[west]);
      const bool at_east = x == scenario_.nx - 1 && is_open(sides[east]);
      const bool at_south = y == 0 && is_open(sides[south]);
      const bool at_north = y == scenario_.ny - 1 && is_open(sides[north]);
      if (!at_west && !at_east && !at_south && !at_north) continue;
      const int inner_x = x + (at_west ? 1 : 0) - (at_east ? 1 : 0);
      const int inner_y = y + (at_south ? 1 : 0) - (at_north ? 1 : 0);
      const Populations& inner = before[index(inner_x, inner_y)];
      Populations& f = state[index(x, y)];
      if ((at_west || at_east) && (at_south || at_north)) {
        complete_corner(f, x, y, inner);
      } else if (at_west || at_east) {
        complete_side(f, at_west ? west : east, y, inner, before[index(x, y)]);
      } else {
        complete_side(f, at_south ? south : north, x, inner, before[index(x, y)]);
      }
    }
  }
}

void SerialReference::complete_side(Populations& f, Side side, int at, const Populations& inner,
                                    const Populations& node_before) const {
  constexpr int normals[4][2]{{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  const std::array<int, 2> n{normals[side][0], normals[side][1]};
  const std::array<int, 2> t{-n[1], n[0]};
  const auto at_direction = [](const std::array<int, 2>& a, const std::array<int, 2>& b, int sign) {
    return population(a[0] + sign * b[0], a[1] + sign * b[1]);
  };
  const std::size_t in = population(n[0], n[1]);
  const std::size_t in_left = at_direction(n, t, 1);
  const std::size_t in_right = at_direction(n, t, -1);
  const std::size_t left = population(t[0], t[1]);
  const SideCondition& condition = scenario_.sides[side];
  if (condition.kind == SideKind::outflow) {
    for (const std::size_t q : {in, in_left, in_right}) f[q] = inner[q];
    return;
  }
  const std::array<double, 2>& force = scenario_.fluid.force;
  const double staying = f[0] + f[left] + f[opposite[left]];
  const double leaving = f[opposite[in]] + f[opposite[in_left]] + f[opposite[in_right]];
  double density = condition.density;
  std::array<double, 2> u{0, 0};
  if (condition.kind == SideKind::velocity) {
    u = prescribed_velocity(side, at);
    // rho = staying + leaving + entering and rho u_n = entering - leaving + force / 2.
    density = (staying + 2 * leaving - 0.5 * along(in, force)) / (1 - along(in, u));
  } else {
    // The density falls by a tenth of what the inward momentum, density - staying - 2 leaving, has
    // grown by since the step before.
    const double momentum = along(in, textbook::moments(node_before).momentum);
    density = (density + 0.1 * (staying + 2 * leaving + momentum)) / 1.1;
  }
  const double momentum_in = density - staying - 2 * leaving;
  const double momentum_left = density * along(left, u) - 0.5 * along(left, force);
  f[in] = f[opposite[in]] + 2.0 / 3 * momentum_in;
  const double sum = momentum_in + leaving - f[in];
  const double difference = momentum_left - (f[left] - f[opposite[left]]) -
                            (f[opposite[in_right]] - f[opposite[in_left]]);
  f[in_left] = 0.5 * (sum + difference);
  f[in_right] = 0.5 * (sum - difference);
}

void SerialReference::complete_corner(Populations& f, int x, int y,
                                      const Populations& inner) const {
  const int sign_x = x == 0 ? 1 : -1;
  const int sign_y = y == 0 ? 1 : -1;
  double density = textbook::moments(inner).density;
  std::array<double, 2> u = textbook::flow_velocity(inner, scenario_.fluid);
  for (const auto& [side, at] :
       {std::pair{x == 0 ? west : east, y}, std::pair{y == 0 ? south : north, x}}) {
    const SideCondition& condition = scenario_.sides[side];
    if (condition.kind == SideKind::pressure) density = condition.density;
    if (condition.kind == SideKind::velocity) u = prescribed_velocity(side, at);
  }
  const std::array<double, 2> momentum{density * u[0] - 0.5 * scenario_.fluid.force[0],
                                       density * u[1] - 0.5 * scenario_.fluid.force[1]};
  // Bounce-back of the non-equilibrium part for the three that come from outside.
  for (const std::size_t q :
       {population(sign_x, 0), population(0, sign_y), population(sign_x, sign_y)}) {
    f[q] = f[opposite[q]] + 6 * weight[q] * along(q, momentum);
  }
  // The two along the buried diagonal from mass and from what momentum is left.
  const std::size_t buried = population(sign_x, -sign_y);
  f[buried] = f[opposite[buried]] = 0;
  const textbook::Moments rest = textbook::moments(f);
  const double sum = density - rest.density;
  const double difference = sign_x * (momentum[0] - rest.momentum[0]);
  f[buried] = 0.5 * (sum + difference);
  f[opposite[buried]] = 0.5 * (sum - difference);
}

std::vector<std::array<double, 2>> SerialReference::body_forces() const {
  std::vector<std::array<double, 2>> forces(scenario_.body_velocities.size(), {0, 0});
  const std::vector<Populations> outgoing = collided();
  for (int y = 0; y < scenario_.ny; ++y) {
    for (int x = 0; x < scenario_.nx; ++x) {
      if (!is_fluid(x, y)) continue;
      for (std::size_t q = 1; q < 9; ++q) {
        const Upstream from = upstream(x, y, q);
        if (from.kind != Upstream::body) continue;
        const std::size_t p = opposite[q];
        double gone = outgoing[index(x, y)][p];
        double back = 0;
        if (scenario_.treatment == WallTreatment::full_way) {
          back = outgoing[index(from.x, from.y)][q];
          gone = back - from_wall(q, from.velocity);
        } else {
          back = returned(outgoing, x, y, q, from);
        }
        for (std::size_t a = 0; a < 2; ++a) {
          forces[static_cast<std::size_t>(from.body_index)][a] +=
              lattice_velocity[p][a] * (gone + back - 2 * weight[p]);
        }
      }
    }
  }
  return forces;
}

}  // namespace knudsen::lbm_d2q9
