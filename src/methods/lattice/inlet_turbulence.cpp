#include "methods/lattice/inlet_turbulence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/sides.hpp"
#include "core/text.hpp"
#include "methods/lattice/lattice_case.hpp"

namespace knudsen::lbm {
namespace {

/// Least longitudinal length scale in node spacings. Eddies have about three times that diameter.
constexpr double least_length_scale = 2;
/// Rounding of Reynolds stresses, relative to the largest.
constexpr double stress_rounding = 1e-12;

/// Reynolds stresses in the order of EddyNode::factor, by name.
const std::array<const char*, 6> stress_names{"uu", "uv", "vv", "uw", "vw", "ww"};

std::vector<std::size_t> stresses_in(std::size_t dimensions) {
  if (dimensions == 2) return {0, 1, 2};
  return {0, 1, 2, 3, 4, 5};
}

/// Cholesky factor of a positive semidefinite matrix, in the order of EddyNode::factor. False if
/// the matrix is none.
bool factorise(const std::array<double, 6>& stress, double (&factor)[6]) {
  const double scale = std::max({stress[0], stress[2], stress[5]});
  const auto tiny = [&](double value) { return std::abs(value) <= stress_rounding * scale; };
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const std::size_t row = i * (i + 1) / 2;
      const std::size_t column = j * (j + 1) / 2;
      double rest = stress[row + j];
      for (std::size_t k = 0; k < j; ++k) rest -= factor[row + k] * factor[column + k];
      if (i == j) {
        if (rest < 0 && !tiny(rest)) return false;
        factor[row + j] = tiny(rest) ? 0 : std::sqrt(rest);
      } else {
        const double pivot = factor[column + j];
        if (pivot == 0 && !tiny(rest)) return false;
        factor[row + j] = pivot == 0 ? 0 : rest / pivot;
      }
    }
  }
  return true;
}

/// Reynolds stresses at a node in squares of the lattice's velocities.
std::array<double, 6> stress_at(const InletTurbulence::Keys& keys, const SideFrame& side,
                                const PlacePoint& place, const std::array<double, 4>& mean) {
  std::array<double, 6> stress{};
  const double unit = side.velocity_unit;
  if (keys.intensity || keys.rms) {
    const double speed = std::hypot(mean[0], mean[1], mean[2]);
    for (std::size_t i = 0; i < static_cast<std::size_t>(side.dimensions); ++i) {
      const double rms = keys.intensity ? *keys.intensity * speed : (*keys.rms)[i] * unit;
      stress[i * (i + 3) / 2] = rms * rms;
    }
    return stress;
  }
  for (std::size_t i = 0; i < stress.size(); ++i) {
    if (!keys.stresses.has(stress_names[i])) continue;
    stress[i] = keys.stresses.value(stress_names[i], place) * unit * unit;
  }
  return stress;
}

/// Mean velocity into the domain over the open nodes.
double mean_inflow(const SideFrame& side, const std::vector<std::array<double, 4>>& mean) {
  double sum = 0;
  double open = 0;
  for (std::size_t n = 0; n < mean.size(); ++n) {
    if (side.section.is_open[n] == 0) continue;
    sum += side.inward * mean[n][side.normal];
    ++open;
  }
  return open > 0 ? sum / open : 0;
}

/// The largest length scale in node spacings, with the axis that limits it.
std::pair<double, std::size_t> largest_length_scale(const SideFrame& side) {
  std::pair<double, std::size_t> found{std::numeric_limits<double>::infinity(), 0};
  for (std::size_t d = 0; d + 1 < static_cast<std::size_t>(side.dimensions); ++d) {
    const double nodes = side.section.nodes[d];
    const bool periodic = side.section.ends[d][0] == SectionEnd::periodic;
    const double largest = periodic ? nodes / (2 * eddy_radius(side.dimensions)) : nodes;
    if (largest < found.first) found = {largest, d};
  }
  return found;
}

