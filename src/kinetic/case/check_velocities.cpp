#include "kinetic/case/check_velocities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/text.hpp"
#include "device/host_parallel.hpp"
#include "kinetic/case/gas_case.hpp"
#include "kinetic/surface.hpp"

namespace knudsen {
namespace {

/// Fraction of a Maxwellian outside the velocity grid above which a warning is given.
constexpr double warning_share = 1e-4;
/// The same for the gas that a run finds in a cell, times the share of molecules that collide.
/// Results are then off by a few tenths of a per cent (README of methods/gas, "Hot gas").
constexpr double cell_share = 1e-3;
/// Fraction of a Maxwellian outside the velocity grid above which the case is refused.
constexpr double max_share = 0.02;
/// Relative error of the discrete density of a Maxwellian above which a warning is given.
constexpr double warning_error = 1e-3;
/// The heat that collisions make or take by errors of the sums over the velocities, over the heat
/// that the gas conducts if its temperature differs by as much as itself, above which a warning is
/// given. The former is the error times the number of collisions on the way across the gas, the
/// latter one over that number.
constexpr double warning_heat = 0.01;
/// Like warning_error, for collisions that conserve by targets fitted to the discrete moments: with
/// nodes so far apart a fit is no longer found for every mean velocity.
constexpr double lost_error = 0.02;

/// Discrete moments of a Maxwellian of unit density over the exact ones.
struct DiscreteMoments {
  double density = 1;
  double energy_error = 0;  ///< largest error of a component's variance, over the exact one
};

DiscreteMoments moments_on_grid(const VelocityGrid& velocities, const GasState& state) {
  DiscreteMoments found;
  for (std::size_t d = 0; d < 3; ++d) {
    double line = 0;
    double square = 0;
    const VelocityAxis& axis = velocities[d];
    if (axis.integrated) continue;
    for (std::size_t i = 0; i < axis.nodes.size(); ++i) {
      const double c = axis.nodes[i] - state.velocity[d];
      const double share = axis.weights[i] * std::exp(-c * c / state.temperature);
      line += share;
      square += share * c * c;
    }
    const double whole = std::sqrt(std::numbers::pi * state.temperature);
    found.density *= line / whole;
    found.energy_error =
        std::max(found.energy_error, std::abs(square / (whole * state.temperature / 2) - 1));
  }
  return found;
}

/// What a velocity grid gets wrong of the Maxwellian of a state.
struct StateFaults {
  double outside = 0;  ///< share outside the range of the grid, as far as sums miss it
  double error = 0;    ///< of the discrete density
  double heat = 0;     ///< that collisions make by errors of the sums, see warning_heat
};

/// `collisions`: of a molecule on the way across the gas, 0 if they conserve.
StateFaults faults_of(const VelocityGrid& velocities, const GasState& state, double collisions) {
  const DiscreteMoments moments = moments_on_grid(velocities, state);
  const double error = std::abs(moments.density - 1);
  const double largest = std::max(error, moments.energy_error);
  // A Gauss quadrature integrates over all velocities, whatever its nodes reach.
  const double outside =
      std::min(largest, share_outside(velocities, state.velocity, state.temperature));
  return {outside, error, largest * collisions * collisions};
}

/// Counts the states with a fault and keeps the worst of them.
class FaultyStates {
 public:
  void add(double size, std::size_t state) {
    if (count_++ == 0 || size > worst_) {
      worst_ = size;
      state_ = state;
    }
  }
  /// text(state): what to say of the worst.
  template <class Text>
  void warn(std::vector<std::string>& warnings, const Text& text) const {
    if (count_ == 0) return;
    const std::string others = count_ == 1 ? ""
                               : count_ == 2
                                   ? ", and so for 1 more state"
                                   : ", and so for " + std::to_string(count_ - 1) + " more states";
    warnings.push_back("velocity_grid: " + text(state_) + others);
  }

 private:
  std::size_t count_ = 0;
  double worst_ = 0;
  std::size_t state_ = 0;
};

/// "12 % of the Maxwellian of "initial" (temperature ...)".
std::string left_out_text(const VelocityGrid& velocities, const GasUnits& units,
                          const NamedState& of) {
  const GasState& s = of.state;
  return number_text(rounded(100 * share_outside(velocities, s.velocity, s.temperature))) +
         " % of the Maxwellian of \"" + of.where + "\" (temperature " +
         units.temperature().text(s.temperature) + ", velocity " +
         units.velocity().text(s.velocity[0]) + ", " + units.velocity().text(s.velocity[1]) + ", " +
         units.velocity().text(s.velocity[2]) + ")";
}

/// The rule that such a text continues with where the case is refused.
std::string share_rule() {
  return ", may be at most " + number_text(100 * max_share) +
         " %; widen \"minimum\" and \"maximum\"";
}

/// The worst states of a list. `named(state)` gives one with its name.
class FaultList {
 public:
  /// Takes the faults that matter: `share` is that of the molecules that collide.
  void add(std::size_t state, const StateFaults& faults, double share, double allowed_outside,
           double allowed_error) {
    const double outside = share * faults.outside;
    const double error = share * faults.error;
    if (faults.heat > warning_heat) heated_.add(faults.heat, state);
    if (outside > allowed_outside) {
      left_out_.add(outside, state);
    } else if (error > allowed_error) {
      coarse_.add(error, state);
    }
  }

