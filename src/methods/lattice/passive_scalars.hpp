#pragma once

// Passive scalars: populations on a lattice of their own beside that of the flow, advanced by
// kernels of their own that read the velocity of each node. They do not depend on the scheme of the
// flow.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "device/kernel_timers.hpp"
#include "device/kokkos.hpp"
#include "lattice/passive_scalar.hpp"
#include "methods/lattice/scalars_case.hpp"
#include "model/method.hpp"
#include "output/checkpoint.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exchange.hpp"
#include "parallel/shared_cells.hpp"

namespace knudsen::lbm {

/// Where the nodes of this rank's part of a lattice keep their values of scalars.
struct ScalarGrid {
  using Coordinates = std::array<int, 3>;

  Coordinates cells{1, 1, 1};  ///< of the whole domain
  std::array<bool, 3> periodic{true, true, true};
  const std::vector<std::int16_t>* body = nullptr;  ///< of the cells, -1: fluid; empty: all fluid
  int axis = 2;                                     ///< across which the planes of the ranks lie
  std::array<int, 2> planes{0, 1};                  ///< owned, begin and end
  bool whole = true;                                ///< this rank owns all planes
  int rank_before = 0, rank_after = 0;              ///< the owners of the planes beside, if not
  /// Place of an owned node. With strides, also of those in the planes before and after the owned
  /// ones, which are ghosts.
  std::function<std::size_t(const Coordinates&)> place;
  std::size_t places = 0;                       ///< numbers of them
  std::array<std::size_t, 3> strides{0, 0, 0};  ///< from a node to the next one; 0: any place
  std::size_t first_velocity = 0;  ///< place of the node whose velocity is the first one
  /// Places of interpolated walls on the link of a node to the body at the other end: distance, or
  /// negative if the wall is half-way, and facing of WallPlace. Null if none is interpolated.
  /// Arguments: the node, the offset of the other end, and the body. Facing is that of links along
  /// axes.
  using WallOnLink = std::function<double(const Coordinates&, const Coordinates&, int)>;
  WallOnLink wall_distance, wall_facing;

