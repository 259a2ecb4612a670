#pragma once

// Update of a single special node, for all streaming schemes: these differ only in slot_offset and
// slot_population. Loops are not unrolled here, but for load_plain, by which fields are evaluated;
// the code that is tuned is in step_kernel.hpp.

#include <type_traits>

#include "lattice/flow_state3d.hpp"
#include "lattice/for_populations.hpp"
#include "lattice/passive_scalar.hpp"
#include "methods/lbm_d3q27/lattice_state.hpp"

namespace knudsen::lbm_d3q27 {

/// The lattice's scheme. With 16-bit storage there is one alone, which saves code.
template <class LatticeType>
KOKKOS_FORCEINLINE_FUNCTION Propagation scheme_of(const LatticeType& lattice) {
  if constexpr (std::is_same_v<typename LatticeType::Storage, HalfPopulation>) {
    return Propagation::esoteric_twist;
  } else {
    return lattice.propagation;
  }
}

/// Index of the slot of incoming population q of the stencil's node, or of that slot's twin.
template <class LatticeType, class Stencil>
KOKKOS_INLINE_FUNCTION std::size_t incoming_slot(const LatticeType& lattice, const Stencil& stencil,
                                                 int parity, int q, bool twin) {
  using Velocities = typename LatticeType::Velocities;
  const Propagation propagation = scheme_of(lattice);
  const auto offset = [&](int axis) {
    return twin ? twin_offset<Velocities>(propagation, parity, q, axis)
                : slot_offset<Velocities>(propagation, parity, q, axis);
  };
  const int population = twin ? twin_population<Velocities>(propagation, parity, q)
                              : slot_population<Velocities>(propagation, parity, q);
  return lattice.slot(stencil.node(offset(0), offset(1), offset(2)), population);
}

/// Incoming population q across an open side, from the population `sent` out along the opposite
/// direction. Velocity side: bounce-back from a wall with that velocity at half the link (Ladd
/// 1994). Pressure side: anti-bounce-back (Ginzburg, Verhaeghe, d'Humieres 2008). Both are
/// non-reflecting: the prescribed value holds for the mean flow, and the deviation of the flow from
/// its mean is added to it as in a leaving sound wave, where density and normal velocity are
/// proportional.
///
/// Alone, the two rules would make the shear stress at the side zero, which bends a developed flow
/// and, between two pressure sides, lets too much of it through. Therefore the shear of the node
/// is added, and the velocity along the side brought to what is prescribed, 0 at a pressure side.
/// Not so at an outflow, along which a stream may flow.
template <class Velocities, class Real>
KOKKOS_INLINE_FUNCTION Real complete_open(const OpenFace<Real>& face,
                                          const FaceMemory<Real>& memory, int q, Real sent) {
  const Real sound_speed = Real(0.57735026918962576);
  const int axis = axis_of(face.side);
  const Real normal = Real(normal_of(face.side));
  const Real departs = face.mean_rate > Real(0) ? Real(1) : Real(0);
  const bool has_velocity = face.kind == OpenKind::velocity;
  Real velocity[3];
  for (int a = 0; a < 3; ++a) velocity[a] = has_velocity ? face.velocity[a] : memory.velocity[a];
  if (has_velocity) {
    velocity[axis] -=
        departs * normal * sound_speed * (memory.density_deviation - memory.mean_density_deviation);
  }
  Real along = 0;
  Real square = 0;
  for (int a = 0; a < 3; ++a) {
    along += Real(Velocities::velocity(q, a)) * velocity[a];
    square += velocity[a] * velocity[a];
  }
  const Real density = Real(1) + memory.density_deviation;
  Real shear = 0;
  for (int i = 0; face.kind != OpenKind::outflow && i < 2; ++i) {
    const Real c = Real(Velocities::velocity(q, axis_along(face.side, i)));
    shear += c * normal * Real(9) * memory.mean_shear[i];
    if (!has_velocity) shear -= c * Real(6) * density * memory.mean_along[i];
  }
  const Real weight = Velocities::template weight<Real>(q);
  if (has_velocity) return sent + weight * (Real(6) * density * along + shear);
  const Real deviation =
      face.density_deviation -
      departs * (normal * memory.velocity[axis] - memory.mean_normal_velocity) / sound_speed;
  return weight * (Real(2) * (deviation + (Real(1) + deviation) *
                                              (Real(4.5) * along * along - Real(1.5) * square)) +
                   shear) -
         sent;
}

/// Flow out of a node over a link that crosses an open side without a temperature: the velocity of
/// the last step along the outgoing population. 0 over any other link.
template <class LatticeType>
KOKKOS_INLINE_FUNCTION typename LatticeType::Real outflow(const LatticeType& lattice,
                                                          std::uint32_t link, int incoming) {
  using Real = typename LatticeType::Real;
  const std::int32_t face = lattice.face_of(link);
  if (face < 0 || lattice.scalar_links.data()[link].factor != Real(1)) return 0;
  Real outward = 0;
  for (int a = 0; a < 3; ++a) {
    outward -= Real(D3Q7::velocity(incoming, a)) * lattice.face_memory.data()[face].velocity[a];
  }
  return outward;
}

/// Incoming population q of the scalar of the stencil's node, or that of its twin slot.
template <class LatticeType, class Stencil>
KOKKOS_INLINE_FUNCTION typename LatticeType::Real incoming_scalar(const LatticeType& lattice,
                                                                  const Stencil& stencil,
                                                                  int parity, int q, bool twin) {
  using Real = typename LatticeType::Real;
  using Scalar = typename LatticeType::Velocities::Scalar;
  const int first = LatticeType::Velocities::Flow::populations + q;
  Real value = static_cast<Real>(
      lattice.populations.data()[incoming_slot(lattice, stencil, parity, first, twin)]);
  if constexpr (in_two_parts<Scalar>) {
    const int second = first + WholeOf<Scalar>::populations;
    value += static_cast<Real>(
        lattice.populations.data()[incoming_slot(lattice, stencil, parity, second, twin)]);
  }
  return value;
}
/// Sets it.
template <class LatticeType, class Stencil>
KOKKOS_INLINE_FUNCTION void set_incoming_scalar(const LatticeType& lattice, const Stencil& stencil,
                                                int parity, int q, bool twin,
                                                typename LatticeType::Real value) {
  using Storage = typename LatticeType::Storage;
  using Scalar = typename LatticeType::Velocities::Scalar;
  const int first = LatticeType::Velocities::Flow::populations + q;
  if constexpr (in_two_parts<Scalar>) {
    const typename LatticeType::Real rounded = first_part(value);
    const int second = first + WholeOf<Scalar>::populations;
    lattice.populations.data()[incoming_slot(lattice, stencil, parity, second, twin)] =
        static_cast<Storage>(value - rounded);
    value = rounded;
  }
  lattice.populations.data()[incoming_slot(lattice, stencil, parity, first, twin)] =
      static_cast<Storage>(value);
}

/// The share of a node's value that a wall returns. `state`: flow of the node.
template <class LatticeType, class Real>
KOKKOS_INLINE_FUNCTION Real share_of(const LatticeType& lattice, std::uint32_t link, int incoming,
                                     const FlowState3D<Real>& state) {
  const ScalarShare<Real> share = lattice.scalar_shares.data()[link];
  Real inward = 0;
  for (int a = 0; a < 3; ++a) inward += Real(D3Q7::velocity(incoming, a)) * state.velocity[a];
  return share.of_value + share.carried * inward;
}

/// Loads the incoming populations of the scalar of a special node, after those of the flow. The
/// links along the axes are the first ones of a node. Through an outflow the flow carries the value
/// of the node, and some walls return a share of it. It is the sum of all populations, these
/// included. The velocity at walls is without the half step of a force.
template <class LatticeType, class Stencil, class Real>
KOKKOS_INLINE_FUNCTION void load_scalar(const LatticeType& lattice, const Stencil& stencil,
                                        int parity, const BoundaryNode& boundary,
                                        Real (&g)[LatticeType::Velocities::populations]) {
  using Velocities = typename LatticeType::Velocities;
  constexpr int first = Velocities::Flow::populations;
  using Scalar = WholeOf<typename Velocities::Scalar>;
  std::uint32_t link = boundary.first_link;
  Real h[Scalar::populations];
  Real share[Scalar::populations];
  const bool shares = lattice.scalar_shares.extent(0) > 0;
  bool any_share = false;
  FlowState3D<Real> state{};
  if (shares) {
    const Real no_force[3] = {0, 0, 0};
    state = flow_state<FlowOf<Velocities>>(flow_populations<Velocities>(g), no_force);
  }
  const std::uint32_t returning = boundary.cut & ~std::uint32_t{boundary.passes};
  for (int q = 0; q < Scalar::populations; ++q) {
    const bool returns = ((returning >> q) & 1) != 0;
    h[q] = incoming_scalar(lattice, stencil, parity, q, returns);
    share[q] = 0;
    if (returns) {
      const ScalarLink<Real>& at_wall = lattice.scalar_links.data()[link];
      h[q] = at_wall.factor * h[q] + at_wall.addition;
      share[q] = -outflow(lattice, link, q);
      if (shares) share[q] += share_of(lattice, link, q, state);
      any_share = any_share || share[q] != Real(0);
    }
    link += (boundary.cut >> q) & 1;
  }
  if (any_share) add_shares<Scalar>(share, h);
  for (int q = 0; q < Scalar::populations; ++q) {
    g[first + q] = h[q];
    if constexpr (in_two_parts<typename Velocities::Scalar>) {
      g[first + Scalar::populations + q] = 0;
    }
  }
}

/// What the population at rest of a node in a solid that conducts is divided by where it is stored.
/// In two parts, which keep a fixed number of digits, that is the heat capacity.
template <class LatticeType>
KOKKOS_INLINE_FUNCTION typename LatticeType::Real rest_in_solid(const LatticeType& lattice,
                                                                const ConductingNode& node) {
  if constexpr (in_two_parts<typename LatticeType::Velocities::Scalar>) {
    return lattice.conducting_solids.data()[node.body].capacity;
  } else {
    return 1;
  }
}

/// Loads the incoming populations of the scalar of a node in a solid that conducts.
template <class LatticeType, class Stencil, class Real>
KOKKOS_INLINE_FUNCTION void load_in_solid(
    const LatticeType& lattice, const Stencil& stencil, int parity, const ConductingNode& node,
    Real (&h)[WholeOf<typename LatticeType::Velocities::Scalar>::populations]) {
  const ScalarLink<Real>* link = lattice.conducting_links.data() + node.first_link;
  for (int q = 0; q < WholeOf<typename LatticeType::Velocities::Scalar>::populations; ++q) {
    const bool cut = ((node.cut >> q) & 1) != 0;
    h[q] = incoming_scalar(lattice, stencil, parity, q, cut);
    if (q == 0) h[q] *= rest_in_solid(lattice, node);
    if (!cut) continue;
    h[q] = link->factor * h[q] + link->addition;
    ++link;
  }
}

/// Mirrors the share of walls with slip at a node. `g` has what bounced back. A mirror across an
/// axis exchanges populations that come in from the same wall with opposite velocities along it, so
/// a share of their difference moves from one to the other, and the mass stays. Bit q of `walls`:
/// the link of incoming population q crosses walls.
template <class Velocities, class Real, int Size>
KOKKOS_INLINE_FUNCTION void mirror_at_walls(const SlipShares<Real>& shares, std::uint32_t walls,
                                            Real (&g)[Size]) {
  Real bounced[Velocities::populations];
  for (int q = 0; q < Velocities::populations; ++q) bounced[q] = g[q];
  for_populations<Velocities>([&](auto index) {
    constexpr int q = decltype(index)::value;
    const auto mirror = [&](auto across) {
      constexpr int axis = decltype(across)::value;
      constexpr int other = turned_about(q, axis);
      constexpr int c = D3Q27::velocity(q, axis);
      if constexpr (c != 0 && q != other) {
        if (((walls >> q) & (walls >> other) & 1) == 0) return;
        g[q] += shares.of_side[2 * axis + (c > 0 ? 0 : 1)] * (bounced[other] - bounced[q]);
      }
    };
    mirror(PopulationIndex<0>{});
    mirror(PopulationIndex<1>{});
    mirror(PopulationIndex<2>{});
  });
}

/// What comes in from the walls of a node with slip: bounced back and mirrored, with the momentum
/// of moving walls.
template <class LatticeType, class Stencil, class Real>
KNUDSEN_OUTLINED_FUNCTION void load_from_slip_walls(
    const LatticeType& lattice, const Stencil& stencil, int parity, const BoundaryNode& boundary,
    Real (&g)[LatticeType::Velocities::populations]) {
  using Velocities = FlowOf<typename LatticeType::Velocities>;
  Real correction[Velocities::populations];
  std::uint32_t walls = 0;
  std::uint32_t link = boundary.first_link;
  for (int q = 0; q < Velocities::populations; ++q) {
    correction[q] = 0;
    if (((boundary.cut >> q) & 1) == 0) continue;
    if (lattice.face_of(link) < 0) {
      walls |= std::uint32_t{1} << q;
      correction[q] = lattice.links.data()[link].correction;
      g[q] = static_cast<Real>(
          lattice.populations.data()[incoming_slot(lattice, stencil, parity, q, true)]);
    }
    ++link;
  }
  mirror_at_walls<Velocities>(lattice.slip_shares.data()[boundary.slip - 1], walls, g);
  for (int q = 0; q < Velocities::populations; ++q) g[q] += correction[q];
}

/// Adds what the walls of solids with slip send along themselves to a node of the kind solid_slip.
/// That its velocity is without half a step of the force matters in products of the two alone.
template <class LatticeType, class Real>
KNUDSEN_OUTLINED_FUNCTION void slip_along_solids(const LatticeType& lattice,
                                                 const BoundaryNode& boundary,
                                                 Real (&g)[LatticeType::Velocities::populations]) {
  using Velocities = FlowOf<typename LatticeType::Velocities>;
  const Real no_force[3] = {0, 0, 0};
  const FlowState3D<Real> state =
      flow_state<Velocities>(flow_populations<typename LatticeType::Velocities>(g), no_force);
  lbm::add_slip<Velocities>(
      lattice.slip_classes.data()[lattice.link_slips.data()[boundary.first_link]],
      Real(1) + state.density_deviation, state.velocity, g);
}

/// Loads the incoming populations of a special node.
template <class LatticeType, class Stencil, class Real>
KOKKOS_INLINE_FUNCTION void load_special(const LatticeType& lattice, const Stencil& stencil,
                                         int parity, const BoundaryNode& boundary,
                                         Real (&g)[LatticeType::Velocities::populations]) {
  using Velocities = FlowOf<typename LatticeType::Velocities>;
  std::uint32_t link = boundary.first_link;
  for (int q = 0; q < Velocities::populations; ++q) {
    const bool cut = ((boundary.cut >> q) & 1) != 0;
    const Real sent = static_cast<Real>(
        lattice.populations.data()[incoming_slot(lattice, stencil, parity, q, cut)]);
    g[q] = sent;
    if (!cut) continue;
    const std::int32_t face = lattice.face_of(link);
    if (face < 0) {
      g[q] = sent + lattice.links.data()[link].correction;
    } else {
      g[q] = complete_open<Velocities>(lattice.faces.data()[face], lattice.face_memory.data()[face],
                                       q, sent);
    }
    ++link;
  }
  if (boundary.slip != 0) load_from_slip_walls(lattice, stencil, parity, boundary, g);
  if (boundary.kind == BoundaryKind::solid_slip) slip_along_solids(lattice, boundary, g);
  if constexpr (has_scalar<typename LatticeType::Velocities>) {
    load_scalar(lattice, stencil, parity, boundary, g);
  }
}

/// Loads the incoming populations of a plain node, with all offsets known at compile time.
template <Propagation Scheme, class LatticeType, class Stencil, class Real>
KOKKOS_INLINE_FUNCTION void load_plain(const LatticeType& lattice, const Stencil& stencil,
                                       int parity,
                                       Real (&g)[LatticeType::Velocities::populations]) {
  const auto load = [&](auto step_parity) {
    using Velocities = typename LatticeType::Velocities;
    for_populations<Velocities>([&](auto q) KNUDSEN_INLINE_LAMBDA {
      constexpr Propagation scheme = Scheme;
      constexpr int number = decltype(q)::value;
      constexpr int even_or_odd = decltype(step_parity)::value;
      constexpr int dx = slot_offset<Velocities>(scheme, even_or_odd, number, 0);
      constexpr int dy = slot_offset<Velocities>(scheme, even_or_odd, number, 1);
      constexpr int dz = slot_offset<Velocities>(scheme, even_or_odd, number, 2);
      constexpr int population = slot_population<Velocities>(scheme, even_or_odd, number);
      g[number] = static_cast<Real>(
          lattice.populations.data()[lattice.slot(stencil.node(dx, dy, dz), population)]);
    });
  };
  parity == 0 ? load(PopulationIndex<0>{}) : load(PopulationIndex<1>{});
}

/// Loads the incoming populations of any fluid node. On a GPU they stay in registers: the array of
/// special nodes, whose entries are chosen at run time, is another one.
template <class LatticeType, class Stencil, class Real>
KOKKOS_FORCEINLINE_FUNCTION void load_node(const LatticeType& lattice, const Stencil& stencil,
                                           int parity, NodeIndex n,
                                           Real (&g)[LatticeType::Velocities::populations]) {
  using Velocities = typename LatticeType::Velocities;
  if (!LatticeType::bit(lattice.plain, n)) {
    Real special[Velocities::populations];
    load_special(lattice, stencil, parity, lattice.special_node(n), special);
    for_populations<Velocities>([&](auto q) KNUDSEN_INLINE_LAMBDA { g[q] = special[q]; });
  } else if constexpr (!is_host_backend<typename LatticeType::Execution>) {
    for_populations<Velocities>([&](auto q) KNUDSEN_INLINE_LAMBDA {
      g[q] = static_cast<Real>(
          lattice.populations.data()[incoming_slot(lattice, stencil, parity, q, false)]);
    });
  } else if constexpr (std::is_same_v<Stencil, SparseStencil>) {
    load_plain<Propagation::esoteric_twist>(lattice, stencil, parity, g);
  } else {
    switch (scheme_of(lattice)) {
      case Propagation::two_array:
        return load_plain<Propagation::two_array>(lattice, stencil, parity, g);
      case Propagation::aa_pattern:
        return load_plain<Propagation::aa_pattern>(lattice, stencil, parity, g);
      case Propagation::esoteric_twist:
        return load_plain<Propagation::esoteric_twist>(lattice, stencil, parity, g);
      case Propagation::esoteric_pull:
        break;
    }
    load_plain<Propagation::esoteric_pull>(lattice, stencil, parity, g);
  }
}

/// Updates the FaceMemory of the open sides of a node. `before` and `after`: populations before
/// and after the collision; `state`: flow before it.
template <class LatticeType, class Real>
KOKKOS_INLINE_FUNCTION void remember_flow(
    const LatticeType& lattice, const BoundaryNode& boundary, const FlowState3D<Real>& state,
    const Real (&before)[LatticeType::Velocities::populations],
    const Real (&after)[LatticeType::Velocities::populations]) {
  using Velocities = FlowOf<typename LatticeType::Velocities>;
  std::uint32_t link = boundary.first_link;
  std::int32_t last = -1;
  for (std::uint32_t cut = boundary.cut; cut != 0; cut &= cut - 1, ++link) {
    const std::int32_t face = lattice.face_of(link);
    // Links across the same side share a face, and the faces of a node have consecutive numbers.
    if (face <= last) continue;
    last = face;
    const OpenFace<Real>& open = lattice.faces.data()[face];
    FaceMemory<Real>& memory = lattice.face_memory.data()[face];
    const Real rate = open.mean_rate;
    const int axis = axis_of(open.side);
    const Real newest = rate == Real(0) ? Real(1) : Real(0.5);
    memory.density_deviation += newest * (state.density_deviation - memory.density_deviation);
    for (int a = 0; a < 3; ++a) memory.velocity[a] = state.velocity[a];
    memory.mean_density_deviation +=
        rate * (state.density_deviation - memory.mean_density_deviation);
    memory.mean_normal_velocity +=
        rate * (Real(normal_of(open.side)) * state.velocity[axis] - memory.mean_normal_velocity);
    const bool has_velocity = open.kind == OpenKind::velocity;
    const Real rate_along = has_velocity || rate == Real(0) ? Real(1) : rate;
    for (int i = 0; i < 2; ++i) {
      const int a = axis_along(open.side, i);
      Real shear = 0;
      for (int q = 1; q < Velocities::populations; ++q) {
        const Real c = Real(Velocities::velocity(q, axis) * Velocities::velocity(q, a));
        shear += c * (has_velocity ? before[q] - after[q] : before[q] + after[q]);
      }
      if (!has_velocity) {
        shear -= Real(2) * (Real(1) + state.density_deviation) * state.velocity[axis] *
                 state.velocity[a];
      }
      memory.mean_along[i] += rate_along * (state.velocity[a] - memory.mean_along[i]);
      memory.mean_shear[i] += rate_along * (shear - memory.mean_shear[i]);
    }
  }
}

/// Replaces the outgoing populations of a special fluid node towards interpolated walls. Towards
/// a wall at distance d along the link it sends the one that will return from the wall,
///   [d (g*_p + g*_q) + (1 - d) g_p] / (1 + d),   p outgoing, q incoming, * after collision.
/// This single-node interpolation (Geier, Schoenherr, Pasquali, Krafczyk 2015) reads no neighbour
/// and so works with every streaming scheme. `before` and `g`: before and after the collision.
/// Beside walls with slip, half of what the collision adds to g_p less what it adds to g_q comes on
/// top of the square bracket (NOTES.md of lbm_d2q9).
template <class LatticeType, class Real>
KOKKOS_INLINE_FUNCTION void interpolate_at_walls(
    const LatticeType& lattice, const BoundaryNode& boundary,
    const Real (&before)[LatticeType::Velocities::populations],
    Real (&g)[LatticeType::Velocities::populations]) {
  using Velocities = FlowOf<typename LatticeType::Velocities>;
  Real collided[Velocities::populations];
  for (int q = 0; q < Velocities::populations; ++q) collided[q] = g[q];
  std::uint32_t link = boundary.first_link;
  for (int q = 0; q < Velocities::populations; ++q) {
    if (((boundary.cut >> q) & 1) == 0) continue;
    const Real distance = lattice.links.data()[link++].wall_distance;
    if (distance < Real(0)) continue;
    const int p = Velocities::opposite(q);
    g[p] = (distance * (collided[p] + collided[q]) + (Real(1) - distance) * before[p]) /
           (Real(1) + distance);
    if (boundary.kind == BoundaryKind::solid_slip) {
      g[p] += Real(0.5) * ((collided[p] - before[p]) - (collided[q] - before[q])) /
              (Real(1) + distance);
    }
  }
}

/// One step of a special node: load, collide, store.
template <class CollisionType, class LatticeType, class Stencil>
KOKKOS_INLINE_FUNCTION void step_special(const LatticeType& lattice, const Stencil& stencil,
                                         int parity, const BoundaryNode& boundary,
                                         const CollisionType& collision,
                                         const ParametersIn<LatticeType>& parameters) {
  using Velocities = typename LatticeType::Velocities;
  using Real = typename LatticeType::Real;
  using Storage = typename LatticeType::Storage;
  Real g[Velocities::populations];
  load_special(lattice, stencil, parity, boundary, g);
  if (boundary.kind == BoundaryKind::reversing) {
    for (int q = 1; q < Velocities::populations; ++q) {
      if (!is_first_of_pair<Velocities>(q)) continue;
      const Real kept = g[q];
      g[q] = g[q + 1];
      g[q + 1] = kept;
    }
  } else {
    const FlowState3D<Real> state = flow_state<FlowOf<Velocities>>(
        flow_populations<Velocities>(g), local_parameters<Velocities>(parameters, g).force);
    Real before[Velocities::populations];
    for (int q = 0; q < Velocities::populations; ++q) before[q] = g[q];
    lattice.collide(lattice.template eddy_time<CollisionType>(boundary.node), collision, parameters,
                    g);
    if constexpr (!is_host_backend<typename LatticeType::Execution>) {
      if (lattice.velocity_before != nullptr) lattice.keep_velocity(boundary.node, parameters, g);
    }
    remember_flow(lattice, boundary, state, before, g);
    interpolate_at_walls(lattice, boundary, before, g);
  }
  for (int q = 0; q < Velocities::populations; ++q) {
    if (scheme_of(lattice) == Propagation::two_array) {
      lattice.next.data()[lattice.slot(boundary.node, q)] = static_cast<Storage>(g[q]);
    } else {
      lattice.populations.data()[incoming_slot(lattice, stencil, parity, q, false)] =
          static_cast<Storage>(g[Velocities::opposite(q)]);
    }
  }
}

}  // namespace knudsen::lbm_d3q27
