#pragma once

// A lattice with its kernels on any backend, stepped beside the serial reference, and the scenarios
// that both are made of.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "lbm_d2q9/serial_reference.hpp"
#include "methods/lbm_d2q9/diagnostics.hpp"
#include "methods/lbm_d2q9/make_lattice.hpp"
#include "methods/lbm_d2q9/node_update.hpp"

namespace knudsen::lbm_d2q9 {

using Populations = textbook::Populations;

inline SideCondition wall(double u = 0, double v = 0) { return {SideKind::wall, {u, v}, false, 1}; }
inline SideCondition inlet(double u, double v, bool parabolic = false) {
  return {SideKind::velocity, {u, v}, parabolic, 1};
}
inline SideCondition pressure(double density) {
  return {SideKind::pressure, {0, 0}, false, density};
}
inline SideCondition outflow() { return {SideKind::outflow, {0, 0}, false, 1}; }

inline Scenario empty_domain(int nx, int ny) {
  Scenario scenario;
  scenario.nx = nx;
  scenario.ny = ny;
  scenario.body.assign(flat_index(nx, 0, ny), -1);
  scenario.body_velocities = {{0.02, -0.03}, {-0.01, 0.01}};
  scenario.fluid.omega = scenario.fluid.omega_minus = 1.3;
  return scenario;
}

/// Turns about one node in six, at least `margin` nodes away from the sides, into one of two
/// bodies.
inline void scatter_solids(Scenario& scenario, int margin = 0) {
  std::mt19937 generator(11);
  for (int y = margin; y < scenario.ny - margin; ++y) {
    for (int x = margin; x < scenario.nx - margin; ++x) {
      const unsigned draw = generator() % 12;
      if (draw < 2) {
        scenario.body[flat_index(scenario.nx, x, y)] = static_cast<std::int16_t>(draw);
      }
    }
  }
}

inline void push(Scenario& scenario, Forcing forcing) {
  scenario.fluid.forcing = forcing;
  scenario.fluid.force = {3e-3, -2e-3};
}

inline void use_trt(Scenario& scenario) {
  scenario.collision_operator = Trt::name;
  scenario.fluid.omega_minus = 0.9;
}

inline std::vector<Populations> random_state(const Scenario& scenario) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-0.1, 0.1);
  std::vector<Populations> state(scenario.body.size());
  for (Populations& f : state) {
    for (std::size_t q = 0; q < 9; ++q) f[q] = textbook::weight[q] * (1 + uniform(generator));
  }
  return state;
}

/// A backend and a precision to test.
template <class Space, class RealType>
struct Configuration {
  using ExecutionSpace = Space;
  using Real = RealType;
};

/// A lattice of a scenario on its backend and what is needed to step and read it.
template <class Configuration>
class SteppedLattice {
 public:
  using ExecutionSpace = typename Configuration::ExecutionSpace;
  using Real = typename Configuration::Real;

  SteppedLattice(const Scenario& scenario, Propagation propagation, int segment,
                 int nodes_per_thread = 1)
      : propagation_(propagation), map_(scenario.map()) {
    const textbook::Fluid& fluid = scenario.fluid;
    context.parameters = {
        static_cast<Real>(fluid.omega),
        static_cast<Real>(fluid.omega_minus),
        Real(0),
        Real(0),
        {static_cast<Real>(fluid.force[0]), static_cast<Real>(fluid.force[1]), Real(0)}};
    context.collision_operator = scenario.collision_operator;
    context.forcing = fluid.forcing;
    context.tuning = default_tuning<ExecutionSpace>(propagation, sizeof(Real));
    context.tuning.segment = segment;
    if (!is_host_backend<ExecutionSpace>) context.tuning.nodes_per_thread = nodes_per_thread;
    lattice = make_lattice<ExecutionSpace, Real>(map_, propagation, context.tuning);
    host_ = make_lattice<HostExecutionSpace, Real>(map_, propagation, context.tuning);
    links = View<BodyLinks*, ExecutionSpace>("links", map_.body_links.size());
    Kokkos::deep_copy(links,
                      HostView<const BodyLinks*>(map_.body_links.data(), map_.body_links.size()));
  }

