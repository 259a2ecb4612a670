#pragma once

#include "core/sides.hpp"
#include "lattice/collision_parameters.hpp"
#include "lattice/flow_state3d.hpp"
#include "methods/lattice/slip_class.hpp"
#include "methods/lbm_d3q27/streaming.hpp"

namespace knudsen::lbm_d3q27 {

/// The axis normal to a Side, and the sign of the side's inward normal along it.
KOKKOS_INLINE_FUNCTION constexpr int axis_of(int side) { return side / 2; }
KOKKOS_INLINE_FUNCTION constexpr int normal_of(int side) { return side % 2 == 0 ? 1 : -1; }

enum class OpenKind : std::uint8_t {
  velocity,
  pressure,
  outflow  ///< a pressure without friction: fluid may flow along the side
};

/// The condition of an open side at one adjacent node, in lattice units.
template <class Real>
struct OpenFace {
  Real velocity[3];        ///< prescribed by a velocity side
  Real density_deviation;  ///< prescribed by a pressure side or outflow
  /// Relaxation rate per step of the means in FaceMemory. The prescribed value holds for the mean
  /// flow; faster disturbances leave the domain. 0: it holds at every step, and sound is reflected.
  Real mean_rate;
  OpenKind kind;
  std::uint8_t side;
};

/// The two axes along a side.
KOKKOS_INLINE_FUNCTION constexpr int axis_along(int side, int i) {
  return (axis_of(side) + 1 + i) % 3;
}

/// Flow at a node next to an open side, in lattice units: that of the last step, and slow means.
template <class Real>
struct FaceMemory {
  /// In the last step. Of a side that lets sound out, a mean over about two steps: what answers
  /// to the density of one step alone can grow with a sign that changes from step to step.
  Real density_deviation;
  Real velocity[3];             ///< in the last step
  Real mean_density_deviation;  ///< running mean
  Real mean_normal_velocity;    ///< running mean along the inward normal
  /// Running means of the velocity along the side, by axis_along. A velocity side, and a pressure
  /// side that reflects, have the values of the last step here and in mean_shear.
  Real mean_along[2];
  /// Running means of sum c_n c_a f, n: axis of the side, a: axis_along. Pressure side: the sum
  /// before and after the collision, without the equilibria. Velocity side: before less after.
  Real mean_shear[2];
};

/// Data of a link that crosses a wall or an open side.
template <class Real>
struct BoundaryLink {
  Real correction;     ///< momentum from a moving wall, added to the incoming population
  Real wall_distance;  ///< as a fraction of the link; negative: bounce-back at half the link
};

enum class BoundaryKind : std::uint8_t {
  walls,  ///< fluid node; all links with data cross walls, without slip, `passes` and shares of
          ///< the scalar
  slip,   ///< fluid node; all links with data cross walls
  solid_slip,  ///< fluid node beside a solid with slip; all links with data cross walls
  open,        ///< fluid node; some links cross open sides
  reversing    ///< solid node that reflects its populations; only the two-array scheme needs it
};

/// A special node: it has links with boundary data.
struct alignas(16) BoundaryNode {  // aligned for a single load
  NodeIndex node;                  ///< its number
  std::uint32_t cut;         ///< bit q: incoming population q is read from the link's twin slot
  std::uint32_t first_link;  ///< its links, in the order of the bits of `cut`
  BoundaryKind kind;
  std::uint8_t passes = 0;  ///< bit q: the scalar passes over this link, into a solid that conducts
  std::uint16_t slip = 0;   ///< 1 + index of its SlipShares; 0: no slip along sides
};

/// A node of a solid that conducts. It has populations of the scalar alone.
struct ConductingNode {
  NodeIndex node;            ///< its number
  std::uint32_t first_link;  ///< its cut links, in the order of the bits of `cut`
  std::uint16_t body;        ///< index of the solid
  std::uint8_t cut;          ///< bit q: incoming population q of the scalar is read from the twin
};

/// The scalar in a solid that conducts.
template <class Real>
struct SolidScalar {
  ScalarParameters<Real> parameters;
  Real capacity = 1;  ///< over that of the fluid; the populations sum to capacity x value
};

/// By Side: share of what reaches the wall at a node that it mirrors; the rest bounces back.
template <class Real>
struct SlipShares {
  Real of_side[6];
};

/// What a team works on: those nodes of a segment that have numbers from `begin` up to `end`.
struct TeamShare {
  NodeIndex segment;  ///< number of the segment
  NodeIndex begin;
  NodeIndex end;
};

/// Order in which teams traverse a dense lattice: all layers of one strip of rows, then the next
/// strip, so that data shared by adjacent layers stays in cache. A team works on those nodes of its
/// segment that lie in its strip and layer.
struct Strips {
  NodeIndex rows = 0;         ///< of a strip; 0: no strips, team i works on segment i
  NodeIndex teams = 0;        ///< per layer of a strip
  NodeIndex count = 0;        ///< strips
  NodeIndex layers = 0;       ///< to be traversed
  NodeIndex first_layer = 0;  ///< of these
  NodeIndex layer_step = 1;   ///< distance between them