EddyField make_eddies(const InletTurbulence::Keys& keys, const SideFrame& side, double inflow) {
  const double length = keys.length_scale * side.unit;
  const auto [largest, axis] = largest_length_scale(side);
  if (!(length >= least_length_scale && length <= largest)) {
    const bool periodic = side.section.ends[axis][0] == SectionEnd::periodic;
    throw InputError(keys.length_where + "is " + value_text(length) +
                     " node spacings, must be at least 2 of them and at most " +
                     value_text(largest) + ", since the side has " +
                     std::to_string(side.section.nodes[axis]) + " nodes along " +
                     axis_names[side.axes[axis]] +
                     (periodic ? " and is periodic there, and the diameter of an eddy is " +
                                     value_text(2 * eddy_radius(side.dimensions)) + " length scales"
                               : ""));
  }
  const double radius = eddy_radius(side.dimensions) * length;
  EddyField eddies;
  eddies.seed = mixed_bits(mixed_bits(static_cast<std::uint64_t>(keys.seed)) + 2 * side.normal +
                           (side.inward > 0 ? 0 : 1));
  eddies.plane = side.dimensions == 2;
  eddies.cells_a_step = inflow / radius;
  double density = 1;  // eddies in a cube of the radius
  for (std::size_t d = 0; d + 1 < static_cast<std::size_t>(side.dimensions); ++d) {
    const double nodes = side.section.nodes[d];
    eddies.cells_a_node[d] = 1 / radius;
    if (side.section.ends[d][0] == SectionEnd::periodic) {
      eddies.repeat[d] = static_cast<std::int64_t>(nodes / radius);
      eddies.cells_a_node[d] = static_cast<double>(eddies.repeat[d]) / nodes;
    }
    eddies.cell[d] = 1 / (eddies.cells_a_node[d] * radius);
    density /= eddies.cell[d];
  }
  // Integral of the square of a component of (1 - r^2) turn x r, where each component of the turn
  // is -1 or 1.
  const double of_eddy = eddies.plane ? std::numbers::pi / 24 : 64 * std::numbers::pi / 945;
  eddies.amplitude = 1 / std::sqrt(density * of_eddy);
  return eddies;
}

}  // namespace

double eddy_radius(int dimensions) {
  return dimensions == 2 ? 2835 * std::numbers::pi / 6144 : 32.0 / 21;
}

PlacePoint SideFrame::place(int a, int b) const {
  PlacePoint at{};
  at[normal] = at_normal / unit;
  at[axes[0]] = (a + 0.5) / unit;
  at[axes[1]] = (b + 0.5) / unit;
  return at;
}

void SideFrame::check_table(const PlaceFunctions& functions) const {
  for (std::size_t d = 0; d < 2; ++d) {
    // An axis with one node may be that which a plane domain does not have.
    if (section.nodes[d] > 1) functions.check_width(axes[d], 0, section.nodes[d] / unit);
  }
}

