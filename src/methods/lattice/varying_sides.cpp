#include "methods/lattice/varying_sides.hpp"

#include <utility>

#include "device/instantiate.hpp"
#include "parallel/together.hpp"

namespace knudsen::lbm {
namespace {

/// Evaluates the fluctuations at one node of a side.
template <class ExecutionSpace>
struct Fluctuate {
  Fluctuations fluctuations;
  std::int64_t step;
  View<const EddyNode*, ExecutionSpace> nodes;
  View<double* [3], ExecutionSpace> values;

  KOKKOS_INLINE_FUNCTION void operator()(std::int32_t n) const {
    double found[3];
    fluctuations.at(n, nodes.data()[n], step, found);
    for (int c = 0; c < 3; ++c) values(n, c) = found[c];
  }
};

/// Sums the fluctuations normal to a side by one team, in an order that depends on its size alone.
template <class ExecutionSpace>
struct SumFlow {
  int normal;
  View<const double* [3], ExecutionSpace> values;
  View<double*, ExecutionSpace> net_flow;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    double total = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, static_cast<int>(values.extent(0))),
        [&](int n, double& sum) { sum += values(n, normal); }, total);
    if (team.team_rank() == 0) net_flow(0) = total;
  }
};

/// Sets what one side prescribes at one node.
template <class ExecutionSpace, class Real>
struct SetNode {
  PrescribedPlaces<Real> target;
  View<const std::uint32_t*, ExecutionSpace> places;
  View<const double* [4], ExecutionSpace> values;
  double factor;
  // With turbulence.
  int normal;
  View<const std::uint32_t*, ExecutionSpace> of_side;
  View<const EddyNode*, ExecutionSpace> eddy_nodes;
  View<const double* [3], ExecutionSpace> fluctuations;
  View<const double*, ExecutionSpace> net_flow;