  template <class Named>
  void warn(const VelocityGrid& velocities, const GasUnits& units, double collisions,
            std::vector<std::string>& warnings, const Named& named) const {
    left_out_.warn(warnings, [&](std::size_t i) {
      return "leaves out " + left_out_text(velocities, units, named(i));
    });
    coarse_.warn(warnings, [&](std::size_t i) {
      const NamedState worst = named(i);
      return "too few velocities for \"" + worst.where +
             "\": the discrete density of its Maxwellian is " +
             number_text(rounded(moments_on_grid(velocities, worst.state).density)) +
             " times the exact one";
    });
    heated_.warn(warnings, [&](std::size_t i) {
      const NamedState worst = named(i);
      const double heat = faults_of(velocities, worst.state, collisions).heat;
      return "the sums over the velocities are wrong by " +
             number_text(rounded(100 * heat / (collisions * collisions))) + " % for \"" +
             worst.where + "\", which makes its " + number_text(rounded(collisions)) +
             " collisions on the way across the gas a source of heat, " +
             number_text(rounded(100 * heat)) +
             " % of what the gas conducts for a difference of T_ref; set "
             "\"collision.conservative\" true, or take more velocities";
    });
  }

 private:
  FaultyStates left_out_;
  FaultyStates coarse_;
  FaultyStates heated_;
};

}  // namespace

void add_side_states(const std::array<SideCondition, 6>& sides, std::vector<NamedState>& states) {
  for (std::size_t side = 0; side < 6; ++side) {
    const SurfaceLaw law = surface_law(sides[side]);
    if ((!law.balanced && !law.open()) || sides[side].is_vacuum()) continue;
    each_condition(sides[side], [&](const SideCondition& part) {
      states.push_back({"boundaries." + side_names[side], part.state});
    });
  }
}

void check_integrated(CaseNode& root, const std::string& key, const std::array<double, 3>& vector,
                      const VelocityGrid& velocities) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (velocities[d].integrated && vector[d] != 0) {
      root.fail(key, "must be 0 along " + axis_names[d] +
                         ", since \"reduced\" integrates this velocity component out");
    }
  }
}

void check_integrated(CaseNode& root, const std::vector<NamedState>& states,
                      const VelocityGrid& velocities, const GasUnits& units) {
  for (const NamedState& named : states) {
    for (std::size_t d = 0; d < 3; ++d) {
      if (velocities[d].integrated && named.state.velocity[d] != 0) {
        root.fail("reduced", "requires that no state moves along " + axis_names[d] +
                                 ", since this velocity component is integrated out; \"" +
                                 named.where + "\" has the velocity " +
                                 units.velocity().text(named.state.velocity[d]));
      }
    }
  }
}

void check_integrated(const GivenFields& given, const VelocityGrid& velocities,
                      const GasUnits& units) {
  // Fields of a run with all velocities are 0 there but for rounding.
  constexpr double rounding = 1e-6;
  for (std::size_t i = 0; i < given.velocity.size(); ++i) {
    if (!velocities[i % 3].integrated || std::fabs(given.velocity[i]) <= rounding) continue;
    throw InputError("initial_fields: the velocity along " + axis_names[i % 3] + " is " +
                     units.velocity().text(given.velocity[i]) +
                     " in a cell, must be 0, since \"reduced\" integrates this velocity component "
                     "out");
  }
}

void check_velocities(CaseNode& root, const VelocityGrid& velocities,
                      const std::vector<NamedState>& states, const GasUnits& units,
                      double collisions, std::vector<std::string>& warnings) {
  FaultList list;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const StateFaults faults = faults_of(velocities, states[i].state, collisions);
    if (faults.outside > max_share) {
      root.fail("velocity_grid",
                "leaves out " + left_out_text(velocities, units, states[i]) + share_rule());
    }
    list.add(i, faults, 1, warning_share, warning_error);
  }
  list.warn(velocities, units, collisions, warnings, [&](std::size_t i) { return states[i]; });
}

LeftOut worst_left_out(const VelocityGrid& velocities, const GasUnits& units, std::size_t count,
                       const std::function<NamedState(std::size_t)>& state) {
  LeftOut worst;
  double most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double outside = faults_of(velocities, state(i).state, 0).outside;
    if (outside <= most) continue;
    most = outside;
    worst.state = i;
  }
  if (most <= warning_share) return worst;
  worst.refused = most > max_share;
  worst.text = "leaves out " + left_out_text(velocities, units, state(worst.state));
  if (worst.refused) worst.text += share_rule();
  return worst;
}