  std::size_t cell(const Coordinates& at) const {
    return (static_cast<std::size_t>(at[2]) * static_cast<std::size_t>(cells[1]) +
            static_cast<std::size_t>(at[1])) *
               static_cast<std::size_t>(cells[0]) +
           static_cast<std::size_t>(at[0]);
  }
  std::size_t size() const {
    return static_cast<std::size_t>(cells[0]) * static_cast<std::size_t>(cells[1]) *
           static_cast<std::size_t>(cells[2]);
  }
  Coordinates at(std::size_t cell) const {
    const auto nx = static_cast<std::size_t>(cells[0]);
    const auto ny = static_cast<std::size_t>(cells[1]);
    return {static_cast<int>(cell % nx), static_cast<int>(cell / nx % ny),
            static_cast<int>(cell / nx / ny)};
  }
  /// Collective.
  SharedCells shared_cells() const { return {cells, {axis, planes[0], planes[1]}}; }
  bool is_fluid(const Coordinates& at) const {
    return body == nullptr || body->empty() || (*body)[cell(at)] < 0;
  }
  bool owns(const Coordinates& at) const {
    const int plane = at[static_cast<std::size_t>(axis)];
    return plane >= planes[0] && plane < planes[1];
  }
  /// Calls visit(at) for the owned cells, x fastest.
  template <class Visit>
  void for_owned(const Visit& visit) const {
    Coordinates begin{};
    Coordinates end = cells;
    begin[static_cast<std::size_t>(axis)] = planes[0];
    end[static_cast<std::size_t>(axis)] = planes[1];
    Coordinates at{};
    for (at[2] = begin[2]; at[2] < end[2]; ++at[2]) {
      for (at[1] = begin[1]; at[1] < end[1]; ++at[1]) {
        for (at[0] = begin[0]; at[0] < end[0]; ++at[0]) visit(std::as_const(at));
      }
    }
  }
  /// What is at an offset of one node along an axis: a fluid node at `at`, or a surface, a side or
  /// the number of sides + a solid.
  struct Neighbour {
    bool fluid = true;
    Coordinates at{};      ///< in the domain
    Coordinates beside{};  ///< not wrapped to the other side
    std::size_t surface = 0;
  };
  Neighbour neighbour(const Coordinates& at, int along, int by, std::size_t sides) const {
    Coordinates offset{};
    offset[static_cast<std::size_t>(along)] = by;
    return neighbour(at, offset, sides);
  }
  /// The same at an offset of at most one node along each axis.
  Neighbour neighbour(const Coordinates& at, const Coordinates& offset, std::size_t sides) const;
};

/// Velocities of nodes at open sides, where a method keeps them apart, with adjacent components.
/// `data` is on the backend.
template <class Real>
struct OpenVelocities {
  const Real* data = nullptr;
  std::size_t stride = 0;  ///< of places
};

/// Regular nodes, whose neighbours are all fluid: those with the places [first, end).
struct ScalarRun {
  std::uint32_t first, end;
};

/// What ScalarLinks has for links along diagonals, too.
template <class Scalar, class Real, bool Diagonals>
struct DiagonalLinks {};
template <class Scalar, class Real>
struct DiagonalLinks<Scalar, Real, true> {
  Real area[Scalar::populations];  ///< the share of SurfaceHeat::link
  /// Population that went out to the surface and of which the incoming one is made. Another one
  /// than the opposite has left the next node along the surface, as from a mirror.
  std::uint8_t source[Scalar::populations];
  std::uint8_t normal[Scalar::populations];  ///< see CutLink
  /// Bit q: a given value, whose equilibrium is of second order in the velocity of the node.
  std::uint32_t values = 0;
};

/// The nodes of one kind of links: what each link of a node does to a scalar.
template <class Scalar, class Real>
struct ScalarLinks : DiagonalLinks<Scalar, Real, has_diagonals<Scalar>> {
  using Bits = std::conditional_t<has_diagonals<Scalar>, std::uint32_t, std::uint8_t>;
  Real factor[Scalar::populations];    ///< see ScalarLink, of incoming populations
  Real addition[Scalar::populations];  ///< likewise
  Bits cut = 0;                        ///< bit q: incoming population q comes from a surface
  Bits outflow = 0;     ///< bit q: an outflow, through which the flow carries the scalar
  bool shares = false;  ///< whether there is a `share`
  ScalarShare<Real> share[Scalar::populations];
};

/// The populations of a scalar, as kernels read them: those that nodes have sent in the latest
/// step.
template <class ExecutionSpace, class Real, class Scalar>
struct ScalarPopulations {
  static constexpr int populations = Scalar::populations;
  static constexpr int dimensions = Scalar::dimensions;

  View<Real*, ExecutionSpace> sent;             ///< (population, place)
  View<Real*, ExecutionSpace> next;             ///< likewise, of the next step
  std::size_t plane = 0;                        ///< places
  std::ptrdiff_t from[populations] = {};        ///< of regular nodes: offset of the place upstream
  View<std::uint32_t*, ExecutionSpace> listed;  ///< (node, population): the place upstream
  View<std::uint32_t*, ExecutionSpace> kinds;   ///< of listed nodes
  View<ScalarLinks<Scalar, Real>*, ExecutionSpace> links;  ///< of kinds
  View<Real**, ExecutionSpace> velocity;                   ///< (component, node of the flow)
  std::size_t first_velocity = 0;
  View<std::int32_t*, ExecutionSpace> open_places;  ///< of the last listed nodes; else empty
  std::size_t first_open = 0;
  OpenVelocities<Real> open;
  ScalarParameters<Real> parameters;

