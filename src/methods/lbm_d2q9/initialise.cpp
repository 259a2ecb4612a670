#include "device/instantiate.hpp"
#include "methods/lbm_d2q9/node_reader.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

template <class ExecutionSpace, class Real>
struct InitialiseNode {
  NodeReader<ExecutionSpace, Real> nodes;
  View<const Real*, ExecutionSpace> density_deviation, velocity_x, velocity_y;
  View<const Real*, ExecutionSpace> scalar;                 ///< empty without a scalar
  View<const unsigned char*, ExecutionSpace> fluid_beside;  ///< see InitialFields

  /// The row of the fields for row y, which may be the one before the first or after the last row.
  KOKKOS_INLINE_FUNCTION int row_of_fields(int y) const {
    if (fluid_beside.extent(0) == 0) return nodes.lattice.extents.wrap_y(y);
    const int owned = nodes.lattice.extents.ny - 1;
    return y < 0 ? owned : (y == owned ? owned + 1 : y);
  }
  KOKKOS_INLINE_FUNCTION bool is_fluid(int x, int row) const {
    const int beside = row - (nodes.lattice.extents.ny - 1);
    if (fluid_beside.extent(0) == 0 || beside < 0) return nodes.is_fluid(x, row);
    return fluid_beside(nodes.lattice.extents.node(x, beside)) == 1;
  }

  /// Whether a node of a row of the fields is in a solid that conducts.
  KOKKOS_INLINE_FUNCTION bool conducts(int x, int row) const {
    const int beside = row - (nodes.lattice.extents.ny - 1);
    if (fluid_beside.extent(0) == 0 || beside < 0) return nodes.conducts(x, row);
    return fluid_beside(nodes.lattice.extents.node(x, beside)) == 2;
  }

  /// Derivative of `values` along an axis by central or one-sided differences between fluid nodes,
  /// or between nodes of solids that conduct.
  KOKKOS_INLINE_FUNCTION Real gradient(const View<const Real*, ExecutionSpace>& values, int x,
                                       int y, int dx, int dy) const {
    const Extents& extents = nodes.lattice.extents;
    const int next_x = extents.wrap_x(x + dx);
    const int next_y = row_of_fields(y + dy);
    const int before_x = extents.wrap_x(x - dx);
    const int before_y = row_of_fields(y - dy);
    // A neighbour counts unless the link to it is cut or it is solid.
    const bool in_solid = nodes.conducts(x, y);
    const std::uint16_t cut =
        in_solid ? nodes.lattice.scalar_class(x, y).cut : nodes.node_class(x, y).cut;
    const auto counts = [&](int at, int row) {
      return in_solid ? conducts(at, row) : is_fluid(at, row);
    };
    const int from_before = dx != 0 ? 1 : 2;
    const bool has_before = ((cut >> from_before) & 1) == 0 && counts(before_x, before_y);
    const bool has_next = ((cut >> D2Q9::opposite(from_before)) & 1) == 0 && counts(next_x, next_y);
    const Real here = values(extents.node(x, y));
    const Real next = has_next ? values(extents.node(next_x, next_y)) : here;
    const Real before = has_before ? values(extents.node(before_x, before_y)) : here;
    const int distance = int(has_next) + int(has_before);
    return distance == 0 ? Real(0) : (next - before) / Real(distance);
  }

  KOKKOS_INLINE_FUNCTION void operator()(int x, int y) const {
    const NodeClass<Real>& node = nodes.node_class(x, y);
    if (node.kind == NodeKind::solid) {
      if (nodes.conducts(x, y)) set_scalar(x, y, {0, 0, 0});
      return;
    }
    const Extents& extents = nodes.lattice.extents;
    const std::size_t here = extents.node(x, y);
    const bool heated = scalar.extent(0) > 0;
    const CollisionParameters<Real> parameters =
        heated ? nodes.parameters.at(scalar(here)) : nodes.parameters.flow;
    const FlowState<Real> state{density_deviation(here), velocity_x(here), velocity_y(here)};
    Real xx = 0;
    Real yy = 0;
    Real xy = 0;
    if (node.kind == NodeKind::fluid && node.open_side == 0 && node.open_corner == 0) {
      xx = gradient(velocity_x, x, y, 1, 0);
      yy = gradient(velocity_y, x, y, 0, 1);
      xy = Real(0.5) * (gradient(velocity_x, x, y, 0, 1) + gradient(velocity_y, x, y, 1, 0));
    }
    const Real density = Real(1) + state.density_deviation;
    Real g[9];
    for_populations([&](auto q) {
      constexpr int cx = D2Q9::cx(q);
      constexpr int cy = D2Q9::cy(q);
      // Non-equilibrium part of first order, f1 = - w rho / (omega cs^2) (c c - cs^2 I) : grad u,
      // less half a step of the force.
      const Real strain =
          Real(cx * cx) * xx + Real(cy * cy) * yy + Real(2 * cx * cy) * xy - (xx + yy) / Real(3);
      const Real force = Real(cx) * parameters.force[0] + Real(cy) * parameters.force[1];
      g[q] = equilibrium(q, state) -
             D2Q9::weight<Real>(q) * (Real(3) * density * strain / parameters.relaxation_rate) -
             D2Q9::weight<Real>(q) * Real(1.5) * force;
    });
    for_populations([&](auto q) {
      const bool cut = ((node.cut >> q) & 1) != 0;
      // Walls with slip may leave nothing to solve for: what went out in equilibrium.
      nodes.lattice.populations[incoming_slot(nodes.phase.arrangement, extents, q, x, y, cut)] =
          (node.slips || node.solid_slip != 0) && cut ? g[D2Q9::opposite(q)]
                                                      : g[q] - node.correction[q];
    });
    publish(nodes.lattice, node, x, y, nodes.phase.parity, parameters, g);
    if (heated) set_scalar(x, y, state);
  }

