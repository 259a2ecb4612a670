#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "geometry/solids_2d.hpp"
#include "methods/lattice/heat_case.hpp"
#include "methods/lattice/open_profile.hpp"
#include "methods/lattice/solid_slip.hpp"
#include "methods/lbm_d2q9/lattice_state.hpp"

namespace knudsen::lbm_d2q9 {

/// How solid nodes and wall sides reflect populations.
enum class WallTreatment {
  half_way,     ///< wall half-way between nodes, populations return after one step
  full_way,     ///< same wall; populations reverse in the solid node and return after two steps
  interpolated  ///< wall at its exact position on the link, second order
};

enum class SideKind { periodic, wall, velocity, pressure, outflow };

/// Condition on one side of the domain, in lattice units.
struct SideCondition {
  SideKind kind = SideKind::periodic;
  std::array<double, 2> velocity{0, 0};  ///< of the wall, or prescribed (peak of a parabola)
  bool parabolic = false;                ///< profile of the prescribed velocity
  double density = 1;                    ///< prescribed by a pressure side
  /// What depends on place or time, in place of all of these.
  std::shared_ptr<const lbm::OpenProfile> profile = nullptr;
  double mirrored = 0;  ///< share that a wall with slip mirrors (methods/lattice/slip.hpp)
};

/// Links over which a body exchanges momentum with one fluid (or reversing) node, or a surface heat
/// (see NodeMap::heat_links).
struct BodyLinks {
  std::int32_t x;       ///< of the node, in the lattice
  std::int32_t y;       ///< likewise
  std::uint16_t body;   ///< index of the body
  std::uint16_t links;  ///< bit q: link of the node's incoming population q
};

/// The nodes of the lattice sorted into classes, on the host; make_lattice uploads it.
struct NodeMap {
  Extents extents;                        ///< of the lattice, with ghost rows of full-way walls
  std::array<int, 2> offset{};            ///< position of the domain's first node in the lattice
  std::array<int, 2> nodes{};             ///< of the domain
  std::array<bool, 2> periodic{};         ///< by axis
  std::vector<std::uint16_t> node_class;  ///< index into classes: (y, x), rows padded
  std::vector<NodeClass<double>> classes;
  std::array<OpenKind, side_count> open_kind{};         ///< by side
  std::vector<std::array<double, 3>> open_values;       ///< see OpenBoundaries::values
  int longest = 0;                                      ///< nodes of the longest side
  std::vector<BodyLinks> body_links;                    ///< in the order of nodes
  std::int64_t fluid_nodes = 0;                         ///< number of fluid nodes
  std::vector<ScalarClass<double>> scalar_classes;      ///< like classes; empty without a scalar
  std::vector<lbm::SlipClass<double, 2>> slip_classes;  ///< see NodeClass::solid_slip
  /// Links through which heat passes, in the order of nodes: `body` is a Side, or side_count + the
  /// index of a solid.
  std::vector<BodyLinks> heat_links;
  std::vector<ConductingNode> conducting;  ///< in the order of nodes

  /// Populations of a node, those of a scalar included.
  std::size_t planes() const {
    return static_cast<std::size_t>(scalar_classes.empty() ? D2Q9::populations
                                                           : HeatedD2Q9::populations);
  }
};

/// Distance to the wall as a fraction of a link: distance(x, y, q, body) for the fluid node (x, y)
/// of the domain whose neighbour along c_q is a solid node of `body`. Negative: half-way.
using WallDistance = std::function<double(int x, int y, int q, int body)>;

/// The slip of a gas along the solids of a case, and their surfaces.
struct SolidSlip : lbm::SolidSlip {
  /// Solids2D::wall_surface and wall_frame, along c_q.
  std::function<std::optional<SurfaceElement>(int x, int y, int q, int body)> surface;
  std::function<WallFrame(int x, int y, int q, int body)> frame;
};

/// Sorts the nodes of a domain of nx times ny nodes into classes. `body`, (y, x), is -1 for fluid
/// nodes and otherwise the index of a solid body, whose surface moves with body_velocities[index].
/// With `heat`, the nodes have classes of the scalar as well; `wall_facing` is the facing of
/// lbm::WallPlace on the same links as `wall_distance`. With `slip`, interpolated walls of solids
/// may slip.
/// Throws InputError if an outflow side or an open corner has a solid inner neighbour, if there is
/// no fluid node, or if the geometry needs more than 65535 classes, and where solids slip if there
/// is a gap one node wide, or a link to such a solid without a distance. Throws logic_error if
/// exactly one of two opposite sides is periodic.
NodeMap make_node_map(int nx, int ny, const std::vector<std::int16_t>& body,
                      const std::vector<std::array<double, 2>>& body_velocities,
                      const std::array<SideCondition, side_count>& sides, WallTreatment treatment,
                      const WallDistance& wall_distance, const lbm::Heat* heat = nullptr,
                      const WallDistance& wall_facing = {}, const SolidSlip* slip = nullptr);

/// Throws logic_error if two nodes with work own the same population slot. A link that is cut at
/// one end only would give its slot to the nodes at both ends, so checking the cut links suffices.
void require_slot_owners(const NodeMap& map);

}  // namespace knudsen::lbm_d2q9
