#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "core/node_planes.hpp"
#include "core/sides.hpp"
#include "methods/lattice/cross_section.hpp"
#include "methods/lattice/inlet_turbulence.hpp"
#include "methods/lattice/lattice_case.hpp"
#include "methods/lattice/si_scales.hpp"
#include "model/place_functions.hpp"
#include "model/time_factor.hpp"

namespace knudsen::lbm {

/// What an open side prescribes at a node, in lattice units: velocity along x, y and z, and the
/// deviation of the density from 1.
using Prescribed = std::array<double, 4>;

/// Values of an open side that depend on the place along it or on time: those of a profile, and of
/// turbulence if there is any, times a factor of time. The nodes of the side are in the order of
/// CrossSection.
class OpenProfile {
 public:
  /// What the case says, before its solids are known.
  struct Keys {
    enum class Shape { uniform, parabolic, power_law, fully_developed, functions };
    Shape shape = Shape::uniform;
    double exponent = 7;  ///< of the power law
    /// Volume flow rate into the domain, in the case's unit, in place of the velocity.
    std::optional<FlowRate> flow_rate;
    PlaceFunctions functions;  ///< for Shape::functions
    std::string where;         ///< begin of a message about the profile
    std::string side;          ///< begin of a message about the side
    std::optional<TimeFactor> waveform;
    std::optional<InletTurbulence::Keys> turbulence;

    /// Whether the values differ from those of a uniform or parabolic, steady profile.
    bool any() const {
      return waveform || flow_rate || turbulence ||
             (shape != Shape::uniform && shape != Shape::parabolic);
    }
    /// Whether the profile can be made: not of solids that have not been built. One that takes long
    /// is left out where the problem is estimated (Problem::estimated).
    bool may_be_made(bool solids_are_built, bool estimated) const;
  };
  /// Where the nodes are, and what they prescribe where the profile says nothing else.
  struct Place : SideFrame {
    std::array<bool, 2> parabola{};           ///< axes of the side along which a parabola extends
    std::array<double, 3> velocity{0, 0, 0};  ///< peak, or mean, in lattice units
    double density = 1;                       ///< of a pressure side
    std::optional<SiScales> si;               ///< of a case in SI units
  };

  /// Values of the profile, without the factor, and what they are limited by.
  struct Values {
    std::vector<Prescribed> at_nodes;
    double speed = 0;                      ///< largest
    double least_density_deviation = 0;    ///< of all
    double largest_density_deviation = 0;  ///< of all
  };

  /// Throws InputError, with the path in the case.
  OpenProfile(Keys keys, Place place);

  /// The profile at step 0.
  const Values& at_start() const { return values_; }
  /// Whether the values depend on time.
  bool varies() const { return keys_.waveform || turbulence_ || profile_varies(); }
  /// Whether those of the profile do so otherwise than by a factor.
  bool profile_varies() const { return keys_.functions.varies(); }
  /// The profile at a step, of one that varies. Throws InputError.
  Values profile(std::int64_t step) const;
  /// The factor at a step. `values` are those of the profile then. Throws InputError, also if the
  /// lattice does not allow their product.
  double factor(std::int64_t step, const Values& values) const;
  /// The largest speed that is known before the run.
  double largest_speed() const;
  /// What is added to the profile; null without turbulence.
  const InletTurbulence* turbulence() const { return turbulence_ ? &*turbulence_ : nullptr; }

 private:
  /// Shape of the velocity, by node.
  std::vector<double> shape() const;
  /// Time of a step in the case's unit.
  double time_of(std::int64_t step) const;
  /// How far a speed may be above that of the profile.
  double gust() const { return turbulence_ ? 4 * turbulence_->largest_rms : 0; }

  Keys keys_;
  Place place_;
  Values values_;
  std::optional<InletTurbulence> turbulence_;
};

/// The domain around open sides. In two dimensions it has one node along z.
struct Box {
  using At = std::array<int, 3>;

  At nodes{1, 1, 1};
  std::array<SectionEnd, 6> ends{};              ///< by side
  std::array<bool, 6> wall_moves{};              ///< by side
  const std::vector<std::int16_t>* bodies = {};  ///< -1 for fluid; empty without solids
  NodePlanes planes;                             ///< of the nodes of `bodies`
  std::vector<bool> body_moves;                  ///< by body
  /// From a fluid node along a link to a node of a body, both in the domain; empty: one half.
  std::function<double(const At& at, const At& next, int body)> wall_distance;

  template <class Condition>
  void set_side(std::size_t side, const Condition& condition) {
    using Kind = decltype(condition.kind);
    ends[side] = condition.kind == Kind::periodic ? SectionEnd::periodic
                 : condition.kind == Kind::wall   ? SectionEnd::wall
                                                  : SectionEnd::open;
    wall_moves[side] =
        condition.kind == Kind::wall && condition.velocity != decltype(condition.velocity){};
  }
  int body(const At& at) const;
  /// Nodes, axes and place of a side, whose nodes must be among `planes`; parabolas along the axes
  /// that are not periodic.
  OpenProfile::Place place_of(std::size_t side) const;
};

/// Reads `velocity`, `flow_rate` or `mass_flow`, `profile`, `waveform` and `turbulence` of a
/// velocity side in so many dimensions; the velocity in the case's unit.
std::vector<double> read_velocity_profile(CaseNode& side, const Fluid& fluid,
                                          std::size_t dimensions, OpenProfile::Keys& keys);
/// Throws InputError if a side with a flow rate is the only open one. `conditions`: by side, with
/// their kinds.
template <class Conditions, class Keys>
void check_flow_rates(const CaseNode& boundaries, const Conditions& conditions, const Keys& keys) {
  int open = 0;
  for (const auto& condition : conditions) {
    using Kind = decltype(condition.kind);
    if (condition.kind != Kind::periodic && condition.kind != Kind::wall) ++open;
  }
  for (std::size_t side = 0; side < conditions.size(); ++side) {
    if (!keys[side].flow_rate || open > 1) continue;
    boundaries.fail(side_names[side] + '.' + keys[side].flow_rate->key,
                    "needs another open side, through which the flow leaves or enters; the domain "
                    "has none");
  }
}
/// Whether walls and periodic sides alone bound the domain, so that its mass should stay.
template <class Conditions>
bool is_closed(const Conditions& conditions) {
  return std::all_of(conditions.begin(), conditions.end(), [](const auto& condition) {
    using Kind = decltype(condition.kind);
    return condition.kind == Kind::periodic || condition.kind == Kind::wall;
  });
}
/// Warns if the mass of a closed domain with interpolated walls is no longer what it was at the
/// start. An initial mass of 0 is not known.
void check_drift(double initial_mass, double mass, std::vector<std::string>& warnings);
/// Warns if sides give velocities and none a pressure.
template <class Conditions>
void check_mass(const Conditions& conditions, std::vector<std::string>& warnings) {
  int velocities = 0;
  for (const auto& condition : conditions) {
    using Kind = decltype(condition.kind);
    if (condition.kind == Kind::velocity) {
      ++velocities;
    } else if (condition.kind != Kind::periodic && condition.kind != Kind::wall) {
      return;
    }
  }
  if (velocities == 0) return;
  warnings.emplace_back(
      "boundaries: sides give velocities and none gives a pressure, so nothing holds the density, "
      "which changes for as long as more enters than leaves, or less; make one side "
      "\"pressure\" or \"outflow\"");
}
/// Adds the length over which the pressure falls between two sides that hold it, which is that
/// between their outermost nodes.
template <class Conditions, class Nodes>
void describe_pressure_sides(const Conditions& conditions, const Nodes& nodes,
                             std::vector<ResolvedValue>& resolved) {
  for (std::size_t a = 0; 2 * a < conditions.size(); ++a) {
    using Kind = decltype(conditions[0].kind);
    if (conditions[2 * a].kind != Kind::pressure || conditions[2 * a + 1].kind != Kind::pressure) {
      continue;
    }
    resolved.push_back(
        {"length between pressures along " + axis_names[a], value_text(nodes[a] - 1), "dx"});
  }
}
/// Warns if turbulence enters through a side that reflects sound into a fluid that is at rest at
/// step 0.
template <class Conditions>
void check_start(const Conditions& conditions, bool at_rest, std::vector<std::string>& warnings) {
  for (std::size_t side = 0; side < conditions.size(); ++side) {
    const auto& condition = conditions[side];
    if (!at_rest || !condition.profile || condition.profile->turbulence() == nullptr) continue;
    constexpr bool may_absorb = requires { condition.mean_rate; };
    if constexpr (may_absorb) {
      if (condition.mean_rate > 0) continue;
    }
    warnings.push_back(
        "boundaries." + side_names[side] +
        ".turbulence: the fluid starts at rest, so sound of the start runs to and fro in the "
        "domain and adds to the fluctuations for a long time; start with the mean velocity "
        "(\"initial\": {\"type\": \"uniform\", \"velocity\": ...}, or \"initial_fields\")" +
        (may_absorb ? ", or let sound out (\"reflecting\": false)" : ""));
  }
}
/// Warns if a force across walls or open sides compresses the fluid, which is that of a gas whose
/// pressure is density / 3: across n nodes by a factor of exp(3 force n).
template <class Force, class Conditions, class Nodes>
void check_weight(const Force& force, const Conditions& conditions, const Nodes& nodes,
                  std::vector<std::string>& warnings) {
  for (std::size_t a = 0; a < force.size(); ++a) {
    const auto kind = conditions[2 * a].kind;
    if (kind == decltype(kind)::periodic) continue;
    const double change = std::expm1(3 * std::abs(force[a]) * nodes[a]);
    if (change <= 0.05) continue;
    warnings.push_back(
        "collision: the force along " + axis_names[a] + " changes the density by " +
        value_text(std::round(1000 * change) / 10) +
        " % across the domain, as the weight of a gas does; for a liquid leave the weight "
        "out, which only adds a pressure, or take a smaller time step (a lower Mach "
        "number), in which the force is smaller");
  }
}
/// Reads `density` or `pressure`, `profile` and `waveform` of a pressure side; the density in
/// reference densities.
double read_pressure_profile(CaseNode& side, const Fluid& fluid, OpenProfile::Keys& keys,
                             std::vector<std::string>& warnings);

}  // namespace knudsen::lbm