  int all_teams() const { return static_cast<int>(count * teams * layers); }

  /// The share of a team, within its strip and layer.
  KOKKOS_FORCEINLINE_FUNCTION TeamShare share(const Extents& extents, NodeIndex segment_nodes,
                                              NodeIndex team) const {
    const NodeIndex of_strip = teams * layers;
    const NodeIndex strip = team / of_strip;
    const NodeIndex turn = (team - strip * of_strip) / teams;
    const NodeIndex layer = first_layer + turn * layer_step;
    const NodeIndex first_row = strip * rows;
    const NodeIndex last_row = first_row + rows < extents.ny ? first_row + rows : extents.ny;
    const NodeIndex begin = extents.pitch * (first_row + extents.ny * layer);
    const NodeIndex end = begin + extents.pitch * (last_row - first_row);
    return {begin / segment_nodes + (team - strip * of_strip - turn * teams), begin, end};
  }
};

/// Number of set bits.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t count_bits(std::uint32_t word) {
  word -= (word >> 1) & 0x55555555U;
  word = (word & 0x33333333U) + ((word >> 2) & 0x33333333U);
  return (((word + (word >> 4)) & 0x0f0f0f0fU) * 0x01010101U) >> 24;
}

/// The nodes with numbers from `begin` up to `end`.
struct NodeRange {
  NodeIndex begin, end;
};

/// The lattice on a backend: populations, connectivity and kinds of nodes.
///
/// A plain node is a fluid node without boundary links. Implicit walls at rest need no link data
/// and leave nodes plain. A special node has boundary links. All other nodes have no flow: solid
/// nodes, padding, and the slot nodes of a sparse lattice. Those in solids that conduct heat have a
/// scalar; `conducting` lists them.
template <class ExecutionSpace, class PrecisionType, class VelocitySet>
struct Lattice {
  using Execution = ExecutionSpace;
  using Precision = PrecisionType;
  using Velocities = VelocitySet;
  using Real = typename Precision::Real;
  using Storage = typename Precision::Storage;
  using Layout = PopulationLayout<ExecutionSpace, Velocities>;
  /// A stored eddy_time. A GPU is as fast as its memory and reads one in each update, so in single
  /// precision it is stored in 16 bits: 11 binary digits, more than a model of eddies is worth.
  using EddyTime =
      std::conditional_t<is_host_backend<ExecutionSpace> || std::is_same_v<Real, double>, Real,
                         HalfPopulation>;

  Propagation propagation = Propagation::esoteric_twist;
  bool sparse = false;
  Extents extents;
  NodeIndex nodes = 0;  ///< number of nodes, padding included
  NodeIndex owned = 0;  ///< the same without the ghost nodes of a part
  /// Sparse: see NodeMap::end_planes.
  NodeIndex end_planes = 0;
  Layout layout;
  View<Storage*, ExecutionSpace> populations;  ///< the state between two steps
  View<Storage*, ExecutionSpace> next;         ///< of the two-array scheme, else empty
  /// Sparse: upper neighbours along first_axis and the two axes after it, cyclically; one more
  /// entry than nodes.
  View<NodeIndex*, ExecutionSpace> next_first, next_second, next_third;
  int first_axis = 0;  ///< sparse: axis along which nodes are numbered first
  /// Sparse: bit n % 32 of word n / 32 says that next_first of node n is n + 1.
  View<std::uint32_t*, ExecutionSpace> in_row;

  /// Owned nodes, plane by plane, that teams sum: neither the sums nor their order depend on how
  /// the planes are shared among ranks.
  View<NodeRange*, ExecutionSpace> sum_segments;

