#pragma once

#include "device/kokkos.hpp"
#include "lattice/collision_operators.hpp"
#include "lattice/row_collision.hpp"

namespace knudsen {

/// Calls body(collision) with what a kernel of the backend collides nodes by: on a GPU with a
/// NodeCollision, for which the kernel is compiled; on the host with the RowCollision.
template <class ExecutionSpace, class Velocities, class Real, class Body>
void with_collision(std::string_view collision_operator, Forcing forcing,
                    EddyViscosity eddy_viscosity, const Body& body) {
  if constexpr (is_host_backend<ExecutionSpace>) {
    body(row_collision<Velocities, Real>(collision_operator, forcing, eddy_viscosity));
  } else {
    dispatch_node_collision<Velocities>(collision_operator, forcing, eddy_viscosity, body);
  }
}

}  // namespace knudsen
