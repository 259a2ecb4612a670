#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "methods/lbm_d2q9/lattice_state.hpp"

namespace knudsen::lbm_d2q9 {

/// How solid nodes and wall sides turn populations round.
enum class WallTreatment {
  half_way,     ///< wall half-way between nodes, populations back after one step
  full_way,     ///< the same wall; populations turn round in the solid node and are back after two
  interpolated  ///< wall where the shape has it, second order
};

enum class SideKind { periodic, wall, velocity, pressure, outflow };

/// What holds on one side of the domain; velocities and densities in lattice units.
struct SideCondition {
  SideKind kind = SideKind::periodic;
  std::array<double, 2> velocity{0, 0};  ///< of the wall, or prescribed (peak of a parabola)
  bool parabolic = false;
  double density = 1;
};

/// Links of one fluid (or reversing) node on which a body exchanges momentum with it.
struct BodyLinks {
  std::int32_t x;
  std::int32_t y;
  std::uint16_t body;
  std::uint16_t links;  ///< bit q: incoming population q of the node
};

/// The lattice's nodes sorted into classes, on the host: what make_lattice uploads.
struct NodeMap {
  Extents extents;                        ///< of the lattice, ghost rows of full-way walls included
  std::array<int, 2> offset{};            ///< of the domain's first node in the lattice
  std::array<int, 2> nodes{};             ///< of the domain
  std::array<bool, 2> periodic{};         ///< whether the sides across an axis are periodic
  std::vector<std::uint16_t> node_class;  ///< (y, x) with padded rows
  std::vector<NodeClass<double>> classes;
  std::array<OpenKind, 4> open_kind{};
  std::vector<std::array<double, 3>> open_values;  ///< (side * longest + coordinate)
  int longest = 0;
  std::vector<BodyLinks> body_links;
  std::int64_t fluid_nodes = 0;
};

/// Distance to the wall for a link, called as distance(x, y, q, body) for the fluid node (x, y) of
/// the domain whose neighbour along c_q is a solid node of `body`; negative: half-way.
using WallDistance = std::function<double(int x, int y, int q, int body)>;

/// Sorts the nodes of a domain of nx times ny nodes. `body`, as (y, x), is -1 for a fluid node,
/// else the index of a solid body, whose surface moves with body_velocities[index]. Throws
/// InputError when an outflow side or an open corner has a solid inner neighbour, when there is no
/// fluid node, or when the geometry needs more than 65535 classes; logic_error when one of two
/// opposite sides is periodic and the other is not.
NodeMap make_node_map(int nx, int ny, const std::vector<std::int16_t>& body,
                      const std::vector<std::array<double, 2>>& body_velocities,
                      const std::array<SideCondition, 4>& sides, WallTreatment treatment,
                      const WallDistance& wall_distance);

/// Throws logic_error unless every population slot has at most one owner among the nodes that are
/// worked on. A link that is cut at one end only would give one slot to the nodes at both ends, so
/// it is enough to look at the cut links.
void require_slot_owners(const NodeMap& map);

}  // namespace knudsen::lbm_d2q9
