#pragma once

// Boundary conditions of a single node: walls, open sides, solids. The streaming schemes share
// these functions and differ only in the slots of the populations.

#include "lattice/passive_scalar.hpp"
#include "methods/lbm_d2q9/lattice_state.hpp"

namespace knudsen::lbm_d2q9 {

/// By how much the density at a pressure side falls for an inward momentum that grows by one in a
/// step. A wave in the momentum across the side that alternates in sign from node to node and from
/// step to step decays in no collision, and a side that holds the density alone reflects it: the
/// flow would keep it there. This rule takes it out. It takes energy out of sound of every
/// frequency, and changes no steady flow.
inline constexpr double pressure_damping = 0.1;

/// Sets the three unknown populations at an open side whose inward normal is population `Normal`
/// (1 to 4). Zou and He (1997), eq. 19 - 23 of Gomes 2016 rotated to the side: the non-equilibrium
/// part normal to the side bounces back. For shifted populations; the body force contributes half a
/// step of momentum. `prescribed`: velocity and density deviation; `published`: what an outflow
/// side copies, or the inward momentum of the last step at a pressure side.
template <int Normal, class Real>
KOKKOS_INLINE_FUNCTION void complete_side(Real (&g)[9], OpenKind kind, const Real* prescribed,
                                          const Real* published,
                                          const CollisionParameters<Real>& parameters) {
  constexpr int left = Normal % 4 + 1;
  constexpr int right = D2Q9::opposite(left);
  constexpr int normal_left = 4 + Normal;
  constexpr int normal_right = Normal == 1 ? 8 : 3 + Normal;
  if (kind == OpenKind::outflow) {
    g[Normal] = published[0];
    g[normal_left] = published[1];
    g[normal_right] = published[2];
    return;
  }
  constexpr Real third = Real(1) / Real(3);
  const Real force_normal =
      D2Q9::cx(Normal) * parameters.force[0] + D2Q9::cy(Normal) * parameters.force[1];
  const Real force_left =
      D2Q9::cx(left) * parameters.force[0] + D2Q9::cy(left) * parameters.force[1];
  // Sum of the known populations: density deviation less the inward momentum.
  const Real known = g[0] + g[left] + g[right] +
                     Real(2) * (g[D2Q9::opposite(Normal)] + g[D2Q9::opposite(normal_left)] +
                                g[D2Q9::opposite(normal_right)]);
  Real momentum_normal = 0;
  Real momentum_left = Real(-0.5) * force_left;
  if (kind == OpenKind::velocity) {
    const Real u_normal = D2Q9::cx(Normal) * prescribed[0] + D2Q9::cy(Normal) * prescribed[1];
    const Real u_left = D2Q9::cx(left) * prescribed[0] + D2Q9::cy(left) * prescribed[1];
    const Real density = (Real(1) + known - Real(0.5) * force_normal) / (Real(1) - u_normal);
    momentum_normal = density * u_normal - Real(0.5) * force_normal;
    momentum_left += density * u_left;
  } else {
    constexpr Real damping = Real(pressure_damping);
    momentum_normal = (prescribed[2] - known + damping * published[0]) / (Real(1) + damping);
  }
  const Real tilt = Real(0.5) * (g[left] - g[right]);
  g[Normal] = g[D2Q9::opposite(Normal)] + Real(2) * third * momentum_normal;
  g[normal_left] = g[D2Q9::opposite(normal_left)] - tilt + Real(0.5) * third * momentum_normal +
                   Real(0.5) * momentum_left;
  g[normal_right] = g[D2Q9::opposite(normal_right)] + tilt + Real(0.5) * third * momentum_normal -
                    Real(0.5) * momentum_left;
}

/// The population with velocity (x, y).
KOKKOS_INLINE_FUNCTION constexpr int population_of(int x, int y) {
  for (int q = 0; q < 9; ++q) {
    if (D2Q9::cx(q) == x && D2Q9::cy(q) == y) return q;
  }
  return 0;
}

/// Sets the five unknown populations in the corner between two open sides with inward normals (X,
/// 0) and (0, Y), from the given density deviation and velocity (Zou and He 1997, corner nodes).
template <int X, int Y, class Real>
KOKKOS_INLINE_FUNCTION void complete_corner(Real (&g)[9], Real density_deviation, Real ux, Real uy,
                                            const CollisionParameters<Real>& parameters) {
  constexpr int along_x = population_of(X, 0);
  constexpr int along_y = population_of(0, Y);
  constexpr int inward = population_of(X, Y);
  constexpr int buried_x = population_of(X, -Y);
  constexpr int buried_y = population_of(-X, Y);
  constexpr Real sixth = Real(1) / Real(6);
  const Real density = Real(1) + density_deviation;
  const Real momentum_x = X * (density * ux - Real(0.5) * parameters.force[0]);
  const Real momentum_y = Y * (density * uy - Real(0.5) * parameters.force[1]);
  g[along_x] = g[D2Q9::opposite(along_x)] + Real(4) * sixth * momentum_x;
  g[along_y] = g[D2Q9::opposite(along_y)] + Real(4) * sixth * momentum_y;
  g[inward] = g[D2Q9::opposite(inward)] + sixth * (momentum_x + momentum_y);
  const Real rest =
      density_deviation - (g[0] + g[along_x] + g[D2Q9::opposite(along_x)] + g[along_y] +
                           g[D2Q9::opposite(along_y)] + g[inward] + g[D2Q9::opposite(inward)]);
  const Real difference = sixth * (momentum_x - momentum_y);
  g[buried_x] = Real(0.5) * (rest + difference);
  g[buried_y] = Real(0.5) * (rest - difference);
}

/// Mirrors the share of walls with slip. `g` has what bounced back: the two populations that go
/// aslant into the fluid from a straight wall. A mirror would exchange them, so a share of their
/// difference moves from one to the other, and the mass stays.
template <class Real>
KOKKOS_INLINE_FUNCTION void mirror_at_walls(const NodeClass<Real>& node, Real (&g)[9]) {
  const Real at_west = node.mirrored[west] * (g[8] - g[5]);
  const Real at_east = node.mirrored[east] * (g[7] - g[6]);
  const Real at_south = node.mirrored[south] * (g[6] - g[5]);
  const Real at_north = node.mirrored[north] * (g[7] - g[8]);
  g[5] += at_west + at_south;
  g[6] += at_east - at_south;
  g[7] -= at_east + at_north;
  g[8] += at_north - at_west;
}

/// Loads the populations that arrive at a node in the step of the given parity: from their slots,
/// with the conditions of walls and open sides applied.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void load_node(const Lattice<ExecutionSpace, Real>& lattice,
                                      Arrangement arrangement, const NodeClass<Real>& node, int x,
                                      int y, int parity,
                                      const CollisionParameters<Real>& parameters, Real (&g)[9]) {
  const Extents& extents = lattice.extents;
  const Real* populations = lattice.populations.data();
  for_populations([&](auto q) KNUDSEN_INLINE_LAMBDA {
    const bool cut = ((node.cut >> q) & 1) != 0;
    g[q] = populations[incoming_slot(arrangement, extents, q, x, y, cut)];
  });
  if (node.slips) mirror_at_walls(node, g);
  for_populations([&](auto q) { g[q] += node.correction[q]; });
  if (node.solid_slip != 0) {
    const FlowState<Real> state = flow_state(g, parameters);
    const Real velocity[2] = {state.velocity_x, state.velocity_y};
    lbm::add_slip<D2Q9>(lattice.slip_classes(node.solid_slip - 1),
                        Real(1) + state.density_deviation, velocity, g);
  }
  if (node.open_side == 0 && node.open_corner == 0) return;

  const OpenBoundaries<ExecutionSpace, Real>& open = lattice.open;
  if (node.open_corner != 0) {
    const int corner = node.open_corner - 1;
    const int side_x = corner == south_west || corner == north_west ? west : east;
    const int side_y = corner == south_west || corner == south_east ? south : north;
    Real density_deviation = open.corners(parity, corner, 0);
    Real ux = open.corners(parity, corner, 1);
    Real uy = open.corners(parity, corner, 2);
    // Prescribed values take precedence over those of the diagonal neighbour.
    for (const int side : {side_x, side_y}) {
      const int along = side == side_x ? y : x;
      const int entry = side * open.longest + along;
      if (open.kind[side] == OpenKind::pressure) density_deviation = open.values(entry, 2);
      if (open.kind[side] == OpenKind::velocity) {
        ux = open.values(entry, 0);
        uy = open.values(entry, 1);
      }
    }
    if (corner == south_west) complete_corner<1, 1>(g, density_deviation, ux, uy, parameters);
    if (corner == south_east) complete_corner<-1, 1>(g, density_deviation, ux, uy, parameters);
    if (corner == north_west) complete_corner<1, -1>(g, density_deviation, ux, uy, parameters);
    if (corner == north_east) complete_corner<-1, -1>(g, density_deviation, ux, uy, parameters);
    return;
  }
  const int side = node.open_side - 1;
  const int entry = side * open.longest + (is_across_x(side) ? y : x);
  const Real prescribed[3] = {open.values(entry, 0), open.values(entry, 1), open.values(entry, 2)};
  const Real published[3] = {open.published(parity, entry, 0), open.published(parity, entry, 1),
                             open.published(parity, entry, 2)};
  const OpenKind kind = open.kind[side];
  const auto complete = [&](auto normal) {
    complete_side<decltype(normal)::value>(g, kind, prescribed, published, parameters);
  };
  if (side == west) complete(PopulationIndex<inward_population(west)>{});
  if (side == south) complete(PopulationIndex<inward_population(south)>{});
  if (side == east) complete(PopulationIndex<inward_population(east)>{});
  if (side == north) complete(PopulationIndex<inward_population(north)>{});
}

