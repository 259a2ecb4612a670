#include "collide_nodes.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "device/kokkos.hpp"
#include "lattice/d3q19.hpp"
#include "lattice/d3q27.hpp"

namespace knudsen {
namespace {

template <class ExecutionSpace, class Lattice, class CollisionType, class Real>
struct CollideNodes {
  using Policy = Kokkos::RangePolicy<ExecutionSpace>;
  View<Real**, ExecutionSpace> g;
  CollisionParameters<Real> parameters;

  KOKKOS_FUNCTION void operator()(int node) const {
    Real own[Lattice::populations];
    for (int q = 0; q < Lattice::populations; ++q) own[q] = g(node, q);
    CollisionType::template collide<Lattice>(own, parameters);
    for (int q = 0; q < Lattice::populations; ++q) g(node, q) = own[q];
  }
};

template <class ExecutionSpace, class Lattice, class CollisionType, class Real>
void launch(CollisionType /*collision*/, const CollisionParameters<Real>& parameters,
            std::vector<Real>& values) {
  using Kernel = CollideNodes<ExecutionSpace, Lattice, CollisionType, Real>;
  const std::size_t nodes = values.size() / Lattice::populations;
  const Kernel kernel{View<Real**, ExecutionSpace>("populations", nodes, Lattice::populations),
                      parameters};
  const auto host = Kokkos::create_mirror_view(kernel.g);
  std::copy(values.begin(), values.end(), host.data());
  Kokkos::deep_copy(kernel.g, host);
  Kokkos::parallel_for("knudsen/test/collide_nodes",
                       typename Kernel::Policy(0, static_cast<int>(nodes)), kernel);
  Kokkos::deep_copy(host, kernel.g);
  std::copy(host.data(), host.data() + values.size(), values.begin());
}

template <class ExecutionSpace, class Lattice, class Real>
void with_operator(const Collision3D& collision, const CollisionParameters<Real>& parameters,
                   std::vector<Real>& g) {
  const auto with_force = [&](auto collision_operator, auto forcing) {
    using Operator = decltype(collision_operator);
    constexpr Forcing force = decltype(forcing)::value;
    if constexpr (models_eddies<Operator>) {
      if (collision.eddy_viscosity == EddyViscosity::given) {
        return launch<ExecutionSpace, Lattice>(
            NodeCollision<Operator, force, EddyViscosity::given>{}, parameters, g);
      }
    }
    if constexpr (Operator::has_eddy_viscosity) {
      if (collision.eddy_viscosity == EddyViscosity::smagorinsky) {
        return launch<ExecutionSpace, Lattice>(
            NodeCollision<Operator, force, EddyViscosity::smagorinsky>{}, parameters, g);
      }
    }
    launch<ExecutionSpace, Lattice>(NodeCollision<Operator, force>{}, parameters, g);
  };
  dispatch_operator<Lattice>(
      TestedOperators{}, collision.collision_operator, [&](auto collision_operator) {
        if (collision.forcing == Forcing::none) {
          with_force(collision_operator, std::integral_constant<Forcing, Forcing::none>{});
        } else {
          with_force(collision_operator, std::integral_constant<Forcing, Forcing::guo>{});
        }
      });
}

template <class ExecutionSpace, class Real>
void with_lattice(const Collision3D& collision, const CollisionParameters<Real>& parameters,
                  std::vector<Real>& g) {
  if (collision.populations == 19) {
    with_operator<ExecutionSpace, D3Q19>(collision, parameters, g);
  } else {
    with_operator<ExecutionSpace, D3Q27>(collision, parameters, g);
  }
}

}  // namespace

template <class Real>
void collide_nodes(Backend backend, const Collision3D& collision,
                   const CollisionParameters<Real>& fluid, std::vector<Real>& g) {
  if (backend == Backend::host) {
    with_lattice<HostExecutionSpace>(collision, fluid, g);
  } else {
    with_lattice<DeviceExecutionSpace>(collision, fluid, g);
  }
}

template void collide_nodes(Backend, const Collision3D&, const CollisionParameters<float>&,
                            std::vector<float>&);
template void collide_nodes(Backend, const Collision3D&, const CollisionParameters<double>&,
                            std::vector<double>&);

}  // namespace knudsen