  int segment = 0;   ///< nodes with consecutive numbers that a team works on
  int segments = 0;  ///< number of segments
  Strips strips;     ///< how the teams of a GPU share the segments
  /// Sparse, on a GPU: the share of the first team. That of the next one has the next segment.
  TeamShare share{};
  int teams = 0;                               ///< number of teams on a GPU
  View<std::uint32_t*, ExecutionSpace> plain;  ///< bit n % 32 of word n / 32: node n is plain
  View<std::uint32_t*, ExecutionSpace> fluid;  ///< the same for all fluid nodes
  /// Special fluid nodes by number, and how many of them precede each word of `fluid`.
  View<BoundaryNode*, ExecutionSpace> special;
  View<std::uint32_t*, ExecutionSpace> special_before;
  /// Kernels update some special nodes, of this rank or another one, together with plain ones. On a
  /// GPU such kernels round otherwise than those without, so all ranks run the same ones.
  bool has_walls = false;
  /// The other special nodes, and reversing nodes; step_special updates them.
  View<BoundaryNode*, ExecutionSpace> others;
  View<std::int32_t*, ExecutionSpace> others_begin;  ///< first of each segment, and the end
  View<BoundaryLink<Real>*, ExecutionSpace> links;   ///< by special node
  /// By link, of those along an axis, which are the first ones of a node; empty without a scalar.
  View<ScalarLink<Real>*, ExecutionSpace> scalar_links;
  View<ScalarShare<Real>*, ExecutionSpace> scalar_shares;      ///< likewise; empty if all are 0
  View<ConductingNode*, ExecutionSpace> conducting;            ///< by number
  View<ScalarLink<Real>*, ExecutionSpace> conducting_links;    ///< by conducting node
  View<SolidScalar<Real>*, ExecutionSpace> conducting_solids;  ///< by body
  View<SlipShares<Real>*, ExecutionSpace> slip_shares;
  View<lbm::SlipClass<Real, 3>*, ExecutionSpace> slip_classes;
  /// By link, of the first link of a node of the kind solid_slip: index of its SlipClass. Empty if
  /// there is no such node.
  View<std::uint32_t*, ExecutionSpace> link_slips;
  /// By link: d / (1 + d) for a wall at distance d, negative without a distance. Only if kernels
  /// update nodes at interpolated walls together with plain ones.
  View<Real*, ExecutionSpace> wall_shares;
  View<std::uint32_t*, ExecutionSpace> links_begin;  ///< first link of each segment, and the end
  int max_links = 0;                                 ///< of a segment
  /// Some walls have distances, and kernels update some special nodes together with plain ones.
  bool interpolated = false;
  bool moving_walls = false;  ///< some links have corrections
  /// By link: index of its OpenFace; -1: a wall. Empty if there are no faces.
  View<std::int32_t*, ExecutionSpace> link_faces;
  /// By node: eddy_time of the collision. Empty but for a model that needs neighbours.
  View<EddyTime*, ExecutionSpace> eddy_times;
  /// Where collisions on a GPU store the velocity that a node had before, (component, node); null:
  /// nowhere.
  Real* velocity_before = nullptr;
  View<OpenFace<Real>*, ExecutionSpace> faces;          ///< by node and side
  View<FaceMemory<Real>*, ExecutionSpace> face_memory;  ///< by face

