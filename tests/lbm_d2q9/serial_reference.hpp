#pragma once

#include <cstdint>
#include <vector>

#include "lattice/collision_operators.hpp"
#include "methods/lbm_d2q9/node_map.hpp"
#include "support/textbook_d2q9.hpp"

namespace knudsen::lbm_d2q9 {

/// Flat index of a node in a row-by-row array.
inline std::size_t flat_index(int nx, int x, int y) {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(x);
}

/// A domain with all that a step depends on.
struct Scenario {
  int nx = 0;
  int ny = 0;
  std::array<SideCondition, 4> sides{};
  WallTreatment treatment = WallTreatment::half_way;
  std::vector<std::int16_t> body;  ///< (y, x): -1 fluid, else a body
  std::vector<std::array<double, 2>> body_velocities;
  WallDistance distance = [](int, int, int, int) { return -1.0; };
  std::string collision_operator = Bgk::name;
  textbook::Fluid fluid;

  NodeMap map() const {
    return make_node_map(nx, ny, body, body_velocities, sides, treatment, distance);
  }
};

/// Steps of a scenario done one node after the other with whole populations, written from the
/// method's description alone. The state are the populations that each node has taken in: streamed
/// and completed, not yet collided.
class SerialReference {
 public:
  using Populations = textbook::Populations;

  /// `taken_in` (y, x) gives the populations of every node; those that open sides complete are
  /// completed from the others.
  SerialReference(Scenario scenario, const std::vector<Populations>& taken_in);

  void step();

  bool is_fluid(int x, int y) const;
  const Populations& populations(int x, int y) const { return taken_in_[index(x, y)]; }
  double density(int x, int y) const { return textbook::moments(populations(x, y)).density; }
  std::array<double, 2> velocity(int x, int y) const {
    return textbook::flow_velocity(populations(x, y), scenario_.fluid);
  }
  /// Force on each body over the coming step, pressure counted from that of density 1.
  std::vector<std::array<double, 2>> body_forces() const;

 private:
  /// What a link leads to, going against the velocity from a node.
  struct Upstream {
    enum Kind { fluid, wall, body, beyond_open_side } kind = fluid;
    int x = 0;  ///< of the node there, -1 and nx, -1 and ny beyond wall sides
    int y = 0;
    int body_index = -1;
    std::array<double, 2> velocity{0, 0};  ///< of the wall
  };

  /// The nodes of the domain and a ring around it for walls that hold populations.
  std::size_t index(int x, int y) const { return flat_index(scenario_.nx + 2, x + 1, y + 1); }
  int body_at(int x, int y) const;
  Upstream upstream(int x, int y, std::size_t q) const;
  std::vector<Populations> collided() const;
  double returned(const std::vector<Populations>& outgoing, int x, int y, std::size_t q,
                  const Upstream& from) const;
  void take_in(int x, int y, const std::vector<Populations>& outgoing,
               std::vector<Populations>& next) const;
  /// `before` is the state of the step before, from which outflow sides and corners copy, and of
  /// which pressure sides take the momentum of their nodes.
  void complete(std::vector<Populations>& state, const std::vector<Populations>& before) const;
  void complete_side(Populations& f, Side side, int along, const Populations& inner,
                     const Populations& node_before) const;
  void complete_corner(Populations& f, int x, int y, const Populations& inner) const;
  std::array<double, 2> prescribed_velocity(Side side, int along) const;

  Scenario scenario_;
  std::vector<Populations> taken_in_;
};

}  // namespace knudsen::lbm_d2q9
