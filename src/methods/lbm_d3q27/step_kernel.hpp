#pragma once

// The kernel of all streaming schemes. Included only by the files that instantiate it.

#include <utility>

#include "device/intrinsics.hpp"
#include "device/streaming_store.hpp"
#include "methods/lbm_d3q27/node_update.hpp"
#include "methods/lbm_d3q27/step.hpp"

namespace knudsen::lbm_d3q27 {

/// Bytes of scratch memory for LinkScratch, two values per link.
template <class Real>
KOKKOS_INLINE_FUNCTION int link_scratch_bytes(int links) {
  return 2 * links * static_cast<int>(sizeof(Real));
}

/// Collision and propagation in one pass. In one-array schemes a node writes exactly the slots that
/// it reads, so nodes are independent of each other within a step.
///
/// `CollisionType` is what with_collision gives for the backend. `AaParity` is the parity of a step
/// of the AA pattern, whose even and odd steps have different addresses. In Esoteric Twist and
/// Esoteric Pull an odd step accesses the array of the opposite population instead, by adding
/// `turn` to the address; this is the exchange of pointers in the paper's algorithm. `Width` is the
/// number of nodes per GPU thread. With `Walls` GPU threads also update nodes whose links cross
/// walls, beside plain ones, and with `Stores` they store velocities (velocity_before): a kernel
/// that may do so or not spills registers.
template <class LatticeType, class CollisionType, Propagation Scheme, bool Sparse, int AaParity = 0,
          int Width = 1, bool Walls = false, bool Stores = false>
struct Step {
  using ExecutionSpace = typename LatticeType::Execution;
  using Velocities = typename LatticeType::Velocities;
  using Real = typename LatticeType::Real;
  using Storage = typename LatticeType::Storage;
  static constexpr bool two_array = Scheme == Propagation::two_array;
  static constexpr bool turns =
      Scheme == Propagation::esoteric_twist || Scheme == Propagation::esoteric_pull;

  LatticeType lattice;
  CollisionType collision;
  ParametersOf<Velocities, Real> parameters;
  int parity;
  OthersUpdate<LatticeType> update_others = nullptr;

  /// On a GPU the axis of numbering of a sparse lattice selects one of three code paths that read
  /// and write a node. Selecting indices at run time instead would make loads depend on each other.
  static constexpr bool by_axis = Sparse && !is_host_backend<ExecutionSpace>;

  /// Addresses of population 0 of the corners of a node's upper octant.
  struct Corners {
    Storage* corner[8];
  };

  KOKKOS_FORCEINLINE_FUNCTION auto stencil(NodeIndex n) const {
    if constexpr (by_axis) {
      const UpperOctant octant = lattice.upper_octant(n);
      Corners corners;
      for (int i = 0; i < 8; ++i) {
        corners.corner[i] = lattice.populations.data() + lattice.layout.node(octant.corner[i]);
      }
      return corners;
    } else if constexpr (Sparse) {
      return lattice.sparse_stencil(n);
    } else {
      return lattice.dense_stencil(n);
    }
  }
  /// Calls body(nodes, q) for every population q, where `nodes` is a stencil with a known axis.
  template <class Stencil, class Body>
  KOKKOS_FORCEINLINE_FUNCTION void for_slots(const Stencil& nodes, const Body& body) const {
    if constexpr (by_axis) {
      if (lattice.first_axis == 0) {
        for_corners(AxisStencil<Storage, 0>{nodes.corner}, body);
      } else if (lattice.first_axis == 1) {
        for_corners(AxisStencil<Storage, 1>{nodes.corner}, body);
      } else {
        for_corners(AxisStencil<Storage, 2>{nodes.corner}, body);
      }
    } else {
      for_populations<Velocities>([&](auto q) { body(nodes, q); });
    }
  }
  /// The same, corner by corner in the order in which their indices become known.
  template <int FirstAxis, class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void for_corners(const AxisStencil<Storage, FirstAxis>& nodes,
                                                      const Body& body) {
    for_corner<0>(nodes, body);
    for_corner<1>(nodes, body);
    for_corner<2>(nodes, body);
    for_corner<3>(nodes, body);
    for_corner<4>(nodes, body);
    for_corner<5>(nodes, body);
    for_corner<6>(nodes, body);
    for_corner<7>(nodes, body);
  }
  template <int Turn, int FirstAxis, class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void for_corner(const AxisStencil<Storage, FirstAxis>& nodes,
                                                     const Body& body) {
    for_populations<Velocities>([&](auto q) {
      constexpr int number = decltype(q)::value;
      constexpr int corner = AxisStencil<Storage, FirstAxis>::corner(
          slot_offset<Velocities>(Scheme, AaParity, number, 0),
          slot_offset<Velocities>(Scheme, AaParity, number, 1),
          slot_offset<Velocities>(Scheme, AaParity, number, 2));
      if constexpr (corner == corners_as_known[Turn]) body(nodes, q);
    });
  }