  /// Sets the populations of the scalar to equilibrium and the part of first order of its gradient.
  KOKKOS_INLINE_FUNCTION void set_scalar(int x, int y, const FlowState<Real>& state) const {
    const Extents& extents = nodes.lattice.extents;
    const std::size_t here = extents.node(x, y);
    const std::uint16_t index = nodes.lattice.node_class(here);
    const ScalarClass<Real>& at_links = nodes.lattice.scalar_classes(index);
    const Real value = scalar(here);
    const ScalarParameters<Real>& p = nodes.parameters.scalar;
    const Real rate = at_links.conducts ? at_links.antisymmetric_rate : p.antisymmetric_rate;
    const Real rest_weight =
        at_links.conducts ? at_links.capacity - Real(4) * p.weight : p.rest_weight;
    const Real flow = Real(0.5) / p.weight * value;
    const Real along_x = flow * state.velocity_x - gradient(scalar, x, y, 1, 0) / rate;
    const Real along_y = flow * state.velocity_y - gradient(scalar, x, y, 0, 1) / rate;
    for_populations<D2Q5>([&](auto q) {
      const Real weight = decltype(q)::value == 0 ? rest_weight : p.weight;
      Real slot = weight * (value + Real(D2Q5::cx(q)) * along_x + Real(D2Q5::cy(q)) * along_y);
      const bool cut = ((at_links.cut >> q) & 1) != 0;
      if (cut) {
        const ScalarShare<Real>& share = at_links.share[q];
        const Real inward =
            Real(D2Q5::cx(q)) * state.velocity_x + Real(D2Q5::cy(q)) * state.velocity_y;
        slot -= at_links.addition[q] + (share.of_value + share.carried * inward) * value;
        // Where exchange leaves nothing of what went out, that has no effect.
        if (at_links.factor[q] != 0) slot /= at_links.factor[q];
      }
      nodes.lattice.populations[incoming_slot<HeatedD2Q9>(nodes.phase.arrangement, extents, 9 + q,
                                                          x, y, cut)] = slot;
    });
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void initialise(const StepContext<ExecutionSpace, Real>& context,
                Lattice<ExecutionSpace, Real>& lattice, InitialFields fields,
                Arrangement arrangement) {
  Kokkos::deep_copy(lattice.populations, Real(0));
  const auto upload = [&](const std::string& name, std::vector<double>& values) {
    View<Real*, ExecutionSpace> view(name, values.size());
    auto mirror = Kokkos::create_mirror_view(view);
    for (std::size_t i = 0; i < values.size(); ++i) mirror(i) = static_cast<Real>(values[i]);
    Kokkos::deep_copy(view, mirror);
    std::vector<double>().swap(values);
    return view;
  };
  View<unsigned char*, ExecutionSpace> fluid_beside("fluid nodes beside the slab",
                                                    fields.fluid_beside.size());
  Kokkos::deep_copy(fluid_beside, HostView<const unsigned char*>(fields.fluid_beside.data(),
                                                                 fields.fluid_beside.size()));
  const InitialiseNode<ExecutionSpace, Real> node{
      reader(context, lattice, {arrangement, 0}),
      upload("initial density", fields.density_deviation),
      upload("initial velocity x", fields.velocity_x),
      upload("initial velocity y", fields.velocity_y),
      upload("initial scalar", fields.scalar),
      fluid_beside};
  for_rows("knudsen/lbm_d2q9/initialise", context.execution, lattice.extents, node);
  context.execution.fence();
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                               \
  template void initialise<ExecutionSpace, Real>(const StepContext<ExecutionSpace, Real>&,      \
                                                 Lattice<ExecutionSpace, Real>&, InitialFields, \
                                                 Arrangement);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d2q9