std::vector<std::string> warnings_of_cells(const VelocityGrid& velocities, const GasUnits& units,
                                           const Gas& gas, double length, bool conservative,
                                           const std::array<int, 3>& cells,
                                           const std::function<GasState(std::size_t)>& state) {
  const auto count = static_cast<std::size_t>(cells[0]) * static_cast<std::size_t>(cells[1]) *
                     static_cast<std::size_t>(cells[2]);
  const double collisions = conservative ? 0 : gas.rarefaction * length;
  std::vector<StateFaults> faults(count);
  parallel_for_host("knudsen/kinetic/check_cells", static_cast<std::int64_t>(count),
                    [&](std::int64_t at) {
                      const auto i = static_cast<std::size_t>(at);
                      const GasState here = state(i);
                      if (here.density > 0 && here.temperature > 0) {
                        faults[i] = faults_of(velocities, here, collisions);
                      }
                    });
  FaultList list;
  for (std::size_t i = 0; i < count; ++i) {
    if (faults[i].outside == 0 && faults[i].error == 0 && faults[i].heat == 0) continue;
    const GasState here = state(i);
    const double rate = gas.stress_relaxation_rate(here.density, here.temperature);
    const double share = std::min(1.0, rate * length / std::sqrt(here.temperature));
    list.add(i, faults[i], share, cell_share, conservative ? lost_error : warning_error);
  }
  std::vector<std::string> warnings;
  list.warn(velocities, units, collisions, warnings, [&](std::size_t i) {
    const auto at = [&](std::size_t axis) {
      const auto nx = static_cast<std::size_t>(cells[0]);
      const auto ny = static_cast<std::size_t>(cells[1]);
      return std::to_string(axis == 0 ? i % nx : axis == 1 ? i / nx % ny : i / nx / ny);
    };
    const std::string place = at(0) + ", " + at(1) + (cells[2] > 1 ? ", " + at(2) : "");
    return NamedState{"cell (" + place + ") at the end", state(i)};
  });
  return warnings;
}

double slab_width(const std::array<SideCondition, 6>& sides, std::size_t dimensions,
                  std::size_t axis, double length) {
  int walls = 0;
  for (std::size_t side = 0; side < 2 * dimensions; ++side) {
    const SideCondition& condition = sides[side];
    const bool image = condition.kind == SideKind::symmetry;
    if (side / 2 != axis) {
      if (!image && condition.kind != SideKind::periodic) return 0;
    } else if (condition.kind == SideKind::wall && surface_law(condition).diffuse_share > 0) {
      ++walls;
    } else if (!image && condition.kind != SideKind::antisymmetric) {
      return 0;
    }
  }
  return walls == 0 ? 0 : length * (walls == 2 ? 1 : 2);
}

std::string grazing_warning(std::size_t axis, double slow, const std::string& fault) {
  return "velocity_grid: molecules that cross the gas along " + axis_names[axis] + " slower than " +
         number_text(rounded(slow)) +
         " v_ref collide before, and those that graze the walls carry much of the flow; " + fault +
         " flows and heat flows along the walls off by more than 1 %; use the type \"graded\" "
         "along " +
         axis_names[axis] + " with \"innermost\" at most " + number_text(rounded(slow));
}

void warn_of_grazing_molecules(const std::array<SideCondition, 6>& sides, std::size_t dimensions,
                               const std::array<double, 3>& size, double frequency,
                               const VelocityGrid& velocities,
                               const std::vector<std::array<double, 3>>& drives,
                               std::vector<std::string>& warnings) {
  constexpr double resolved = 0.15;
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    const double slow = frequency * slab_width(sides, dimensions, axis, size[axis]);
    const auto along = [axis](const std::array<double, 3>& vector) {
      for (std::size_t d = 0; d < 3; ++d) {
        if (d != axis && vector[d] != 0) return true;
      }
      return false;
    };
    // Walls that move, or whose temperature changes along them, drive the gas too.
    const auto moves = [&along](const SideCondition& side) {
      bool found = false;
      each_condition(side, [&](const SideCondition& part) {
        found =
            found || along(part.state.velocity) || part.state.temperature != side.state.temperature;
      });
      return found;
    };
    if (!moves(sides[2 * axis]) && !moves(sides[2 * axis + 1]) &&
        std::none_of(drives.begin(), drives.end(), along)) {
      continue;
    }
    // A node at zero stands for velocities up to half the way to the next one.
    double slowest = std::numeric_limits<double>::max();
    for (const double node : velocities[axis].nodes) {
      if (node != 0) slowest = std::min(slowest, std::fabs(node));
    }
    const auto& nodes = velocities[axis].nodes;
    if (std::find(nodes.begin(), nodes.end(), 0.0) != nodes.end()) slowest /= 2;
    if (slow <= 0 || slowest <= resolved * slow) continue;
    warnings.push_back(grazing_warning(axis, slow,
                                       "velocities of which the slowest is above " +
                                           number_text(rounded(resolved * slow)) + ", here " +
                                           number_text(rounded(slowest)) + ", put"));
  }
}

}  // namespace knudsen
