#pragma once

// What happens to the populations of one node that is not plain, for every streaming scheme: they
// differ in slot_offset and slot_population alone. Loops are not unrolled here; speed matters in
// step_kernel.hpp.

#include "lattice/collide3d.hpp"
#include "methods/lbm_d3q27/lattice_state.hpp"

namespace knudsen::lbm_d3q27 {

/// Index of the slot where the node of the stencil finds its incoming population q, or of that
/// slot's twin.
template <class LatticeType, class Stencil>
KOKKOS_INLINE_FUNCTION std::size_t incoming_slot(const LatticeType& lattice, const Stencil& stencil,
                                                 int parity, int q, bool twin) {
  const Propagation propagation = lattice.propagation;
  const auto offset = [&](int axis) {
    return twin ? twin_offset(propagation, parity, q, axis)
                : slot_offset(propagation, parity, q, axis);
  };
  const int population =
      twin ? twin_population(propagation, parity, q) : slot_population(propagation, parity, q);
  return lattice.slot(stencil.node(offset(0), offset(1), offset(2)), population);
}

/// An incoming population that has crossed an open side, from the one that left there before. The
/// sides lie at half the link. Velocity: bounce-back from a wall with that velocity (Ladd 1994).
/// Pressure: anti-bounce-back (Ginzburg, Verhaeghe, d'Humieres 2008). Both let sound out: the
/// prescribed value is that of the mean flow, to which the departure of the flow from its mean is
/// added as for a wave that leaves (density and normal velocity are proportional in it).
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
  const Real weight = Velocities::template weight<Real>(q);
  if (has_velocity) {
    return sent + Real(6) * weight * (Real(1) + memory.density_deviation) * along;
  }
  const Real deviation =
      face.density_deviation -
      departs * (normal * memory.velocity[axis] - memory.mean_normal_velocity) / sound_speed;
  return Real(2) * weight *
             (deviation +
              (Real(1) + deviation) * (Real(4.5) * along * along - Real(1.5) * square)) -
         sent;
}

/// The populations that a special node takes in.
template <class LatticeType, class Stencil, class Real>
KOKKOS_INLINE_FUNCTION void load_special(const LatticeType& lattice, const Stencil& stencil,
                                         int parity,
                                         const BoundaryNode<typename LatticeType::Index>& boundary,
                                         Real (&g)[LatticeType::Velocities::populations]) {
  using Velocities = typename LatticeType::Velocities;
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
}

/// The populations that any fluid node takes in.
template <class LatticeType, class Stencil, class Real>
KOKKOS_INLINE_FUNCTION void load_node(const LatticeType& lattice, const Stencil& stencil,
                                      int parity, typename LatticeType::Index n,
                                      Real (&g)[LatticeType::Velocities::populations]) {
  if (!LatticeType::bit(lattice.plain, n)) {
    load_special(lattice, stencil, parity, lattice.special_node(n), g);
    return;
  }
  for (int q = 0; q < LatticeType::Velocities::populations; ++q) {
    g[q] = static_cast<Real>(
        lattice.populations.data()[incoming_slot(lattice, stencil, parity, q, false)]);
  }
}

/// Keeps what the open sides of a node will want to know of its flow.
template <class LatticeType, class Real>
KOKKOS_INLINE_FUNCTION void remember_flow(const LatticeType& lattice,
                                          const BoundaryNode<typename LatticeType::Index>& boundary,
                                          const FlowState3D<Real>& state) {
  std::uint32_t link = boundary.first_link;
  std::int32_t last = -1;
  for (std::uint32_t cut = boundary.cut; cut != 0; cut &= cut - 1, ++link) {
    const std::int32_t face = lattice.face_of(link);
    // Links over the same side share a face; faces of a node are numbered one after the other.
    if (face <= last) continue;
    last = face;
    const OpenFace<Real>& open = lattice.faces.data()[face];
    FaceMemory<Real>& memory = lattice.face_memory.data()[face];
    const Real rate = open.mean_rate;
    const int axis = axis_of(open.side);
    memory.density_deviation = state.density_deviation;
    for (int a = 0; a < 3; ++a) memory.velocity[a] = state.velocity[a];
    memory.mean_density_deviation +=
        rate * (state.density_deviation - memory.mean_density_deviation);
    memory.mean_normal_velocity +=
        rate * (Real(normal_of(open.side)) * state.velocity[axis] - memory.mean_normal_velocity);
  }
}

/// A collision operator as a type.
template <CollisionOperator OperatorValue, EddyViscosity EddyValue>
struct CollisionModel {
  static constexpr CollisionOperator collision = OperatorValue;
  static constexpr EddyViscosity eddy = EddyValue;
  template <class Velocities, class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void collide(Real (&g)[Velocities::populations],
                                                  const Relaxation3D<Real>& relaxation) {
    knudsen::collide<Velocities, OperatorValue, Forcing::guo, EddyValue>(g, relaxation);
  }
};

/// Collision of a special fluid node: `g` comes in as loaded and leaves as what is sent out.
/// Towards an interpolated wall at distance d along the link, the outgoing population is replaced
/// by what comes back from there,
///   [d (g*_p + g*_q) + (1 - d) g_p] / (1 + d),   p outgoing, q incoming, * after collision,
/// the single-node interpolation of Geier, Schoenherr, Pasquali, Krafczyk (2015), which reads no
/// neighbour and so suits every streaming scheme.
template <class Model, class LatticeType, class Real>
KOKKOS_INLINE_FUNCTION void update_special(
    const LatticeType& lattice, const BoundaryNode<typename LatticeType::Index>& boundary,
    const Relaxation3D<Real>& relaxation, Real (&g)[LatticeType::Velocities::populations]) {
  using Velocities = typename LatticeType::Velocities;
  Real before[Velocities::populations];
  for (int q = 0; q < Velocities::populations; ++q) before[q] = g[q];
  Model::template collide<Velocities>(g, relaxation);
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
  }
}

/// A whole step of a special node.
template <class Model, class LatticeType, class Stencil, class Real>
KOKKOS_INLINE_FUNCTION void step_special(const LatticeType& lattice, const Stencil& stencil,
                                         int parity,
                                         const BoundaryNode<typename LatticeType::Index>& boundary,
                                         const Relaxation3D<Real>& relaxation) {
  using Velocities = typename LatticeType::Velocities;
  using Storage = typename LatticeType::Storage;
  Real g[Velocities::populations];
  load_special(lattice, stencil, parity, boundary, g);
  if (boundary.kind == BoundaryKind::reversing) {
    for (int q = 1; q < Velocities::populations; q += 2) {
      const Real kept = g[q];
      g[q] = g[q + 1];
      g[q + 1] = kept;
    }
  } else {
    remember_flow(lattice, boundary, flow_state<Velocities>(g, relaxation.force));
    update_special<Model>(lattice, boundary, relaxation, g);
  }
  for (int q = 0; q < Velocities::populations; ++q) {
    if (lattice.propagation == Propagation::two_array) {
      lattice.next.data()[lattice.slot(boundary.node, q)] = static_cast<Storage>(g[q]);
    } else {
      lattice.populations.data()[incoming_slot(lattice, stencil, parity, q, false)] =
          static_cast<Storage>(g[Velocities::opposite(q)]);
    }
  }
}

}  // namespace knudsen::lbm_d3q27
