#include "methods/lattice/open_profile.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/sides.hpp"
#include "core/text.hpp"
#include "methods/lattice/lattice_case.hpp"

namespace knudsen::lbm {
namespace {

using Shape = OpenProfile::Keys::Shape;

/// Most nodes of a side with a profile, whose values are all kept.
constexpr std::size_t max_profile_nodes = 16777216;

const std::string places =
    "formulas of the time t in steps (SI: s) and of the coordinates x, y and z in the case's "
    "length unit, "
    "or a file. The values at the nodes of the side are taken.";

const std::string& velocity_name(std::size_t axis) {
  static const std::array<std::string, 3> names{"velocity_x", "velocity_y", "velocity_z"};
  return names.at(axis);
}

double parabola(double position) { return 4 * position * (1 - position); }

OpenProfile::Values limited(std::vector<Prescribed> at_nodes) {
  OpenProfile::Values values{std::move(at_nodes)};
  for (const auto& [u, v, w, deviation] : values.at_nodes) {
    values.speed = std::max(values.speed, std::sqrt(u * u + v * v + w * w));
    values.least_density_deviation = std::min(values.least_density_deviation, deviation);
    values.largest_density_deviation = std::max(values.largest_density_deviation, deviation);
  }
  return values;
}

void read_waveform(CaseNode& side, const std::string& what, OpenProfile::Keys& keys) {
  side.object(
      "waveform", "Factor of " + what + " that depends on the time t.",
      [&](CaseNode& node) { keys.waveform.emplace(node, "steps, or in s in a case in SI units"); });
  keys.side = side.message("", "");
  keys.where = side.message("profile", "");
}

/// Reads the keys of a profile in place of the side's `key`.
PlaceFunctions read_functions(CaseNode& side, CaseNode& block, const std::string& key,
                              const std::vector<PlacedQuantity>& quantities) {
  PlaceFunctions functions(block, quantities, {.time = true});
  if (block.describing()) return functions;
  if (functions.empty()) {
    std::vector<std::string> names;
    for (const PlacedQuantity& each : quantities) names.push_back(each.name);
    block.fail("", "must give one of " + quote_list(names) + " or \"file\"");
  }
  if (side.has(key)) side.fail(key, "\"profile\" sets it already; leave one of them out");
  return functions;
}

}  // namespace

std::vector<double> read_velocity_profile(CaseNode& side, const Fluid& fluid,
                                          std::size_t dimensions, OpenProfile::Keys& keys) {
  const std::string components = dimensions == 2 ? "[u, v]" : "[u, v, w]";
  std::vector<double> velocity =
      side.numbers_or("velocity", std::vector<double>(dimensions, 0), dimensions,
                      "Velocity " + components + ", " + velocity_unit_text +
                          ": with the parabolic profile its peak, with power-law and "
                          "fully-developed the mean over the open nodes of the side.");
  keys.flow_rate = read_flow_rate(
      side, fluid, dimensions,
      "into the domain, in place of `velocity`; negative: out of it. The profile is scaled so that "
      "its sum over the open nodes of the side is the flow rate exactly.");
  const std::string chosen = side.choice_or_object(
      "profile", "uniform", {"uniform", "parabolic", "power-law", "fully-developed"},
      std::string("Velocity profile. parabolic: along ") +
          (dimensions == 2 ? "the side" : "those axes of the side that are not periodic") +
          ". power-law: "
          "distance to the nearest wall to the power of 1 / `exponent`. fully-developed: laminar "
          "flow "
          "through the cross-section that walls and solids leave open. Or the components of the "
          "velocity, 0 if they are not given, " +
          velocity_unit_text + ": " + places,
      [&](CaseNode& block) {
        keys.shape = Shape::functions;
        std::vector<PlacedQuantity> quantities;
        for (std::size_t d = 0; d < dimensions; ++d) {
          quantities.push_back({velocity_name(d),
                                "Velocity along " + axis_names[d] + ", " + velocity_unit_text + ".",
                                Range::any()});
        }
        keys.functions = read_functions(side, block, "velocity", quantities);
      });
  if (chosen == "parabolic") keys.shape = Shape::parabolic;
  if (chosen == "power-law") keys.shape = Shape::power_law;
  if (chosen == "fully-developed") keys.shape = Shape::fully_developed;
  keys.exponent = side.number_or("exponent", 7, "Exponent n of the power law with the power 1 / n.",
                                 Range::between(1, 100));
  if (side.has("exponent") && chosen != "power-law") {
    side.fail("exponent", "belongs to the profile \"power-law\"");
  }
  if (keys.flow_rate && side.has("velocity")) {
    side.fail(keys.flow_rate->key, "\"velocity\" is given too; leave one of them out");
  }
  if (keys.flow_rate && keys.shape == Shape::functions) {
    side.fail(keys.flow_rate->key,
              "belongs to the profiles \"uniform\", \"parabolic\", \"power-law\" and "
              "\"fully-developed\"; an object sets the velocity itself");
  }
  read_waveform(side, "the velocity", keys);
  keys.turbulence = read_turbulence(side, dimensions);
  return velocity;
}

double read_pressure_profile(CaseNode& side, const Fluid& fluid, OpenProfile::Keys& keys,
                             std::vector<std::string>& warnings) {
  const PlacedQuantity density{"density", "Density, in units of the reference density.",
                               density_range};
  const PlacedQuantity pressure{
      "pressure", "Gauge pressure in Pa; in place of `density` in a case in SI units.",
      Range::any()};
  const double given = read_side_density(side, fluid, warnings);
  side.object("profile", "Density that depends on place or time: " + places, [&](CaseNode& block) {
    keys.shape = Shape::functions;
    const std::string& key = (fluid.si ? pressure : density).name;
    const std::string& other = (fluid.si ? density : pressure).name;
    keys.functions = read_functions(side, block, key, {density, pressure});
    if (keys.functions.has(other)) {
      block.fail("", "found " + quote(other) + ", must be " + quote(key) +
                         (fluid.si ? " in a case in SI units" : " in a case in lattice units"));
    }
  });
  read_waveform(side, "the density's deviation from 1", keys);
  return given;
}

bool OpenProfile::Keys::may_be_made(bool solids_are_built, bool estimated) const {
  // An estimated problem is read again before a run.
  const bool takes_long = shape == Shape::fully_developed || shape == Shape::power_law;
  return solids_are_built && !(estimated && takes_long);
}

int Box::body(const At& at) const { return bodies->empty() ? -1 : (*bodies)[planes(at)]; }

OpenProfile::Place Box::place_of(std::size_t side) const {
  OpenProfile::Place place;
  place.normal = side / 2;
  place.axes = {place.normal == 0 ? std::size_t{1} : 0, place.normal == 2 ? std::size_t{1} : 2};
  At first{};
  first[place.normal] = side % 2 == 0 ? 0 : nodes[place.normal] - 1;
  place.inward = side % 2 == 0 ? 1 : -1;
  place.at_normal = side % 2 == 0 ? 0 : nodes[place.normal];
  CrossSection& section = place.section;
  for (std::size_t d = 0; d < 2; ++d) {
    const std::size_t low = 2 * place.axes[d];
    section.nodes[d] = nodes[place.axes[d]];
    section.ends[d] = {ends[low], ends[low + 1]};
    section.walls_move = section.walls_move || wall_moves[low] || wall_moves[low + 1];
    place.parabola[d] = ends[low] != SectionEnd::periodic;
  }
  const auto node = [first, axes = place.axes](int a, int b) {
    At at = first;
    at[axes[0]] = a;
    at[axes[1]] = b;
    return at;
  };
  for (int b = 0; b < section.nodes[1]; ++b) {
    for (int a = 0; a < section.nodes[0]; ++a) {
      const int found = body(node(a, b));
      section.is_open.push_back(found < 0 ? 1 : 0);
      section.walls_move =
          section.walls_move || (found >= 0 && body_moves[static_cast<std::size_t>(found)]);
    }
  }
  if (!wall_distance) return place;
  section.wall_distance = [box = *this, node, axes = place.axes](int a, int b, int axis,
                                                                 int direction) {
    const At at = node(a, b);
    At next = at;
    const std::size_t along = axes[static_cast<std::size_t>(axis)];
    next[along] += direction;
    const bool inside = next[along] >= 0 && next[along] < box.nodes[along];
    return inside ? box.wall_distance(at, next, box.body(next)) : -1.0;
  };
  return place;
}

OpenProfile::OpenProfile(Keys keys, Place place)
    : keys_(std::move(keys)), place_(std::move(place)) {
  const CrossSection& section = place_.section;
  if (section.size() > max_profile_nodes) {
    throw InputError(keys_.where + "the side has " + std::to_string(section.size()) +
                     " nodes, may have at most " + std::to_string(max_profile_nodes) +
                     " with a profile");
  }
  if (keys_.shape == Shape::functions) {
    place_.check_table(keys_.functions);
    values_ = profile(0);
  } else {
    const std::vector<double> values = shape();
    std::array<double, 3> velocity = place_.velocity;
    if (keys_.flow_rate) {
      double sum = 0;
      for (std::size_t n = 0; n < values.size(); ++n) {
        if (section.is_open[n] != 0) sum += values[n];
      }
      if (sum == 0) {
        throw InputError(keys_.side + "solids cover the whole side, so it can have no " +
                         keys_.flow_rate->key +
                         "; leave some of "
                         "its nodes open");
      }
      const double area_unit = std::pow(place_.unit, place_.dimensions - 1);
      velocity = {0, 0, 0};
      velocity[place_.normal] =
          place_.inward * keys_.flow_rate->value * place_.velocity_unit * area_unit / sum;
    }
    std::vector<Prescribed> at_nodes;
    at_nodes.reserve(values.size());
    for (std::size_t n = 0; n < values.size(); ++n) {
      const double value = keys_.flow_rate && section.is_open[n] == 0 ? 0 : values[n];
      at_nodes.push_back(
          {value * velocity[0], value * velocity[1], value * velocity[2], place_.density - 1});
    }
    values_ = limited(std::move(at_nodes));
  }
  place_.section.wall_distance = {};  // refers to solids of the caller
  if (keys_.turbulence) {
    turbulence_ = InletTurbulence::make(*keys_.turbulence, place_, values_.at_nodes);
  }
  factor(0, values_);
}

std::vector<double> OpenProfile::shape() const {
  const CrossSection& section = place_.section;
  try {
    if (keys_.shape == Shape::fully_developed) return fully_developed_shape(section);
    if (keys_.shape == Shape::power_law) return power_law_shape(section, keys_.exponent);
  } catch (const InputError& error) {
    throw InputError(keys_.where + error.what());
  }
  std::vector<double> shape(section.size(), 1);
  if (keys_.shape == Shape::uniform) return shape;
  for (int b = 0; b < section.nodes[1]; ++b) {
    for (int a = 0; a < section.nodes[0]; ++a) {
      double& value = shape[section.index(a, b)];
      if (place_.parabola[0]) value *= parabola((a + 0.5) / section.nodes[0]);
      if (place_.parabola[1]) value *= parabola((b + 0.5) / section.nodes[1]);
    }
  }
  return shape;
}

double OpenProfile::time_of(std::int64_t step) const {
  return static_cast<double>(step) * (place_.si ? place_.si->time_step : 1);
}

OpenProfile::Values OpenProfile::profile(std::int64_t step) const {
  const CrossSection& section = place_.section;
  const double time = time_of(step);
  std::vector<Prescribed> at_nodes(section.size(), Prescribed{});
  for (int b = 0; b < section.nodes[1]; ++b) {
    for (int a = 0; a < section.nodes[0]; ++a) {
      const std::size_t n = section.index(a, b);
      if (section.is_open[n] == 0) continue;
      const PlacePoint at = place_.place(a, b);
      for (std::size_t d = 0; d < 3; ++d) {
        const std::string& name = velocity_name(d);
        if (!keys_.functions.has(name)) continue;
        at_nodes[n][d] = place_.velocity_unit * keys_.functions.value(name, at, time);
      }
      if (keys_.functions.has("density")) {
        at_nodes[n][3] = keys_.functions.value("density", at, time) - 1;
      } else if (keys_.functions.has("pressure")) {
        at_nodes[n][3] = place_.si->density_at(keys_.functions.value("pressure", at, time)) - 1;
      }
    }
  }
  return limited(std::move(at_nodes));
}

double OpenProfile::factor(std::int64_t step, const Values& values) const {
  const double factor = keys_.waveform ? (*keys_.waveform)(time_of(step)) : 1;
  const std::string at_step = " at step " + std::to_string(step);
  const double speed = std::abs(factor) * (values.speed + gust());
  if (is_too_fast(speed)) {
    throw InputError(keys_.side +
                     (turbulence_ ? "with four times the rms of its turbulence, the " : "") +
                     speed_text(speed) + at_step + mach_rule);
  }
  for (const double deviation :
       {values.least_density_deviation, values.largest_density_deviation}) {
    const double density = 1 + factor * deviation;
    if (density_range.contains(density)) continue;
    throw InputError(keys_.side + "the density is " + number_text(density) + at_step +
                     ", must be " + density_range.text());
  }
  return factor;
}

double OpenProfile::largest_speed() const {
  return (values_.speed + gust()) * (keys_.waveform ? keys_.waveform->largest().value_or(1) : 1);
}

void check_drift(double initial_mass, double mass, std::vector<std::string>& warnings) {
  constexpr double much = 1e-3;
  const double change = initial_mass > 0 ? mass / initial_mass - 1 : 0;
  if (!(std::abs(change) > much)) return;
  warnings.push_back(
      "the mass changed by " + value_text(100 * change) +
      " % since the start, though nothing enters or leaves, and with it the density; "
      "\"interpolated\" walls do not keep it: take \"half-way\" walls, or a side "
      "that holds the pressure");
}

}  // namespace knudsen::lbm
