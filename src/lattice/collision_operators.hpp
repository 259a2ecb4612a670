#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lattice/operators/bgk.hpp"
#include "lattice/operators/cascaded.hpp"
#include "lattice/operators/cumulant.hpp"
#include "lattice/operators/cumulant_parametrised.hpp"
#include "lattice/operators/recursive_regularised.hpp"
#include "lattice/operators/trt.hpp"

namespace knudsen {

template <class... Operators>
struct OperatorList {};

/// All collision operators that a case can name, in the order of `knudsen list`. Readers, kernels,
/// schema and flop counts follow from this list.
using CollisionOperators =
    OperatorList<Bgk, Trt, Cascaded, Cumulant, CumulantParametrised, RecursiveRegularised>;

/// The traits of an operator at run time (see OperatorDefaults).
struct OperatorTraits {
  std::string name, text;
  bool (*suits)(int populations);
  double (*flops)(int populations);
  bool has_magic;
  bool has_eddy_viscosity;  ///< Smagorinsky's
  bool models_eddies;       ///< that of neighbours
  double min_relaxation_rate;
  double max_grid_reynolds;
  void (*set_rates)(CollisionParameters<double>& parameters);
};

template <class Operator>
OperatorTraits traits_of() {
  return {Operator::name,
          Operator::text,
          [](int populations) { return Operator::suits(populations); },
          [](int populations) { return Operator::flops(populations); },
          Operator::has_magic,
          Operator::has_eddy_viscosity,
          models_eddies<Operator>,
          Operator::min_relaxation_rate,
          Operator::max_grid_reynolds,
          [](CollisionParameters<double>& parameters) { Operator::set_rates(parameters); }};
}

namespace collision_operators_detail {

template <class... Operators>
std::vector<OperatorTraits> all_traits(OperatorList<Operators...> /*list*/) {
  return {traits_of<Operators>()...};
}

template <class Operator, class Velocities, class Body>
bool call_if_named(std::string_view name, const Body& body) {
  if constexpr (Operator::suits(Velocities::populations)) {
    if (name != Operator::name) return false;
    body(Operator{});
    return true;
  } else {
    return false;
  }
}

}  // namespace collision_operators_detail

/// Traits of all operators of CollisionOperators.
inline const std::vector<OperatorTraits>& all_operator_traits() {
  static const auto all = collision_operators_detail::all_traits(CollisionOperators{});
  return all;
}

/// Traits of the operator of this name. Throws logic_error if there is none.
inline const OperatorTraits& operator_traits(std::string_view name) {
  for (const OperatorTraits& traits : all_operator_traits()) {
    if (traits.name == name) return traits;
  }
  throw std::logic_error("no collision operator " + std::string(name));
}

/// Calls body(Operator{}) for the operator of this name. Throws logic_error if the list has none
/// that suits the lattice.
template <class Velocities, class Body, class... Operators>
void dispatch_operator(OperatorList<Operators...> /*list*/, std::string_view name,
                       const Body& body) {
  using collision_operators_detail::call_if_named;
  if (!(call_if_named<Operators, Velocities>(name, body) || ...)) {
    throw std::logic_error("no collision operator " + std::string(name) + " on this lattice");
  }
}
template <class Velocities, class Body>
void dispatch_operator(std::string_view name, const Body& body) {
  dispatch_operator<Velocities>(CollisionOperators{}, name, body);
}

/// Calls body(NodeCollision{}) for an operator and its options. D2Q9 has all forcings and no eddy
/// viscosity, the lattices in three dimensions have the forcing of Guo et al. and eddy viscosities.
/// Throws logic_error if the lattice has no such operator.
template <class Velocities, class Body>
void dispatch_collision(std::string_view name, Forcing forcing, EddyViscosity eddy_viscosity,
                        const Body& body) {
  dispatch_operator<Velocities>(name, [&](auto collision_operator) {
    using Operator = decltype(collision_operator);
    if constexpr (Velocities::populations == 9) {
      switch (forcing) {
        case Forcing::none:
          return body(NodeCollision<Operator, Forcing::none>{});
        case Forcing::guo:
          return body(NodeCollision<Operator, Forcing::guo>{});
        case Forcing::velocity_shift:
          return body(NodeCollision<Operator, Forcing::velocity_shift>{});
      }
    } else {
      if constexpr (models_eddies<Operator>) {
        if (eddy_viscosity == EddyViscosity::given) {
          return body(NodeCollision<Operator, Forcing::guo, EddyViscosity::given>{});
        }
      }
      if constexpr (Operator::has_eddy_viscosity) {
        if (eddy_viscosity == EddyViscosity::smagorinsky) {
          return body(NodeCollision<Operator, Forcing::guo, EddyViscosity::smagorinsky>{});
        }
      }
      body(NodeCollision<Operator, Forcing::guo>{});
    }
  });
}

}  // namespace knudsen