  KOKKOS_INLINE_FUNCTION double value(std::int32_t i, int c) const {
    if (c == 3 || fluctuations.extent(0) == 0) return values(i, c);
    const std::uint32_t n = of_side(i);
    const double net = c == normal ? eddy_nodes(n).share * net_flow(0) : 0;
    return values(i, c) + (fluctuations(n, c) - net);
  }
  KOKKOS_INLINE_FUNCTION void operator()(std::int32_t i) const {
    Real* const node = target.first + places(i) * target.stride;
    for (int c = 0; c < 4; ++c) {
      const std::ptrdiff_t offset = target.offsets[c];
      if (offset >= 0) node[offset] = static_cast<Real>(factor * value(i, c));
    }
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void VaryingSides<ExecutionSpace, Real>::add(const std::shared_ptr<const OpenProfile>& profile,
                                             std::vector<Node> nodes) {
  if (!profile || !profile->varies()) return;
  Part part;
  part.profile = profile;
  part.nodes = std::move(nodes);
  part.places = View<std::uint32_t*, ExecutionSpace>("places of a side", part.nodes.size());
  part.values = View<double* [4], ExecutionSpace>("values of a side", part.nodes.size());
  const auto places = Kokkos::create_mirror_view(part.places);
  for (std::size_t i = 0; i < part.nodes.size(); ++i) places(i) = part.nodes[i].place;
  Kokkos::deep_copy(part.places, places);
  upload(part, profile->at_start());
  if (profile->turbulence() != nullptr) add_turbulence(part);
  parts_.push_back(std::move(part));
}

template <class ExecutionSpace, class Real>
void VaryingSides<ExecutionSpace, Real>::declare(KernelTimers& timers) {
  if (parts_.empty()) return;
  double bytes = 0;
  for (const Part& part : parts_) {
    bytes += static_cast<double>(part.nodes.size()) *
             (sizeof(std::uint32_t) + 4 * (sizeof(double) + sizeof(Real)));
    bytes += static_cast<double>(part.eddy_nodes.extent(0)) *
             (sizeof(EddyNode) + std::size_t{9} * sizeof(double));
  }
  kernel_ = timers.declare("open_sides", bytes, 0);
}

template <class ExecutionSpace, class Real>
void VaryingSides<ExecutionSpace, Real>::set(const ExecutionSpace& execution, KernelTimers& timers,
                                             std::int64_t step,
                                             const PrescribedPlaces<Real>& target) const {
  if (parts_.empty()) return;
  timers.call(kernel_, [&] {
    for (const Part& part : parts_) {
      const double factor = update(part, step);
      const InletTurbulence* turbulence = part.profile->turbulence();
      if (turbulence != nullptr) fluctuate(execution, part, step);
      using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int32_t>>;
      Kokkos::parallel_for("knudsen/lattice/open_sides",
                           Policy(execution, 0, static_cast<std::int32_t>(part.nodes.size())),
                           SetNode<ExecutionSpace, Real>{
                               target, part.places, part.values, factor,
                               turbulence != nullptr ? turbulence->fluctuations.normal : 0,
                               part.of_side, part.eddy_nodes, part.fluctuations, part.net_flow});
    }
  });
}

template <class ExecutionSpace, class Real>
void VaryingSides<ExecutionSpace, Real>::upload(const Part& part,
                                                const OpenProfile::Values& values) {
  const auto host = Kokkos::create_mirror_view(part.values);
  for (std::size_t i = 0; i < part.nodes.size(); ++i) {
    const Prescribed& from = values.at_nodes[part.nodes[i].of_side];
    for (std::size_t c = 0; c < 4; ++c) host(i, c) = from[c];
  }
  Kokkos::deep_copy(part.values, host);
}

template <class ExecutionSpace, class Real>
void VaryingSides<ExecutionSpace, Real>::add_turbulence(Part& part) {
  const std::vector<EddyNode>& nodes = part.profile->turbulence()->nodes;
  part.of_side = View<std::uint32_t*, ExecutionSpace>("nodes of a side", part.nodes.size());
  const auto of_side = Kokkos::create_mirror_view(part.of_side);
  for (std::size_t i = 0; i < part.nodes.size(); ++i) of_side(i) = part.nodes[i].of_side;
  Kokkos::deep_copy(part.of_side, of_side);
  part.eddy_nodes = View<EddyNode*, ExecutionSpace>("turbulence of a side", nodes.size());
  Kokkos::deep_copy(part.eddy_nodes, HostView<const EddyNode*>(nodes.data(), nodes.size()));
  part.fluctuations = View<double* [3], ExecutionSpace>("fluctuations of a side", nodes.size());
  part.net_flow = View<double*, ExecutionSpace>("net flow of fluctuations", 1);
}

template <class ExecutionSpace, class Real>
void VaryingSides<ExecutionSpace, Real>::fluctuate(const ExecutionSpace& execution,
                                                   const Part& part, std::int64_t step) {
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int32_t>>;
  const Fluctuations& fluctuations = part.profile->turbulence()->fluctuations;
  Kokkos::parallel_for(
      "knudsen/lattice/fluctuations",
      Policy(execution, 0, static_cast<std::int32_t>(part.eddy_nodes.extent(0))),
      Fluctuate<ExecutionSpace>{fluctuations, step, part.eddy_nodes, part.fluctuations});
  constexpr int team_size = is_host_backend<ExecutionSpace> ? 1 : 256;
  Kokkos::parallel_for(
      "knudsen/lattice/net_flow", TeamPolicy<ExecutionSpace>(execution, 1, team_size, 1),
      SumFlow<ExecutionSpace>{fluctuations.normal, part.fluctuations, part.net_flow});
}

/// The factor of a side at a step. Brings the values of its profile up to date.
template <class ExecutionSpace, class Real>
double VaryingSides<ExecutionSpace, Real>::update(const Part& part, std::int64_t step) {
  double factor = 0;
  // Every rank evaluates the whole side, so that all fail in the same way.
  try {
    if (part.profile->profile_varies()) {
      const OpenProfile::Values values = part.profile->profile(step);
      factor = part.profile->factor(step, values);
      upload(part, values);
    } else {
      factor = part.profile->factor(step, part.profile->at_start());
    }
  } catch (const InputError& error) {
    together([&] { throw InputError(error.what()); });
  }
  return factor;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real) template class VaryingSides<ExecutionSpace, Real>;
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm
