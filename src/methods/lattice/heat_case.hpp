#pragma once

// The block "heat" of a case and the thermal conditions of its sides and solids, for all lattice
// methods. A passive scalar is a temperature without gravity.

#include <array>
#include <optional>
#include <vector>

#include "lattice/scalar.hpp"
#include "methods/lattice/lattice_case.hpp"

namespace knudsen::lbm {

/// A solid with a temperature of its own.
struct Conduction {
  double conductivity = 1;          ///< over that of the fluid
  double heat_capacity = 1;         ///< of a unit of volume, over that of the fluid
  std::optional<double> initial{};  ///< temperature less the reference; default: that of the fluid
};

/// Where a surface cuts a link of the scalar.
struct WallPlace {
  double distance = 0.5;  ///< from the node, in node spacings
  double facing = 1;      ///< area of the surface for this link: cosine of link and normal
};

/// What a surface does to the population of the scalar that comes from it.
struct SurfaceLink : ScalarLink<double> {
  ScalarShare<double> share{};

  bool has_share() const { return share.of_value != 0 || share.carried != 0; }
};

/// What a side or a solid does to the temperature.
struct SurfaceHeat {
  enum class Kind {
    flux,         ///< `value` enters the fluid through a node spacing^2 a step; 0: adiabatic
    temperature,  ///< `value`, less the reference temperature
    exchange,     ///< `coefficient` x (`value` - temperature at the wall) enters; value as above
    outflow       ///< the flow carries the temperature of the node through
  };
  Kind kind = Kind::flux;
  double value = 0;
  double coefficient = 0;                  ///< node spacings a step
  std::optional<Conduction> conduction{};  ///< of a solid with a temperature of its own
  bool entering = false;                   ///< a temperature that holds at nodes of an open side

  /// What it does on a link that it cuts, with the weight of the population. `share`: of what
  /// passes through a node spacing^2 of the surface, that over this link.
  SurfaceLink link(double weight, double diffusivity, const WallPlace& place = {},
                   double share = 1) const;
  /// Whether that depends on WallPlace::facing.
  bool has_area() const { return kind == Kind::exchange || (kind == Kind::flux && value != 0); }
  /// Whether it is neither adiabatic nor an outflow.
  bool heats() const { return kind != Kind::outflow && (kind != Kind::flux || value != 0); }
};

/// Temperature of a fluid, in lattice units but for temperatures, whose unit is that of the case.
struct Heat {
  double diffusivity = 0;
  double magic = 0.25;  ///< (1 / antisymmetric rate - 1/2) (1 / symmetric rate - 1/2)
  double diffusivity_factor = 1.0 / 3;  ///< of the lattice of the scalar
  /// Weights of the equilibrium: of moving populations, and in the fluid of that at rest. See
  /// set_conduction.
  double weight = diffusivity_factor / 2;
  double rest_weight = diffusivity_factor;
  std::optional<double> heat_capacity;  ///< of a unit of volume of the fluid, J/(m^3 K)
  double reference = 0;                 ///< temperature without buoyancy
  std::optional<double> difference;     ///< temperature difference of the dimensionless numbers
  std::optional<double> rayleigh;
  std::array<double, 3> buoyancy{0, 0, 0};  ///< force per volume and temperature
  double initial = 0;                       ///< temperature less the reference
  /// What populations that sum to 1 stand for. See set_stored_unit.
  double stored_unit = 1;
  std::array<SurfaceHeat, 6> sides;
  std::vector<SurfaceHeat> solids;

  void set_lattice(double factor) {
    diffusivity_factor = factor;
    weight = factor / 2;
    rest_weight = factor;
  }
  bool buoyant() const { return buoyancy != std::array<double, 3>{0, 0, 0}; }
  /// In the fluid, or in a solid with this conductivity over that of the fluid.
  double relaxation_time(double conductivity = 1) const {
    return diffusivity * conductivity / (2 * weight) + 0.5;
  }
  /// Likewise.
  ScalarParameters<double> parameters(double conductivity = 1) const;
  /// The conduction in a solid, null if it has none. `body` may be -1, the fluid.
  const Conduction* conduction(int body) const {
    if (body < 0 || static_cast<std::size_t>(body) >= solids.size()) return nullptr;
    const auto& found = solids[static_cast<std::size_t>(body)].conduction;
    return found ? &*found : nullptr;
  }
  bool any_conduction() const;
};

/// Reads the block "heat"; nothing if the case has none. Throws InputError.
std::optional<Heat> read_heat(CaseNode& root, const Fluid& fluid, std::size_t dimensions,
                              double diffusivity_factor, std::vector<std::string>& warnings);

/// Reads the keys "temperature", "heat_transfer_coefficient" and "heat_flux" of a wall or a solid.
/// Throws InputError if the case gives one of them without "heat".
SurfaceHeat read_wall_heat(CaseNode& surface, const std::optional<Heat>& heat, const Fluid& fluid,
                           std::vector<std::string>& warnings);
/// Reads these keys of a solid, or its block "conduction".
SurfaceHeat read_solid_heat(CaseNode& solid, const std::optional<Heat>& heat, const Fluid& fluid,
                            std::vector<std::string>& warnings);
/// Sets the weights of the scalar for the solids that conduct, once all are read. Throws InputError
/// if the relaxation time of one of them is not possible, or if walls are interpolated.
void set_conduction(CaseNode& geometry, const Fluid& fluid, Heat& heat, bool interpolated,
                    std::vector<std::string>& warnings);

/// A relaxation time of a scalar below this has a warning.
constexpr double near_half = 0.502;
/// What the warning says of it.
std::string text_near_half(double relaxation_time);

/// Sets the unit of populations that are stored in 16 bits, once all temperatures are read: a power
/// of two, so that nothing is rounded by it. `extent`: the largest of the domain. Throws InputError
/// if the case says nothing of the differences in temperature.
void set_stored_unit(CaseNode& root, double extent, Heat& heat);

/// Reads the key "temperature" of an open side. Without it, what enters through a side with a given
/// velocity has the reference temperature; any other side lets the temperature out.
SurfaceHeat read_open_heat(CaseNode& side, const std::optional<Heat>& heat, bool gives_velocity);
/// Reads the key "temperature" of the initial state.
void read_initial_heat(CaseNode& initial, std::optional<Heat>& heat);

/// The unit of density x heat capacity, in cases that give it.
inline const std::string heat_capacity_unit = "C_0";
/// The units of a case in SI, with that of the heat capacity if the case gives it.
SiUnits units_in_si(const SiScales& scales, const std::optional<Heat>& heat, int dimensions);

/// Adds diffusivity, relaxation time and dimensionless numbers.
void describe_heat(const Heat& heat, const Fluid& fluid, std::vector<ResolvedValue>& resolved);

}  // namespace knudsen::lbm