/// Loads the populations of the scalar that arrive at a node in the step of the given parity, with
/// the conditions of walls and open sides applied.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void load_scalar(const Lattice<ExecutionSpace, Real>& lattice,
                                        Arrangement arrangement, std::uint16_t index, int x, int y,
                                        int parity, const CollisionParameters<Real>& parameters,
                                        Real (&h)[D2Q5::populations]) {
  const ScalarClass<Real>& scalar = lattice.scalar_classes(index);
  const Real* populations = lattice.populations.data();
  for_populations<D2Q5>([&](auto q) {
    const bool cut = ((scalar.cut >> q) & 1) != 0;
    h[q] = populations[incoming_slot<HeatedD2Q9>(arrangement, lattice.extents, 9 + q, x, y, cut)];
    if (cut) h[q] = scalar.factor[q] * h[q] + scalar.addition[q];
  });
  if (!scalar.shares) return;
  // The velocity of the flow is without the half step of the buoyancy.
  Real g[9];
  load_node(lattice, arrangement, lattice.classes(index), x, y, parity, parameters, g);
  const FlowState<Real> state = flow_state(g, parameters);
  Real share[D2Q5::populations];
  for_populations<D2Q5>([&](auto q) {
    const Real inward = Real(D2Q5::cx(q)) * state.velocity_x + Real(D2Q5::cy(q)) * state.velocity_y;
    share[q] = scalar.share[q].of_value + scalar.share[q].carried * inward;
  });
  add_shares<D2Q5>(share, h);
}

