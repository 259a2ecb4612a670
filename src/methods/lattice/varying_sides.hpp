#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/kernel_timers.hpp"
#include "device/kokkos.hpp"
#include "methods/lattice/open_profile.hpp"

namespace knudsen::lbm {

/// Where a lattice keeps what its open sides prescribe.
template <class Real>
struct PrescribedPlaces {
  Real* first = nullptr;   ///< on the backend
  std::size_t stride = 0;  ///< of nodes, in values
  /// Of velocity along x, y and z and density deviation, in values; none: -1.
  std::ptrdiff_t offsets[4] = {-1, -1, -1, -1};
};

/// The open sides of a lattice whose values depend on time. What depends on time by a factor alone
/// stays on the backend, where turbulence is evaluated as well; other profiles are evaluated on the
/// host for each step.
template <class ExecutionSpace, class Real>
class VaryingSides {
 public:
  /// A node of this rank's part of the lattice.
  struct Node {
    std::uint32_t place;    ///< among PrescribedPlaces
    std::uint32_t of_side;  ///< in the order of the profile
  };

  /// Adds a side if its profile varies. All ranks add all sides, also those of which they have no
  /// nodes.
  void add(const std::shared_ptr<const OpenProfile>& profile, std::vector<Node> nodes);
  /// Declares the kernel, if there is one.
  void declare(KernelTimers& timers);
  /// Collective: sets the values of a step. Throws InputError, on all ranks, for values that the
  /// lattice does not allow.
  void set(const ExecutionSpace& execution, KernelTimers& timers, std::int64_t step,
           const PrescribedPlaces<Real>& target) const;

 private:
  struct Part {
    std::shared_ptr<const OpenProfile> profile;
    std::vector<Node> nodes;
    View<std::uint32_t*, ExecutionSpace> places;
    View<double* [4], ExecutionSpace> values;  ///< of the profile
    // With turbulence, of all nodes of the side, so that every rank knows the net flow.
    View<std::uint32_t*, ExecutionSpace> of_side;  ///< place of each node of this rank
    View<EddyNode*, ExecutionSpace> eddy_nodes;
    View<double* [3], ExecutionSpace> fluctuations;
    View<double*, ExecutionSpace> net_flow;  ///< one value
  };

  static void upload(const Part& part, const OpenProfile::Values& values);
  static void add_turbulence(Part& part);
  static void fluctuate(const ExecutionSpace& execution, const Part& part, std::int64_t step);
  static double update(const Part& part, std::int64_t step);

  std::vector<Part> parts_;
  std::size_t kernel_ = 0;
};

}  // namespace knudsen::lbm