  /// Slot of incoming population q (a PopulationIndex) of the stencil's node, or its twin slot. The
  /// choice is one of addresses, so no load depends on another.
  template <class Stencil, int Q>
  KOKKOS_FORCEINLINE_FUNCTION Storage* slot(const Stencil& nodes, PopulationIndex<Q> /*q*/,
                                            bool twin = false) const {
    const std::size_t stride = lattice.layout.stride();
    constexpr auto offset = [](int axis) {
      return slot_offset<Velocities>(Scheme, AaParity, Q, axis);
    };
    // Written out, because dense kernels spilled registers with this sum in a function.
    Storage* node;
    if constexpr (by_axis) {
      node = nodes.node(offset(0), offset(1), offset(2));
    } else {
      node = lattice.populations.data() +
             lattice.layout.node(nodes.node(offset(0), offset(1), offset(2)));
    }
    if constexpr (turns && Velocities::opposite(Q) != Q) {
      // Both slots are on the same node.
      const std::ptrdiff_t turn = (parity != 0) != twin ? static_cast<std::ptrdiff_t>(stride) : 0;
      return node + (is_first_of_pair<Velocities>(Q) ? turn : -turn) + Q * stride;
    } else if constexpr (by_axis) {
      return node + Q * stride;  // a population at rest
    } else {
      constexpr auto twin_at = [](int axis) {
        return twin_offset<Velocities>(Scheme, AaParity, Q, axis);
      };
      Storage* const own = node + slot_population<Velocities>(Scheme, AaParity, Q) * stride;
      if (!twin) return own;
      return lattice.populations.data() +
             lattice.layout.node(nodes.node(twin_at(0), twin_at(1), twin_at(2))) +
             twin_population<Velocities>(Scheme, AaParity, Q) * stride;
    }
  }
  template <class Stencil, int Q>
  KOKKOS_FORCEINLINE_FUNCTION Storage* target(const Stencil& nodes, PopulationIndex<Q> q) const {
    if constexpr (two_array) {
      return lattice.next.data() + lattice.layout.node(nodes.node(0, 0, 0)) +
             Q * lattice.layout.stride();
    } else {
      return slot(nodes, q);
    }
  }
  /// The population that goes to target(q).
  template <int Q>
  static constexpr int outgoing = two_array ? Q : Velocities::opposite(Q);

