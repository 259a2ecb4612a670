#pragma once

#include <optional>
#include <string>

#include "methods/lattice/with_collision.hpp"
#include "methods/lbm_d2q9/lattice_state.hpp"

namespace knudsen::lbm_d2q9 {

/// Sizes that change the speed but not the result; defaults in default_tuning().
struct Tuning {
  int segment = 0;           ///< nodes of a row per team; on a GPU at most team_size *
                             ///< nodes_per_thread
  int team_size = 0;         ///< threads per team; 1 on the host
  int nodes_per_thread = 0;  ///< 1, 2 or 4; 1 on the host
};

/// Everything that a step needs besides the lattice.
template <class ExecutionSpace, class Real>
struct StepContext {
  ExecutionSpace execution;
  CollisionParameters<Real> parameters;
  std::optional<HeatedParameters<Real>> heated{};  ///< of a flow with a scalar
  std::string collision_operator = Bgk::name;
  Forcing forcing = Forcing::none;
  Tuning tuning;

  template <class Velocities>
  const ParametersOf<Velocities, Real>& parameters_of() const {
    if constexpr (has_scalar<Velocities>) {
      return *heated;
    } else {
      return parameters;
    }
  }
};

/// One step: collision and propagation. `parity` is the step number modulo 2. The two-array and the
/// shared-memory scheme swap `lattice.populations` and `lattice.next`.
template <class ExecutionSpace, class Real>
void step_two_array(const StepContext<ExecutionSpace, Real>& context,
                    Lattice<ExecutionSpace, Real>& lattice, int parity);
template <class ExecutionSpace, class Real>
void step_in_place(const StepContext<ExecutionSpace, Real>& context,
                   Lattice<ExecutionSpace, Real>& lattice, int parity);
/// The two kernels of a step of Toelke's shared-memory scheme, to be called in this order.
template <class ExecutionSpace, class Real>
void collide_propagate(const StepContext<ExecutionSpace, Real>& context,
                       Lattice<ExecutionSpace, Real>& lattice, int parity);
template <class ExecutionSpace, class Real>
void exchange(const StepContext<ExecutionSpace, Real>& context,
              Lattice<ExecutionSpace, Real>& lattice);

/// The part of a step that is in solids that conduct, to be called before the others. `in_place`
/// says whether the step is one of step_in_place.
template <class ExecutionSpace, class Real>
void conduct(const StepContext<ExecutionSpace, Real>& context,
             const Lattice<ExecutionSpace, Real>& lattice, int parity, bool in_place);

/// Calls body(collision) for the operator and the forcing of the context, see with_collision.hpp.
template <class Velocities, class ExecutionSpace, class Real, class Body>
void with_collision_on(const StepContext<ExecutionSpace, Real>& context, const Body& body) {
  knudsen::with_collision<ExecutionSpace, Velocities, Real>(
      context.collision_operator, context.forcing, EddyViscosity::none, body);
}
/// Calls body(velocities, collision): with D2Q9{}, or with HeatedD2Q9{} for a flow with a scalar.
template <class ExecutionSpace, class Real, class Body>
void with_collision(const StepContext<ExecutionSpace, Real>& context, const Body& body) {
  const auto call = [&](auto velocities) {
    with_collision_on<decltype(velocities)>(context,
                                            [&](auto collision) { body(velocities, collision); });
  };
  if (context.heated) return call(HeatedD2Q9{});
  call(D2Q9{});
}

/// Calls body with the compile-time number of adjacent nodes per thread: 1 on the host; 1, 2 or 4
/// on a GPU.
template <class ExecutionSpace, class Body>
void dispatch_width(const Tuning& tuning, const Body& body) {
  if constexpr (is_host_backend<ExecutionSpace>) {
    body(std::integral_constant<int, 1>{});
  } else {
    switch (tuning.nodes_per_thread) {
      case 4:
        return body(std::integral_constant<int, 4>{});
      case 2:
        return body(std::integral_constant<int, 2>{});
      default:
        return body(std::integral_constant<int, 1>{});
    }
  }
}

template <class ExecutionSpace, class Real>
TeamPolicy<ExecutionSpace> segment_policy(const StepContext<ExecutionSpace, Real>& context,
                                          const Lattice<ExecutionSpace, Real>& lattice) {
  return TeamPolicy<ExecutionSpace>(context.execution,
                                    lattice.extents.ny * lattice.segments_per_row,
                                    context.tuning.team_size, 1);
}

/// Values of `Width` adjacent nodes, for a single vector load or store at an aligned address.
template <int Width, class Real>
struct alignas(Width * sizeof(Real)) Pack {
  Real value[Width];
};
template <bool Aligned, int Width, class Real>
KOKKOS_FORCEINLINE_FUNCTION void load_nodes(const Real* address, Real (&values)[Width]) {
  if constexpr (Aligned && Width > 1) {
    const auto pack = *reinterpret_cast<const Pack<Width, Real>*>(address);
    for (int i = 0; i < Width; ++i) values[i] = pack.value[i];
  } else {
    for (int i = 0; i < Width; ++i) values[i] = address[i];
  }
}
/// Stores the values whose bit is set; with `Whole`, all of them.
template <bool Aligned, bool Whole, int Width, class Real>
KOKKOS_FORCEINLINE_FUNCTION void store_nodes(Real* address, const Real (&values)[Width],
                                             std::uint32_t bits) {
  if constexpr (Aligned && Whole && Width > 1) {
    Pack<Width, Real> pack;
    for (int i = 0; i < Width; ++i) pack.value[i] = values[i];
    *reinterpret_cast<Pack<Width, Real>*>(address) = pack;
  } else {
    for (int i = 0; i < Width; ++i) {
      if (Whole || ((bits >> i) & 1) != 0) address[i] = values[i];
    }
  }
}
/// Calls store(std::true_type) if all bits are set, else store(std::false_type). One branch around
/// all stores of a chunk saves a quarter of a kernel's registers.
template <int Width, class Store>
KOKKOS_FORCEINLINE_FUNCTION void whole_or_masked(std::uint32_t bits, const Store& store) {
  if (bits == all_bits<Width>) {
    store(std::true_type{});
  } else {
    store(std::false_type{});
  }
}

}  // namespace knudsen::lbm_d2q9