/// Stores what open sides and corners need of this node in the step of the given parity.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void publish(const Lattice<ExecutionSpace, Real>& lattice,
                                    const NodeClass<Real>& node, int x, int y, int parity,
                                    const CollisionParameters<Real>& parameters,
                                    const Real (&g)[9]) {
  const OpenBoundaries<ExecutionSpace, Real>& open = lattice.open;
  const auto leave = [&](int side, int along, Real normal, Real left, Real right, Real outward) {
    if (((node.publish_sides >> side) & 1) == 0) return;
    const int entry = side * open.longest + along;
    if (open.kind[side] == OpenKind::pressure) {
      open.published(parity, entry, 0) = normal + left + right - outward;
      return;
    }
    open.published(parity, entry, 0) = normal;
    open.published(parity, entry, 1) = left;
    open.published(parity, entry, 2) = right;
  };
  leave(west, y, g[1], g[5], g[8], g[3] + g[6] + g[7]);
  leave(south, x, g[2], g[6], g[5], g[4] + g[7] + g[8]);
  leave(east, y, g[3], g[7], g[6], g[1] + g[5] + g[8]);
  leave(north, x, g[4], g[8], g[7], g[2] + g[5] + g[6]);
  if (node.publish_corners == 0) return;
  const FlowState<Real> state = flow_state(g, parameters);
  for (int corner = 0; corner < 4; ++corner) {
    if (((node.publish_corners >> corner) & 1) == 0) continue;
    open.corners(parity, corner, 0) = state.density_deviation;
    open.corners(parity, corner, 1) = state.velocity_x;
    open.corners(parity, corner, 2) = state.velocity_y;
  }
}