  /// Places the populations that each node of the domain takes in next.
  void set(const std::vector<Populations>& taken_in) {
    std::size_t i = 0;
    for (int y = 0; y < map_.nodes[1]; ++y) {
      for (int x = 0; x < map_.nodes[0]; ++x) {
        const Populations& f = taken_in[i++];
        const int at_x = x + map_.offset[0];
        const int at_y = y + map_.offset[1];
        const NodeClass<Real>& node = host_class(at_x, at_y);
        if (node.kind != NodeKind::fluid) continue;
        Real g[9];
        for (std::size_t q = 0; q < 9; ++q) {
          g[q] = static_cast<Real>(f[q] - textbook::weight[q]);
          const bool cut = ((node.cut >> q) & 1) != 0;
          host_.populations[incoming_slot(phase().arrangement, map_.extents, static_cast<int>(q),
                                          at_x, at_y, cut)] = g[q] - node.correction[q];
        }
        publish(host_, node, at_x, at_y, 0, context.parameters, g);
      }
    }
    // Walls that hold populations are at rest, so that they return no momentum yet.
    for (int y = 0; y < map_.extents.ny; ++y) {
      for (int x = 0; x < map_.extents.nx; ++x) {
        const NodeClass<Real>& node = host_class(x, y);
        if (node.kind != NodeKind::reversing) continue;
        for (int q = 0; q < 9; ++q) {
          const bool cut = ((node.cut >> q) & 1) != 0;
          host_.populations[incoming_slot(phase().arrangement, map_.extents, q, x, y, cut)] =
              -node.correction[q];
        }
      }
    }
    Kokkos::deep_copy(lattice.populations, host_.populations);
    Kokkos::deep_copy(lattice.open.published, host_.open.published);
    Kokkos::deep_copy(lattice.open.corners, host_.open.corners);
    step_ = 0;
  }

  void step() {
    switch (propagation_) {
      case Propagation::in_place:
        step_in_place(context, lattice, parity());
        break;
      case Propagation::two_array:
        step_two_array(context, lattice, parity());
        break;
      case Propagation::shared_memory:
        collide_propagate(context, lattice, parity());
        exchange(context, lattice);
        break;
    }
    context.execution.fence();
    ++step_;
  }

  StepPhase phase() const {
    switch (propagation_) {
      case Propagation::in_place:
        return {parity() == 0 ? Arrangement::in_place_even : Arrangement::in_place_odd, parity()};
      case Propagation::two_array:
        return {Arrangement::gather, parity()};
      case Propagation::shared_memory:
        return {Arrangement::scatter, parity()};
    }
    return {};
  }

  void copy_to_host() {
    Kokkos::deep_copy(host_.populations, lattice.populations);
    Kokkos::deep_copy(host_.open.published, lattice.open.published);
    Kokkos::deep_copy(host_.open.corners, lattice.open.corners);
  }
  /// Populations of a node of the domain as of the last copy_to_host.
  Populations populations(int x, int y) const {
    const int at_x = x + map_.offset[0];
    const int at_y = y + map_.offset[1];
    Real g[9];
    load_node(host_, phase().arrangement, host_class(at_x, at_y), at_x, at_y, phase().parity,
              context.parameters, g);
    Populations f;
    for (std::size_t q = 0; q < 9; ++q) f[q] = static_cast<double>(g[q]) + textbook::weight[q];
    return f;
  }

  const NodeMap& map() const { return map_; }

  StepContext<ExecutionSpace, Real> context{};
  Lattice<ExecutionSpace, Real> lattice;
  View<BodyLinks*, ExecutionSpace> links;

 private:
  int parity() const { return step_ & 1; }
  const NodeClass<Real>& host_class(int x, int y) const {
    return host_.classes(host_.node_class(map_.extents.node(x, y)));
  }

  Propagation propagation_;
  NodeMap map_;
  Lattice<HostExecutionSpace, Real> host_;
  int step_ = 0;
};

// Both precisions on every backend of the build.
using HostConfigurations = testing::Types<Configuration<HostExecutionSpace, float>,
                                          Configuration<HostExecutionSpace, double>>;
using AllConfigurations = testing::Types<
    Configuration<HostExecutionSpace, float>, Configuration<HostExecutionSpace, double>,
    Configuration<DeviceExecutionSpace, float>, Configuration<DeviceExecutionSpace, double>>;
using Configurations =
    std::conditional_t<has_device_backend, AllConfigurations, HostConfigurations>;

}  // namespace knudsen::lbm_d2q9
