#include "collide_nodes.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "device/kokkos.hpp"
#include "lattice/collide3d.hpp"

namespace knudsen {
namespace {

template <class ExecutionSpace, class Lattice, CollisionOperator Operator, Forcing Force,
          EddyViscosity Eddy, class Real>
struct CollideNodes {
  using Policy = Kokkos::RangePolicy<ExecutionSpace>;
  View<Real**, ExecutionSpace> g;
  Relaxation3D<Real> relaxation;

  KOKKOS_FUNCTION void operator()(int node) const {
    Real own[Lattice::populations];
    for (int q = 0; q < Lattice::populations; ++q) own[q] = g(node, q);
    collide<Lattice, Operator, Force, Eddy>(own, relaxation);
    for (int q = 0; q < Lattice::populations; ++q) g(node, q) = own[q];
  }
};

template <class ExecutionSpace, class Lattice, CollisionOperator Operator, Forcing Force,
          EddyViscosity Eddy, class Real>
void launch(const Relaxation3D<Real>& relaxation, std::vector<Real>& values) {
  using Kernel = CollideNodes<ExecutionSpace, Lattice, Operator, Force, Eddy, Real>;
  const std::size_t nodes = values.size() / Lattice::populations;
  const Kernel kernel{View<Real**, ExecutionSpace>("populations", nodes, Lattice::populations),
                      relaxation};
  const auto host = Kokkos::create_mirror_view(kernel.g);
  std::copy(values.begin(), values.end(), host.data());
  Kokkos::deep_copy(kernel.g, host);
  Kokkos::parallel_for("knudsen/test/collide_nodes",
                       typename Kernel::Policy(0, static_cast<int>(nodes)), kernel);
  Kokkos::deep_copy(host, kernel.g);
  std::copy(host.data(), host.data() + values.size(), values.begin());
}

template <class ExecutionSpace, class Lattice, CollisionOperator Operator,
          EddyViscosity Eddy = EddyViscosity::none, class Real>
void with_force(const Collision3D& collision, const Relaxation3D<Real>& relaxation,
                std::vector<Real>& g) {
  if (collision.forcing == Forcing::none) {
    launch<ExecutionSpace, Lattice, Operator, Forcing::none, Eddy>(relaxation, g);
  } else {
    launch<ExecutionSpace, Lattice, Operator, Forcing::guo, Eddy>(relaxation, g);
  }
}

template <class ExecutionSpace, class Lattice, CollisionOperator Operator, class Real>
void with_pairs(const Collision3D& collision, const Relaxation3D<Real>& relaxation,
                std::vector<Real>& g) {
  if (collision.eddy_viscosity == EddyViscosity::none) {
    with_force<ExecutionSpace, Lattice, Operator>(collision, relaxation, g);
  } else {
    with_force<ExecutionSpace, Lattice, Operator, EddyViscosity::smagorinsky>(collision, relaxation,
                                                                              g);
  }
}

template <class ExecutionSpace, class Lattice, class Real>
void with_operator(const Collision3D& collision, const Relaxation3D<Real>& relaxation,
                   std::vector<Real>& g) {
  using enum CollisionOperator;
  switch (collision.collision_operator) {
    case bgk:
      return with_pairs<ExecutionSpace, Lattice, bgk>(collision, relaxation, g);
    case trt:
      return with_pairs<ExecutionSpace, Lattice, trt>(collision, relaxation, g);
    default:
      break;
  }
  if constexpr (Lattice::populations == 27) {
    switch (collision.collision_operator) {
      case central_moments:
        return with_force<ExecutionSpace, Lattice, central_moments>(collision, relaxation, g);
      case cumulant:
        return with_force<ExecutionSpace, Lattice, cumulant>(collision, relaxation, g);
      case cumulant_galilean:
        return with_force<ExecutionSpace, Lattice, cumulant_galilean>(collision, relaxation, g);
      case cumulant_parametrised:
        return with_force<ExecutionSpace, Lattice, cumulant_parametrised>(collision, relaxation, g);
      default:
        break;
    }
  }
  throw std::logic_error("no such collision on this lattice");
}

template <class ExecutionSpace, class Real>
void with_lattice(const Collision3D& collision, const Relaxation3D<Real>& relaxation,
                  std::vector<Real>& g) {
  if (collision.populations == 19) {
    with_operator<ExecutionSpace, D3Q19>(collision, relaxation, g);
  } else {
    with_operator<ExecutionSpace, D3Q27>(collision, relaxation, g);
  }
}

}  // namespace

template <class Real>
void collide_nodes(Backend backend, const Collision3D& collision, const Relaxation3D<Real>& fluid,
                   std::vector<Real>& g) {
  if (backend == Backend::host) {
    with_lattice<HostExecutionSpace>(collision, fluid, g);
  } else {
    with_lattice<DeviceExecutionSpace>(collision, fluid, g);
  }
}

template void collide_nodes(Backend, const Collision3D&, const Relaxation3D<float>&,
                            std::vector<float>&);
template void collide_nodes(Backend, const Collision3D&, const Relaxation3D<double>&,
                            std::vector<double>&);

}  // namespace knudsen