  KOKKOS_FORCEINLINE_FUNCTION static bool bit(const View<std::uint32_t*, ExecutionSpace>& bits,
                                              NodeIndex n) {
    return ((bits.data()[n / 32] >> (n % 32)) & 1) != 0;
  }
  /// End of the run of set bits from n on, at most `end`.
  KOKKOS_INLINE_FUNCTION static NodeIndex run_end(const View<std::uint32_t*, ExecutionSpace>& bits,
                                                  NodeIndex n, NodeIndex end) {
    while (n < end) {
      if (n % 32 == 0 && bits.data()[n / 32] == ~std::uint32_t{0}) {
        n += 32;
      } else if (bit(bits, n)) {
        ++n;
      } else {
        return n;
      }
    }
    return end;
  }
  /// Length of the longest run of nodes n, n + 1, ... before `end` of a sparse lattice whose upper
  /// octants have consecutive numbers, too.
  KOKKOS_INLINE_FUNCTION NodeIndex octant_run(NodeIndex n, NodeIndex end) const {
    const NodeIndex most = run_end(in_row, n, end) - n;
    if (most < 2) return 1;
    const NodeIndex second = next_second.data()[n];
    const NodeIndex third = next_third.data()[n];
    const NodeIndex second_third = next_third.data()[second];
    // In a run these three count up, for its nodes and the one after them: the other corners are
    // neighbours of such nodes. Many are compared at a time, the last ones perhaps again.
    NodeIndex k = 1;
    const auto count = static_cast<NodeIndex>(next_third.extent(0));
    while (k <= most && most + 1 >= block) {
      const NodeIndex begin = k < most + 1 - block ? k : most + 1 - block;
      if ((n > second ? n : second) + begin + block > count ||
          !are_consecutive(next_second.data() + n + begin, second + begin) ||
          !are_consecutive(next_third.data() + n + begin, third + begin) ||
          !are_consecutive(next_third.data() + second + begin, second_third + begin)) {
        break;
      }
      k = begin + block;
    }
    while (k <= most && next_second.data()[n + k] == second + k &&
           next_third.data()[n + k] == third + k &&
           next_third.data()[second + k] == second_third + k) {
      ++k;
    }
    return k > 1 ? k - 1 : 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION DenseStencil dense_stencil(NodeIndex n) const {
    const NodeIndex row = n / extents.pitch;
    return {extents, n - row * extents.pitch, row % extents.ny, row / extents.ny};
  }
  /// So many that compilers keep the loop below, and make vectors of it.
  static constexpr NodeIndex block = 32;
  KOKKOS_FORCEINLINE_FUNCTION static bool are_consecutive(const NodeIndex* numbers,
                                                          NodeIndex first) {
    NodeIndex differences = 0;
    for (NodeIndex i = 0; i < block; ++i) differences |= numbers[i] ^ (first + i);
    return differences == 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION UpperOctant upper_octant(NodeIndex n) const {
    return {next_first.data(), next_second.data(), next_third.data(), bit(in_row, n), n};
  }
  KOKKOS_FORCEINLINE_FUNCTION SparseStencil sparse_stencil(NodeIndex n) const {
    return {upper_octant(n), first_axis};
  }
  /// Entry in `special` of a special fluid node.
  KOKKOS_FORCEINLINE_FUNCTION const BoundaryNode& special_node(NodeIndex n) const {
    const NodeIndex word = n / 32;
    const std::uint32_t below = (std::uint32_t{1} << (n % 32)) - 1;
    const std::uint32_t bits = fluid.data()[word] & ~plain.data()[word] & below;
    return special.data()[special_before.data()[word] + count_bits(bits)];
  }
  /// Entry in `conducting` of a node, null if it is in no solid that conducts.
  KOKKOS_INLINE_FUNCTION const ConductingNode* conducting_node(NodeIndex n) const {
    std::size_t begin = 0;
    std::size_t end = conducting.extent(0);
    while (begin < end) {
      const std::size_t middle = (begin + end) / 2;
      const ConductingNode* const found = conducting.data() + middle;
      if (found->node == n) return found;
      if (found->node < n) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return nullptr;
  }
  KOKKOS_INLINE_FUNCTION std::int32_t face_of(std::uint32_t link) const {
    return faces.extent(0) > 0 ? link_faces.data()[link] : -1;
  }
  /// Calls body with the stencil of node n, dense or sparse. For code that is not critical.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void with_stencil(NodeIndex n, const Body& body) const {
    if (sparse) {
      body(sparse_stencil(n));
    } else {
      body(dense_stencil(n));
    }
  }
  /// The eddy time of node n for `collide`; 0 for a collision that needs none. To be loaded before
  /// the populations, which take as long to arrive.
  template <class CollisionType>
  KOKKOS_FORCEINLINE_FUNCTION EddyTime eddy_time(NodeIndex n) const {
    if constexpr (CollisionType::eddy_viscosity == EddyViscosity::given) {
      // Of a RowCollision it is known at run time whether it needs them.
      constexpr bool needed = !requires { &CollisionType::function; };
      if (needed || eddy_times.extent(0) > 0) return eddy_times.data()[n];
    }
    return EddyTime(0);
  }
  /// Collides the populations of a node.
  template <class CollisionType>
  KOKKOS_FORCEINLINE_FUNCTION void collide(EddyTime eddy_time, const CollisionType& collision,
                                           const ParametersOf<Velocities, Real>& parameters,
                                           Real (&g)[Velocities::populations]) const {
    if constexpr (CollisionType::eddy_viscosity == EddyViscosity::given) {
      ParametersOf<Velocities, Real> local = parameters;
      of_flow(local).eddy_time = static_cast<Real>(eddy_time);
      collision.template collide<Velocities>(g, local);
    } else {
      collision.template collide<Velocities>(g, parameters);
    }
  }
  /// Stores the velocity that node n had before the collision that gave it the populations g. The
  /// collision added the momentum of the force, so half of it is taken off. Before the collision
  /// the same would cost kernels registers that they do not have.
  KOKKOS_FORCEINLINE_FUNCTION void keep_velocity(NodeIndex n,
                                                 const ParametersOf<Velocities, Real>& parameters,
                                                 const Real (&g)[Velocities::populations]) const {
    const auto local = local_parameters<Velocities>(parameters, g);
    const Real taken_off[3] = {-local.force[0], -local.force[1], -local.force[2]};
    const FlowState3D<Real> state =
        flow_state<FlowOf<Velocities>>(flow_populations<Velocities>(g), taken_off);
    for (int a = 0; a < 3; ++a) {
      velocity_before[std::size_t(a) * nodes + n] = state.velocity[a];
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t slot(NodeIndex n, int population) const {
    return layout.node(n) + static_cast<std::size_t>(population) * layout.stride();
  }
};

/// What the collision on a lattice needs.
template <class LatticeType>
using ParametersIn = ParametersOf<typename LatticeType::Velocities, typename LatticeType::Real>;

}  // namespace knudsen::lbm_d3q27
