#include "methods/lattice/varying_sides.hpp"

#include <utility>

#include "device/instantiate.hpp"
#include "parallel/together.hpp"

namespace knudsen::lbm {
namespace {

/// Sets what one side prescribes at one node.
template <class ExecutionSpace, class Real>
struct SetNode {
  PrescribedPlaces<Real> target;
  View<const std::uint32_t*, ExecutionSpace> places;
  View<const double* [4], ExecutionSpace> values;
  double factor;

  KOKKOS_INLINE_FUNCTION void operator()(std::int32_t i) const {
    Real* const node = target.first + places(i) * target.stride;
    for (int c = 0; c < 4; ++c) {
      const std::ptrdiff_t offset = target.offsets[c];
      if (offset >= 0) node[offset] = static_cast<Real>(factor * values(i, c));
    }
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void VaryingSides<ExecutionSpace, Real>::add(const std::shared_ptr<const OpenProfile>& profile,
                                             std::vector<Node> nodes) {
  if (!profile || !profile->varies()) return;
  Part part{profile, std::move(nodes), {}, {}};
  part.places = View<std::uint32_t*, ExecutionSpace>("places of a side", part.nodes.size());
  part.values = View<double* [4], ExecutionSpace>("values of a side", part.nodes.size());
  const auto places = Kokkos::create_mirror_view(part.places);
  for (std::size_t i = 0; i < part.nodes.size(); ++i) places(i) = part.nodes[i].place;
  Kokkos::deep_copy(part.places, places);
  upload(part, profile->at_start());
  parts_.push_back(std::move(part));
}

template <class ExecutionSpace, class Real>
void VaryingSides<ExecutionSpace, Real>::declare(KernelTimers& timers) {
  if (parts_.empty()) return;
  double bytes = 0;
  for (const Part& part : parts_) {
    bytes += static_cast<double>(part.nodes.size()) *
             (sizeof(std::uint32_t) + 4 * (sizeof(double) + sizeof(Real)));
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
      using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int32_t>>;
      Kokkos::parallel_for("knudsen/lattice/open_sides",
                           Policy(execution, 0, static_cast<std::int32_t>(part.nodes.size())),
                           SetNode<ExecutionSpace, Real>{target, part.places, part.values, factor});
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