  /// Updates `nodes` plain nodes on the host, from number n, the stencil's, on. Their neighbours
  /// must have the numbers of the stencil's neighbours plus 1, 2, ...
  template <class Stencil>
  KOKKOS_INLINE_FUNCTION void plain_row(NodeIndex n, const Stencil& stencil, int nodes) const {
    using Row = decltype(numbers_of(std::declval<Storage*>()));
    Row from[Velocities::populations];
    Row to[Velocities::populations];
    for_populations<Velocities>([&](auto q) {
      from[q] = numbers_of(slot(stencil, q));
      to[outgoing<decltype(q)::value>] = numbers_of(target(stencil, q));
    });
    collision.rows(from, to, nodes, parameters, eddy_times(n));
  }
  /// Eddy times of the nodes from n on; null if the lattice has none.
  KOKKOS_INLINE_FUNCTION const Real* eddy_times(NodeIndex n) const {
    return lattice.eddy_times.extent(0) > 0 ? lattice.eddy_times.data() + n : nullptr;
  }
  /// Updates the plain nodes from n up to `end` on the host, for an array that does not fit in the
  /// caches: whole cache lines are stored past them. A line that is stored in parts would be read
  /// first, so lines at the ends of rows, whose neighbours are apart, are put together beforehand.
  KOKKOS_INLINE_FUNCTION void plain_nodes_past_caches(NodeIndex n, NodeIndex end) const {
    constexpr auto line = static_cast<NodeIndex>(cache_line_bytes / sizeof(Real));
    alignas(cache_line_bytes) Real values[Velocities::populations][line];
    const Real* from[Velocities::populations];
    Real* to[Velocities::populations];
    while (n < end) {
      const NodeIndex x = n % lattice.extents.pitch;
      const bool whole = n % line == 0 && n + line <= end && x + line <= lattice.extents.nx;
      const NodeIndex length = whole ? run_length(n, end) / line * line : 0;
      if (length > 0) {
        const auto nodes = stencil(n);
        for_populations<Velocities>([&](auto q) {
          from[q] = slot(nodes, q);
          to[q] = target(nodes, q);
        });
        collision.rows(from, to, static_cast<int>(length), parameters, eddy_times(n), true);
        n += length;
      } else if (whole) {
        // The first or the last node of the row, or both, and nodes between.
        const auto nodes = stencil(n + 1);
        const auto ends = {n, n + line - 1};
        for_populations<Velocities>([&](auto q) {
          from[q] = values[q];
          to[q] = target(nodes, q) - 1;
          copy_line(values[q], slot(nodes, q) - 1);
        });
        for (const NodeIndex node : ends) {
          const auto own = stencil(node);
          for_populations<Velocities>([&](auto q) { values[q][node - n] = *slot(own, q); });
        }
        collision.rows(from, to, static_cast<int>(line), parameters, eddy_times(n), true);
        n += line;
      } else {
        // Nodes up to the next boundary of lines, or up to the end of their run.
        const NodeIndex boundary = n - n % line + line;
        const NodeIndex count = run_length(n, boundary < end ? boundary : end);
        plain_row(n, stencil(n), static_cast<int>(count));
        n += count;
      }
    }
    finish_stores_past_caches();
  }
  /// Copies a cache line's values. Those past the ends of a row are of no use but in the array.
  KOKKOS_FORCEINLINE_FUNCTION static void copy_line(Real* to, const Real* from) {
    for (std::size_t i = 0; i < cache_line_bytes / sizeof(Real); ++i) to[i] = from[i];
  }

  /// Prefetched wall_shares of a team's links: each thread issues the loads of a few before those
  /// of its populations, so that their latencies overlap.
  struct LinkReads {
    static constexpr int early = 4;  ///< loads per thread
    std::uint32_t begin = 0;         ///< the team's first link
    int count = 0;                   ///< number of the team's links
    Real share[early] = {};          ///< those of links rank, rank + team size, ...
  };
  KOKKOS_FORCEINLINE_FUNCTION LinkReads ask_for_links(const TeamMember<ExecutionSpace>& team,
                                                      NodeIndex segment) const {
    LinkReads reads;
    if (!Walls || !lattice.interpolated || segment >= static_cast<NodeIndex>(lattice.segments)) {
      return reads;
    }
    reads.begin = lattice.links_begin.data()[segment];
    reads.count = static_cast<int>(lattice.links_begin.data()[segment + 1] - reads.begin);
    for (int k = 0; k < LinkReads::early; ++k) {
      const int i = team.team_rank() + k * team.team_size();
      if (i < reads.count) {
        reads.share[k] =
            load_line(&lattice.wall_shares.data()[reads.begin + static_cast<std::uint32_t>(i)]);
      }
    }
    return reads;
  }

  /// Data of a team's links in scratch memory.
  struct LinkScratch {
    std::uint32_t begin = 0;  ///< the team's first link
    Real* share = nullptr;    ///< wall_shares of the links
    Real* before = nullptr;   ///< outgoing populations before the collision
  };
  KOKKOS_FORCEINLINE_FUNCTION LinkScratch keep_links(const TeamMember<ExecutionSpace>& team,
                                                     const LinkReads& reads) const {
    LinkScratch scratch;
    if (reads.count == 0) return scratch;
    scratch.begin = reads.begin;
    scratch.share = static_cast<Real*>(team.team_scratch(0).get_shmem_aligned(
        link_scratch_bytes<Real>(reads.count), sizeof(Real)));
    scratch.before = scratch.share + reads.count;
    int i = team.team_rank();
    for (int k = 0; k < LinkReads::early; ++k, i += team.team_size()) {
      if (i < reads.count) scratch.share[i] = reads.share[k];
    }
    for (; i < reads.count; i += team.team_size()) {
      scratch.share[i] = lattice.wall_shares.data()[reads.begin + static_cast<std::uint32_t>(i)];
    }
    team.team_barrier();
    return scratch;
  }

  /// On a GPU, loads a plain node (`cut` is zero) or a node whose links in `cut` cross walls, so
  /// that a warp can hold both.
  template <class Stencil>
  KOKKOS_FORCEINLINE_FUNCTION void read_node(const Stencil& nodes, std::uint32_t cut,
                                             Real (&g)[Velocities::populations]) const {
    for_slots(nodes, [&](const auto& known, auto q) {
      const Storage* const from = slot(known, q, Walls && is_cut(cut, q));
      if constexpr (by_axis) {
        g[q] = static_cast<Real>(load_line(from));
      } else {
        // The compiler finds the order of loads that needs the fewest registers.
        g[q] = static_cast<Real>(*from);
      }
    });
  }
  /// Collides the populations g of a node, and stores its velocity with `Stores`.
  KOKKOS_FORCEINLINE_FUNCTION void collide(NodeIndex n, typename LatticeType::EddyTime eddy_time,
                                           Real (&g)[Velocities::populations]) const {
    lattice.collide(eddy_time, collision, parameters, g);
    if constexpr (Stores) lattice.keep_velocity(n, parameters, g);
  }
  /// Turns incoming into outgoing populations, by the equations of load_special and update_special.
  KOKKOS_FORCEINLINE_FUNCTION void collide_node(NodeIndex n,
                                                typename LatticeType::EddyTime eddy_time,
                                                std::uint32_t cut, std::uint32_t first_link,
                                                const LinkScratch& scratch,
                                                Real (&g)[Velocities::populations]) const {
    if constexpr (Walls) {
      if (lattice.moving_walls && cut != 0) add_corrections(cut, first_link, g);
      if constexpr (has_scalar<Velocities>) {
        if (cut != 0) return_scalar(cut, first_link, g);
      }
      const bool interpolates = lattice.interpolated && cut != 0;
      const std::uint32_t link = first_link - scratch.begin;
      if (interpolates) keep_before(cut, scratch.before + link, g);
      collide(n, eddy_time, g);
      if (interpolates) interpolate(cut, scratch.share + link, scratch.before + link, g);
    } else {
      collide(n, eddy_time, g);
    }
  }
  template <class Stencil>
  KOKKOS_FORCEINLINE_FUNCTION void write_node(const Stencil& nodes,
                                              const Real (&g)[Velocities::populations]) const {
    for_slots(nodes, [&](const auto& known, auto q) {
      *target(known, q) = static_cast<Storage>(g[outgoing<decltype(q)::value>]);
    });
  }
  template <int Q>
  KOKKOS_FORCEINLINE_FUNCTION static bool is_cut(std::uint32_t cut, PopulationIndex<Q> /*q*/) {
    return ((cut >> link_of<Velocities>(Q)) & 1) != 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_corrections(std::uint32_t cut, std::uint32_t first_link,
                                                   Real (&g)[Velocities::populations]) const {
    const BoundaryLink<Real>* link = lattice.links.data() + first_link;
    for_populations<FlowOf<Velocities>>([&](auto q) {
      if (is_cut(cut, q)) g[q] += (link++)->correction;
    });
  }
  /// Turns the populations of the scalar that went out to walls into those that return.
  KOKKOS_FORCEINLINE_FUNCTION void return_scalar(std::uint32_t cut, std::uint32_t first_link,
                                                 Real (&g)[Velocities::populations]) const {
    const ScalarLink<Real>* link = lattice.scalar_links.data() + first_link;
    using Scalar = typename Velocities::Scalar;
    for_populations<WholeOf<Scalar>>([&](auto q) {
      if (is_cut(cut, q)) {
        constexpr int place = FlowOf<Velocities>::populations + decltype(q)::value;
        Real& population = g[place];
        if constexpr (in_two_parts<Scalar>) {
          population += g[place + WholeOf<Scalar>::populations];
          g[place + WholeOf<Scalar>::populations] = 0;
        }
        population = link->factor * population + link->addition;
        ++link;
      }
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION static void keep_before(std::uint32_t cut, Real* before,
                                                      const Real (&g)[Velocities::populations]) {
    for_populations<FlowOf<Velocities>>([&](auto q) {
      if (is_cut(cut, q)) *before++ = g[Velocities::opposite(q)];
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION static void interpolate(std::uint32_t cut, const Real* share,
                                                      const Real* before,
                                                      Real (&g)[Velocities::populations]) {
    for_pairs<FlowOf<Velocities>>([&](auto q) {
      const PopulationIndex<decltype(q)::value + 1> p;
      const Real sum = g[q] + g[p];
      const auto replace = [&](bool crosses, Real& outgoing_value) {
        if (!crosses) return;
        const Real a = *share++;
        const Real b = *before++;
        if (a >= Real(0)) outgoing_value = a * sum + (Real(1) - Real(2) * a) * b;
      };
      replace(is_cut(cut, q), g[p]);
      replace(is_cut(cut, p), g[q]);
    });
  }

  /// Updates two plain nodes that are adjacent along x, the first with the even number n. Aligned
  /// slots of both are accessed together.
  KOKKOS_FORCEINLINE_FUNCTION void plain_pair(NodeIndex n, const DenseStencil (&nodes)[2]) const {
    struct alignas(2 * sizeof(Storage)) Pair {
      Storage value[2];
    };
    // Values stay packed, and the nodes are computed one after the other, which saves registers.
    Pair pairs[Velocities::populations];
    const typename LatticeType::EddyTime eddy_times[2] = {
        lattice.template eddy_time<CollisionType>(n),
        lattice.template eddy_time<CollisionType>(n + 1)};
    for_populations<Velocities>([&](auto q) {
      if constexpr (slot_offset<Velocities>(Scheme, AaParity, decltype(q)::value, 0) == 0) {
        pairs[q] = *reinterpret_cast<const Pair*>(slot(nodes[0], q));
      } else {
        pairs[q] = {{*slot(nodes[0], q), *slot(nodes[1], q)}};
      }
    });
    const auto update = [&](auto i) {
      Real g[Velocities::populations];
      for_populations<Velocities>([&](auto q) { g[q] = static_cast<Real>(pairs[q].value[i]); });
      collide(n + static_cast<NodeIndex>(decltype(i)::value), eddy_times[i], g);
      for_populations<Velocities>([&](auto q) { pairs[q].value[i] = static_cast<Storage>(g[q]); });
    };
    update(PopulationIndex<0>{});
    update(PopulationIndex<1>{});
    for_populations<Velocities>([&](auto q) {
      const Pair& pair = pairs[outgoing<decltype(q)::value>];
      if constexpr (two_array ||
                    slot_offset<Velocities>(Scheme, AaParity, decltype(q)::value, 0) == 0) {
        *reinterpret_cast<Pair*>(target(nodes[0], q)) = pair;
      } else {
        *target(nodes[0], q) = pair.value[0];
        *target(nodes[1], q) = pair.value[1];
      }
    });
  }

  /// Whether a population is at a neighbour with this offset along x.
  static constexpr bool reaches(int offset) {
    for (int q = 0; q < Velocities::populations; ++q) {
      if (slot_offset<Velocities>(Scheme, AaParity, q, 0) == offset) return true;
    }
    return false;
  }
  static constexpr bool below = reaches(-1);
  static constexpr bool above = reaches(1);

  /// Length of the longest run of nodes n, n + 1, ... before `end` whose neighbours in each
  /// direction have consecutive numbers, too.
  KOKKOS_INLINE_FUNCTION NodeIndex run_length(NodeIndex n, NodeIndex end) const {
    if constexpr (Sparse) {
      return lattice.octant_run(n, end);
    } else {
      const NodeIndex x = n % lattice.extents.pitch;
      // In a periodic row neighbours of the first and of the last node are at the other end.
      if ((below && x == 0) || (above && x + 1 == lattice.extents.nx)) return 1;
      const NodeIndex last = n - x + lattice.extents.nx - (above ? 1 : 0);
      return (last < end ? last : end) - n;
    }
  }

  KOKKOS_INLINE_FUNCTION void on_host(const TeamMember<ExecutionSpace>& team) const {
    NodeIndex n =
        static_cast<NodeIndex>(team.league_rank()) * static_cast<NodeIndex>(lattice.segment);
    const NodeIndex rest = lattice.nodes - n;
    const auto segment = static_cast<NodeIndex>(lattice.segment);
    const NodeIndex end = n + (rest < segment ? rest : segment);
    while (n < end) {
      if (!LatticeType::bit(lattice.plain, n)) {
        ++n;
        continue;
      }
      const NodeIndex run_end = LatticeType::run_end(lattice.plain, n + 1, end);
      if constexpr (two_array && std::is_same_v<Storage, Real>) {
        if (lattice.next.span() * sizeof(Real) > cached_bytes) {
          plain_nodes_past_caches(n, run_end);
          n = run_end;
        }
      }
      while (n < run_end) {
        const NodeIndex length = run_length(n, run_end);
        plain_row(n, stencil(n), static_cast<int>(length));
        n += length;
      }
    }
  }

  /// The words with the bits of a node and the number of special nodes before them, loaded
  /// together.
  struct Words {
    std::uint32_t plain = 0;
    std::uint32_t fluid = 0;
    std::uint32_t special_before = 0;

    KOKKOS_FORCEINLINE_FUNCTION Words(const LatticeType& lattice, NodeIndex n)
        : plain(lattice.plain.data()[n / 32]) {
      if constexpr (Walls) {
        fluid = lattice.fluid.data()[n / 32];
        special_before = lattice.special_before.data()[n / 32];
      }
    }
    KOKKOS_FORCEINLINE_FUNCTION bool is_plain(NodeIndex n) const {
      return ((plain >> (n % 32)) & 1) != 0;
    }
  };

  /// A plain node or, with `Walls`, a node at walls.
  struct WallNode {
    bool exists = false;           ///< whether the node is either
    std::uint32_t cut = 0;         ///< bit q: link of incoming population q crosses a wall
    std::uint32_t first_link = 0;  ///< of the node

    KOKKOS_FORCEINLINE_FUNCTION WallNode(const LatticeType& lattice, const Words& words,
                                         NodeIndex n)
        : exists(words.is_plain(n)) {
      const std::uint32_t bits = words.fluid & ~words.plain;
      if (!Walls || ((bits >> (n % 32)) & 1) == 0) return;
      const std::uint32_t below = (std::uint32_t{1} << (n % 32)) - 1;
      const BoundaryNode boundary =
          lattice.special.data()[words.special_before + count_bits(bits & below)];
      exists = boundary.kind == BoundaryKind::walls;
      cut = boundary.cut;
      first_link = boundary.first_link;
    }
  };

  template <class Stencil>
  KOKKOS_FORCEINLINE_FUNCTION void one(NodeIndex n, const Stencil& nodes, const WallNode& node,
                                       const LinkScratch& scratch) const {
    if (!node.exists) return;
    const auto eddy_time = lattice.template eddy_time<CollisionType>(n);
    Real g[Velocities::populations];
    read_node(nodes, node.cut, g);
    collide_node(n, eddy_time, node.cut, node.first_link, scratch, g);
    write_node(nodes, g);
  }

  KOKKOS_INLINE_FUNCTION void on_gpu(const TeamMember<ExecutionSpace>& team) const {
    auto segment = static_cast<NodeIndex>(team.league_rank());
    NodeIndex begin = 0;
    NodeIndex end = lattice.nodes;
    if constexpr (Sparse) {
      segment += lattice.share.segment;
      begin = lattice.share.begin;
      end = lattice.share.end;
    } else {
      if (lattice.strips.rows > 0) {
        const TeamShare share =
            lattice.strips.share(lattice.extents, static_cast<NodeIndex>(lattice.segment), segment);
        segment = share.segment;
        begin = share.begin;
        end = share.end;
      }
    }
    NodeIndex n = segment * static_cast<NodeIndex>(lattice.segment) +
                  static_cast<NodeIndex>(team.team_rank()) * Width;
    const bool exists = n >= begin && n < end;
    if constexpr (Walls) {
      // All threads must reach the team barrier below.
      if (!exists) n = 0;
    } else {
      if (!exists) return;
    }
    // Loaded together with the indices of neighbours.
    const Words words(lattice, n);
    if constexpr (Width == 1) {
      const auto nodes = stencil(n);
      const WallNode node(lattice, words, n);
      if constexpr (Walls) {
        const bool works = exists && node.exists;
        const LinkReads links = ask_for_links(team, segment);
        const auto eddy_time = lattice.template eddy_time<CollisionType>(n);
        Real g[Velocities::populations];
        if (works) read_node(nodes, node.cut, g);
        const LinkScratch scratch = keep_links(team, links);
        if (works) {
          collide_node(n, eddy_time, node.cut, node.first_link, scratch, g);
          write_node(nodes, g);
        }
      } else {
        one(n, nodes, node, LinkScratch());
      }
    } else {
      const DenseStencil nodes[2] = {stencil(n), stencil(n + 1)};
      const LinkScratch scratch = keep_links(team, ask_for_links(team, segment));
      if (!exists) return;
      if (words.is_plain(n) && words.is_plain(n + 1)) {
        plain_pair(n, nodes);
      } else {
        one(n, nodes[0], WallNode(lattice, words, n), scratch);
        one(n + 1, nodes[1], WallNode(lattice, words, n + 1), scratch);
      }
    }
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    if constexpr (is_host_backend<ExecutionSpace>) {
      on_host(team);
      if (lattice.others.extent(0) == 0) return;
      const std::int32_t* const begin = lattice.others_begin.data() + team.league_rank();
      update_others(lattice, collision, parameters, parity, begin[0], begin[1]);
    } else {
      on_gpu(team);
    }
  }
};

}  // namespace knudsen::lbm_d3q27