InletTurbulence InletTurbulence::make(const Keys& keys, const SideFrame& side,
                                      const std::vector<std::array<double, 4>>& mean) {
  side.check_table(keys.stresses);
  const double inflow = mean_inflow(side, mean);
  if (!(inflow > 0)) {
    throw InputError(keys.where + "the mean velocity into the domain at step 0 is " +
                     value_text(inflow / side.velocity_unit) +
                     ", must be greater than 0, since it carries the eddies in; give the side a "
                     "velocity into the domain or leave \"turbulence\" out");
  }
  InletTurbulence made;
  Fluctuations& fluctuations = made.fluctuations;
  fluctuations.eddies = make_eddies(keys, side, inflow);
  fluctuations.normal = static_cast<int>(side.normal);
  fluctuations.inward = side.inward;
  fluctuations.nodes = side.section.nodes[0];
  for (std::size_t d = 0; d < 2; ++d) fluctuations.axes[d] = static_cast<int>(side.axes[d]);
  made.nodes.resize(side.section.size());
  double shares = 0;
  for (int b = 0; b < side.section.nodes[1]; ++b) {
    for (int a = 0; a < side.section.nodes[0]; ++a) {
      const std::size_t n = side.section.index(a, b);
      if (side.section.is_open[n] == 0) continue;
      EddyNode& node = made.nodes[n];
      const PlacePoint place = side.place(a, b);
      const std::array<double, 6> stress = stress_at(keys, side, place, mean[n]);
      if (!factorise(stress, node.factor)) {
        std::string text;
        for (std::size_t d = 0; d < static_cast<std::size_t>(side.dimensions); ++d) {
          text += (d == 0 ? "" : ", ") + axis_names[d] + " = " + number_text(place[d]);
        }
        throw InputError(keys.stress_where + "the tensor is not positive semidefinite at " + text +
                         "; the square of a shear stress may be at most the product of its two "
                         "normal stresses, and these must not be negative");
      }
      for (std::size_t i = 0; i < 3; ++i) {
        made.largest_rms = std::max(made.largest_rms, std::sqrt(stress[i * (i + 3) / 2]));
      }
      node.share = std::sqrt(stress[side.normal * (side.normal + 3) / 2]);
      shares += node.share;
    }
  }
  for (EddyNode& node : made.nodes) node.share = shares > 0 ? node.share / shares : 0;
  return made;
}

std::optional<InletTurbulence::Keys> read_turbulence(CaseNode& side, std::size_t dimensions) {
  std::optional<InletTurbulence::Keys> found;
  side.object(
      "turbulence",
      "Fluctuations that are added to the profile: random eddies, which the mean velocity carries "
      "in. Give `intensity`, `rms` or `reynolds_stresses`. The flow rate does not fluctuate.",
      [&](CaseNode& node) {
        InletTurbulence::Keys keys;
        keys.intensity =
            node.number("intensity",
                        "Root mean square of each component of the velocity over the mean speed at "
                        "the same place.",
                        Range{0, 1, true, false});
        keys.rms = node.numbers("rms", dimensions,
                                "Root mean squares of the components along the axes, everywhere on "
                                "the side, " +
                                    velocity_unit_text + ".",
                                Range::at_least(0));
        node.object("reynolds_stresses",
                    "Covariances of the components of the velocity, 0 if they are not given: by "
                    "formulas of the coordinates x, y and z in the case's length unit, or a file.",
                    [&](CaseNode& block) {
                      std::vector<PlacedQuantity> quantities;
                      for (const std::size_t i : stresses_in(dimensions)) {
                        const std::string name = stress_names[i];
                        quantities.push_back(
                            {name,
                             "Covariance <" + name.substr(0, 1) + "' " + name.substr(1) +
                                 "'>, in squares of the characteristic velocity, or in m^2/s^2 in "
                                 "a case in SI units.",
                             name[0] == name[1] ? Range::at_least(0) : Range::any()});
                      }
                      keys.stresses = PlaceFunctions(block, quantities, {});
                      if (keys.stresses.empty()) block.fail("", "must give a stress or \"file\"");
                    });
        keys.length_scale = node.require_number(
            "length_scale",
            "Longitudinal integral length scale in the case's length unit: at least two node "
            "spacings. Over the mean velocity it is the integral time scale at the side.",
            Range::positive());
        keys.seed = node.integer_or("seed", 1,
                                    "Seed of the random numbers. The same seed gives the same "
                                    "fluctuations.",
                                    Range::at_least(0));
        if (node.describing()) return;
        const int given =
            (keys.intensity ? 1 : 0) + (keys.rms ? 1 : 0) + (node.has("reynolds_stresses") ? 1 : 0);
        if (given != 1) {
          node.fail("", "must give one of \"intensity\", \"rms\" and \"reynolds_stresses\"");
        }
        keys.where = node.message("", "");
        keys.length_where = node.message("length_scale", "");
        keys.stress_where = node.message("reynolds_stresses", "");
        found = std::move(keys);
      });
  return found;
}

}  // namespace knudsen::lbm