/// Replaces the outgoing populations `g` of a node towards interpolated walls. Towards a wall at
/// distance d along the link it sends the one that will return from the wall,
///   [d (g*_p + g*_q) + (1 - d) g_p] / (1 + d),   p outgoing, q incoming, * after collision.
/// This single-node interpolation (Geier, Schoenherr, Pasquali, Krafczyk 2015) reads no neighbour
/// and so works with every streaming scheme. `before`: populations before the collision. Beside
/// walls with slip, half of what the collision adds to g_p less what it adds to g_q comes on top of
/// the square bracket (NOTES.md).
template <class Real, int Size>
KOKKOS_INLINE_FUNCTION void interpolate_at_walls(const NodeClass<Real>& node,
                                                 const Real (&before)[9], Real (&g)[Size]) {
  Real outgoing[9];
  for_populations([&](auto p) {
    constexpr int q = D2Q9::opposite(p);
    outgoing[p] = g[p];
    const Real distance = node.wall_distance[q];
    if (((node.cut >> q) & 1) != 0 && distance >= Real(0)) {
      outgoing[p] =
          (distance * (g[p] + g[q]) + (Real(1) - distance) * before[p]) / (Real(1) + distance);
      if (node.solid_slip != 0) {
        outgoing[p] += Real(0.5) * ((g[p] - before[p]) - (g[q] - before[q])) / (Real(1) + distance);
      }
    }
  });
  for_populations([&](auto q) { g[q] = outgoing[q]; });
}

/// Turns the incoming populations `g` of a fluid or reversing node into the outgoing ones, in
/// place.
template <class CollisionType, class Real>
KOKKOS_INLINE_FUNCTION void update_node(const CollisionType& collision, const NodeClass<Real>& node,
                                        const CollisionParameters<Real>& parameters, Real (&g)[9]) {
  if (node.kind == NodeKind::reversing) {
    for_populations([&](auto q) {
      if constexpr (q < D2Q9::opposite(q)) {
        const Real kept = g[q];
        g[q] = g[D2Q9::opposite(q)];
        g[D2Q9::opposite(q)] = kept;
      }
    });
    return;
  }
  if (!node.interpolated) {
    collision.template collide<D2Q9>(g, parameters);
    return;
  }
  Real before[9];
  for_populations([&](auto q) { before[q] = g[q]; });
  collision.template collide<D2Q9>(g, parameters);
  interpolate_at_walls(node, before, g);
}

/// Loads what arrives at a special node in the step of the given parity, and turns it into what
/// leaves, in place, with all that open sides need of the node. `node` is the class of this index.
template <class Velocities, class ExecutionSpace, class Real, class CollisionType>
KOKKOS_INLINE_FUNCTION void load_and_update(const Lattice<ExecutionSpace, Real>& lattice,
                                            const CollisionType& collision, Arrangement arrangement,
                                            const NodeClass<Real>& node, std::uint16_t index, int x,
                                            int y, int parity,
                                            const ParametersOf<Velocities, Real>& parameters,
                                            Real (&g)[Velocities::populations]) {
  if constexpr (has_scalar<Velocities>) {
    Real h[D2Q5::populations];
    load_scalar(lattice, arrangement, index, x, y, parity, parameters.flow, h);
    const CollisionParameters<Real> local = parameters.at(scalar_value<D2Q5>(h));
    Real f[9];
    load_node(lattice, arrangement, node, x, y, parity, local, f);
    publish(lattice, node, x, y, parity ^ 1, local, f);
    for_populations([&](auto q) { g[q] = f[q]; });
    for_populations<D2Q5>([&](auto q) { g[9 + q] = h[q]; });
    Real before[9];
    for_populations([&](auto q) { before[q] = g[q]; });
    collision.template collide<Velocities>(g, parameters);
    if (node.interpolated) interpolate_at_walls(node, before, g);
  } else {
    load_node(lattice, arrangement, node, x, y, parity, parameters, g);
    publish(lattice, node, x, y, parity ^ 1, parameters, g);
    update_node(collision, node, parameters, g);
  }
}

}  // namespace knudsen::lbm_d2q9