  /// Loads what arrives at a regular node, whose neighbours are all fluid.
  KOKKOS_FORCEINLINE_FUNCTION void load_regular(std::size_t n, Real (&h)[populations]) const {
    for_populations<Scalar>([&](auto q) KNUDSEN_INLINE_LAMBDA {
      h[q] = sent.data()[std::size_t(q) * plane + n + std::size_t(from[q])];
    });
  }
  /// What went out and comes back to listed node i as population q over a cut link.
  KOKKOS_FORCEINLINE_FUNCTION Real source(std::size_t i, const ScalarLinks<Scalar, Real>& of_kind,
                                          int q) const {
    const std::uint32_t* const upstream = listed.data() + i * std::size_t(populations);
    int population = Scalar::opposite(q);
    std::uint32_t place = upstream[q];
    if constexpr (has_diagonals<Scalar>) {
      if (population == of_kind.source[q]) place = upstream[0];
      population = of_kind.source[q];
    }
    return sent.data()[std::size_t(population) * plane + place];
  }
  /// Loads what arrives at listed node i.
  KOKKOS_INLINE_FUNCTION void load_listed(std::size_t i, Real (&h)[populations]) const {
    const std::uint32_t* const upstream = listed.data() + i * std::size_t(populations);
    const ScalarLinks<Scalar, Real>& of_kind = links.data()[kinds.data()[i]];
    for_populations<Scalar>([&](auto q) {
      const bool cut = ((of_kind.cut >> q) & 1) != 0;
      if constexpr (has_diagonals<Scalar>) {
        h[q] = cut ? source(i, of_kind, q) : sent.data()[std::size_t(q) * plane + upstream[q]];
      } else {
        const int population = cut ? Scalar::opposite(q) : q;
        h[q] = sent.data()[std::size_t(population) * plane + upstream[q]];
      }
      if (cut) h[q] = of_kind.factor[q] * h[q] + of_kind.addition[q];
    });
    if constexpr (has_diagonals<Scalar>) {
      if (of_kind.values != 0) {
        Real u[dimensions];
        open_velocity(i, u);
        for_populations<Scalar>([&](auto q) {
          if (((of_kind.values >> q) & 1) == 0) return;
          h[q] += of_kind.addition[q] * second_order<Scalar, decltype(q)::value>(u);
        });
      }
    }
    if (!of_kind.shares) return;
    Real at_outflow[dimensions];
    open_velocity(i, at_outflow);
    Real share[populations];
    for_populations<Scalar>([&](auto q) {
      const bool flows_out = ((of_kind.outflow >> q) & 1) != 0;
      Real inward = 0;
      for (int a = 0; a < dimensions; ++a) {
        if constexpr (has_diagonals<Scalar>) {
          if (of_kind.normal[q] < dimensions && a != of_kind.normal[q]) continue;
        }
        inward += Real(Scalar::velocity(q, a)) *
                  (flows_out ? at_outflow[a] : *velocity_at(node_of(i), a));
      }
      Real of_value = of_kind.share[q].of_value;
      if constexpr (has_diagonals<Scalar>) {
        inward *= of_kind.area[q];
        if (((of_kind.values >> q) & 1) != 0) {
          of_value += of_value * second_order<Scalar, decltype(q)::value>(at_outflow);
        }
      }
      share[q] = of_value + of_kind.share[q].carried * inward;
    });
    add_shares<Scalar>(share, h);
  }
  /// Component a of the velocities, at the place of node n.
  KOKKOS_FORCEINLINE_FUNCTION const Real* velocity_at(std::size_t n, int a) const {
    return velocity.data() + std::size_t(a) * velocity.extent(1) + (n - first_velocity);
  }
  /// The velocity with which the scalar passes through the open side of listed node i.
  KOKKOS_INLINE_FUNCTION void open_velocity(std::size_t i, Real (&u)[dimensions]) const {
    const bool apart = open.data != nullptr && i >= first_open;
    const std::size_t place = apart ? std::size_t(open_places.data()[i - first_open]) : 0;
    for (int a = 0; a < dimensions; ++a) {
      u[a] = apart ? open.data[place * open.stride + std::size_t(a)] : *velocity_at(node_of(i), a);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t node_of(std::size_t i) const {
    return listed.data()[i * std::size_t(populations)];
  }
};

/// The populations of a scalar that cross planes up or down an axis.
struct ScalarCrossing {
  int count = 0;
  int population[5] = {};
};

/// All passive scalars of a case on one lattice, on this rank.
template <class ExecutionSpace, class Real, class Scalar>
class PassiveScalars {  // NOLINT: names in its implicit copy are the compiler's
 public:
  using Coordinates = ScalarGrid::Coordinates;
  using Velocity = View<Real**, ExecutionSpace>;  ///< (component, node of the flow)

  PassiveScalars() = default;
  /// `velocity`: of the nodes of the flow's lattice, which the method sets before it asks for
  /// values. open_place(at) is the place of a node among OpenVelocities, -1 if it is at no open
  /// side; null if the method keeps none. Declares the kernel of a scalar.
  PassiveScalars(std::vector<PassiveScalar> scalars, ScalarGrid grid, const Velocity& velocity,
                 const std::function<std::int32_t(const Coordinates&)>& open_place,
                 KernelTimers& timers, double fluid_nodes);

  bool empty() const { return scalars_.empty(); }
  std::size_t size() const { return scalars_.size(); }

  /// Where the method keeps velocities of open sides.
  void set_open(const OpenVelocities<Real>& open) { open_ = open; }

  /// Sets the state of step 0. initial_velocity(at) is that of the flow in lattice units.
  void initialise(const ExecutionSpace& execution, const GivenFields& given,
                  const std::function<std::array<double, 3>(const Coordinates&)>& initial_velocity);
  /// One step.
  void advance(const ExecutionSpace& execution, KernelTimers& timers) {
    for (std::size_t i = 0; i < size(); ++i) {
      timers.call(step_kernel_, [&] { step(execution, i); });
      exchange(execution, i);
    }
    forget_results();
  }

  // Collective. The method has set the velocity of the next step.
  /// Values of the owned cells; NaN in solids.
  std::vector<Real> field(const ExecutionSpace& execution, std::size_t scalar) const;
  ScalarRange range(const ExecutionSpace& execution, std::size_t scalar);
  /// What enters through a surface, a side or the number of sides + a solid, in the next step.
  double flow(const ExecutionSpace& execution, std::size_t scalar, std::size_t surface);
  /// The first cell in which a scalar is not finite, or far beyond all values that the case gives.
  std::optional<Divergence> find_divergence(const ExecutionSpace& execution) const;
  void save(CheckpointWriter& checkpoint) const;
  void load(const ExecutionSpace& execution, const CheckpointReader& checkpoint);

 private:
  using Populations = ScalarPopulations<ExecutionSpace, Real, Scalar>;
  static constexpr std::size_t sides = 2 * Scalar::dimensions;

  /// A link that a surface cuts, as one scalar sees it.
  struct CutLink {
    std::size_t surface = 0;
    double share = 1;      ///< see SurfaceHeat::link
    int normal = 0;        ///< axis across which the surface lies, or `none`
    bool mirrors = false;  ///< what comes in has left the next node along the surface

    static constexpr int none = 3;  ///< the link alone counts, not its part across a surface
  };
  /// A cut link and what comes in over it.
  struct Condition {
    CutLink cut;
    SurfaceLink link;
  };
  using Surfaces = std::array<std::int16_t, Scalar::populations>;
  /// What is at the other end of each link of a node.
  struct Kind {
    Surfaces surfaces{};  ///< -1: none
    /// Where they cut the links: distance and facing of WallPlace; 0 without a surface. The facing
    /// of a diagonal link is that of both squares to which it may belong.
    std::array<double, Scalar::populations> distance{}, facing{};

    bool operator<(const Kind& other) const {
      return std::tie(surfaces, distance, facing) <
             std::tie(other.surfaces, other.distance, other.facing);
    }
    WallPlace place(std::size_t q) const { return {distance[q], facing[q]}; }
  };
  const SurfaceHeat& surface_of(const PassiveScalar& scalar, std::size_t number) const {
    return number < sides ? scalar.heat.sides[number] : scalar.heat.solids[number - sides];
  }
  CutLink cut_link(const PassiveScalar& scalar, const Surfaces& surfaces, int q) const;
  Condition condition(const PassiveScalar& scalar, const Kind& kind, int q) const;
  Kind kind_at(const Coordinates& at) const;
  void list_planes();
  std::vector<Kind> sort_nodes(const std::function<std::int32_t(const Coordinates&)>& open_place);
  std::size_t upstream_place(const Coordinates& at, const ScalarGrid::Neighbour& from);
  WallPlace wall_place(const Coordinates& at, const Coordinates& offset, std::size_t surface) const;
  void step(const ExecutionSpace& execution, std::size_t scalar);
  void exchange(const ExecutionSpace& execution, std::size_t scalar);
  Populations populations_of(std::size_t scalar) const;
  std::vector<Real> own_values(const ExecutionSpace& execution, std::size_t scalar) const;
  void find_given(const ExecutionSpace& execution);
  static ScalarCrossing crossing(int axis, int by);

  /// Least and greatest value of a scalar, less its reference, at the start and of the conditions.
  struct GivenRange {
    double least, greatest;
    bool bounds;  ///< no flux is given, so that the flow carries values between the two alone
  };

  std::vector<PassiveScalar> scalars_;
  std::vector<GivenRange> given_;  ///< by scalar
  ScalarGrid grid_;
  OpenVelocities<Real> open_;
  std::size_t step_kernel_ = 0;

  Populations shared_;                     ///< what all scalars have in common
  View<ScalarRun*, ExecutionSpace> runs_;  ///< of regular nodes
  std::size_t first_cut_ = 0;              ///< the first listed node with a link to a surface
  std::vector<std::size_t> cut_cells_;     ///< cells of listed nodes from that one on
  std::vector<Surfaces> surfaces_;         ///< of the links, by kind
  std::vector<std::uint32_t> cut_kinds_;   ///< of the nodes of cut_cells_
  struct OfScalar {
    View<Real*, ExecutionSpace> sent, next;
    View<ScalarLinks<Scalar, Real>*, ExecutionSpace> links;
  };
  std::vector<OfScalar> of_scalars_;

  // Places at the planes between ranks, or of a periodic domain.
  View<std::uint32_t*, ExecutionSpace> first_, last_;               ///< owned, which send
  View<std::uint32_t*, ExecutionSpace> before_first_, after_last_;  ///< ghosts, which receive
  std::vector<std::uint32_t> lists_[4];                             ///< the same on the host
  /// With diagonals, of a sparse lattice: ghosts by cell, before and after the owned planes.
  std::map<std::size_t, std::size_t> ghosts_[2];
  Exchange<ExecutionSpace> exchange_;
  ExchangedMessage<Real> to_before_, to_after_, from_before_, from_after_;

  // Of the present state, once somebody has asked for them.
  std::vector<std::vector<double>> flows_;     ///< by scalar and surface
  std::map<std::size_t, ScalarRange> ranges_;  ///< by scalar
  void forget_results() {
    flows_.clear();
    ranges_.clear();
  }
};

/// Bytes for the links of a node beside an interpolated wall, which are like those of no other
/// node.
struct ScalarLinkBytes {
  double links = 0;  ///< on the backend, of all scalars
  double kinds = 0;  ///< on the host in the set-up: surfaces and places in a sorted list

  template <class Axes, class Diagonals, class Real>
  static ScalarLinkBytes of(const std::vector<PassiveScalar>& scalars) {
    // In a bed of spheres half of the nodes beside a surface have a link along an axis to it.
    constexpr double have_it[2] = {0.5, 1};
    constexpr int populations[2] = {Axes::populations, Diagonals::populations};
    constexpr std::size_t sizes[2] = {sizeof(ScalarLinks<Axes, Real>),
                                      sizeof(ScalarLinks<Diagonals, Real>)};
    ScalarLinkBytes bytes;
    for (const int lattice : {0, 1}) {
      const auto count = std::count_if(
          scalars.begin(), scalars.end(),
          [&](const PassiveScalar& scalar) { return scalar.diagonals == (lattice == 1); });
      if (count == 0) continue;
      bytes.links += have_it[lattice] * static_cast<double>(count) * double(sizes[lattice]);
      bytes.kinds +=
          have_it[lattice] *
          (populations[lattice] * double(2 * sizeof(double) + sizeof(std::int16_t)) + 48);
    }
    return bytes;
  }
};

/// The passive scalars of a case: those on a lattice with axes alone, and those with diagonals.
template <class ExecutionSpace, class Real, class Axes, class Diagonals>
class ScalarsOnLattices {  // NOLINT: names in its implicit copy are the compiler's
 public:
  using Coordinates = ScalarGrid::Coordinates;
  using OnAxes = PassiveScalars<ExecutionSpace, Real, Axes>;
  using OnDiagonals = PassiveScalars<ExecutionSpace, Real, Diagonals>;
  using Velocity = typename OnAxes::Velocity;

  ScalarsOnLattices() = default;
  /// See PassiveScalars. `velocities`: number of nodes of the flow's lattice. Declares the kernel
  /// that reads their velocity from `flow_bytes` of populations a node, too.
  ScalarsOnLattices(const std::vector<PassiveScalar>& scalars, const ScalarGrid& grid,
                    std::size_t velocities,
                    const std::function<std::int32_t(const Coordinates&)>& open_place,
                    KernelTimers& timers, double fluid_nodes, std::size_t flow_bytes)
      : velocity_("velocity for scalars", static_cast<std::size_t>(Axes::dimensions), velocities),
        velocity_kernel_(timers.declare(
            "scalars_velocity",
            fluid_nodes * static_cast<double>(flow_bytes + Axes::dimensions * sizeof(Real)), 0)) {
    std::vector<PassiveScalar> of_axes;
    std::vector<PassiveScalar> of_diagonals;
    for (const PassiveScalar& scalar : scalars) {
      std::vector<PassiveScalar>& group = scalar.diagonals ? of_diagonals : of_axes;
      places_.push_back({scalar.diagonals, group.size()});
      group.push_back(scalar);
    }
    axes_ = OnAxes(std::move(of_axes), grid, velocity_, open_place, timers, fluid_nodes);
    diagonals_ =
        OnDiagonals(std::move(of_diagonals), grid, velocity_, open_place, timers, fluid_nodes);
  }

  bool empty() const { return places_.empty(); }
  /// The velocities of the nodes of the flow. The method sets them before it asks for values.
  const Velocity& velocity() const { return velocity_; }
  /// Where the method keeps velocities of open sides.
  void set_open(const OpenVelocities<Real>& open) {
    axes_.set_open(open);
    diagonals_.set_open(open);
  }
  void initialise(
      const ExecutionSpace& execution, const GivenFields& given,
      const std::function<std::array<double, 3>(const Coordinates&)>& initial_velocity) {
    axes_.initialise(execution, given, initial_velocity);
    diagonals_.initialise(execution, given, initial_velocity);
  }
  /// One step. set_velocity() sets the velocity before the step.
  template <class SetVelocity>
  void advance(const ExecutionSpace& execution, KernelTimers& timers,
               const SetVelocity& set_velocity) {
    if (empty()) return;
    timers.call(velocity_kernel_, set_velocity);
    axes_.advance(execution, timers);
    diagonals_.advance(execution, timers);
  }
  std::vector<Real> field(const ExecutionSpace& execution, std::size_t scalar) {
    return with(scalar, [&](auto& group, std::size_t i) { return group.field(execution, i); });
  }
  ScalarRange range(const ExecutionSpace& execution, std::size_t scalar) {
    return with(scalar, [&](auto& group, std::size_t i) { return group.range(execution, i); });
  }
  double flow(const ExecutionSpace& execution, std::size_t scalar, std::size_t surface) {
    return with(scalar,
                [&](auto& group, std::size_t i) { return group.flow(execution, i, surface); });
  }
  std::optional<Divergence> find_divergence(const ExecutionSpace& execution) const {
    const auto found = axes_.find_divergence(execution);
    return found ? found : diagonals_.find_divergence(execution);
  }
  void save(CheckpointWriter& checkpoint) const {
    axes_.save(checkpoint);
    diagonals_.save(checkpoint);
  }
  void load(const ExecutionSpace& execution, const CheckpointReader& checkpoint) {
    axes_.load(execution, checkpoint);
    diagonals_.load(execution, checkpoint);
  }

 private:
  /// Calls body with the group of a scalar and its number there.
  template <class Body>
  auto with(std::size_t scalar, const Body& body) {
    const auto& [diagonal, number] = places_[scalar];
    return diagonal ? body(diagonals_, number) : body(axes_, number);
  }

  struct Place {
    bool diagonal;
    std::size_t number;  ///< in its group
  };
  std::vector<Place> places_;  ///< of the scalars of the case
  Velocity velocity_;
  std::size_t velocity_kernel_ = 0;
  OnAxes axes_;
  OnDiagonals diagonals_;
};

}  // namespace knudsen::lbm
