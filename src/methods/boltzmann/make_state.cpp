#include "methods/boltzmann/make_state.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "device/instantiate.hpp"
#include "methods/boltzmann/upload.hpp"
#include "methods/boltzmann/velocity_cells.hpp"
#include "methods/gas/surfaces.hpp"

namespace knudsen::boltzmann {
namespace {

/// Moments of the equilibrium on the velocity grid, in the order of evaluate_products.
template <class Real>
void sum_equilibrium(const VelocityGrid& weighted, Real (&moments)[product_moments]) {
  double sums[product_moments] = {};
  const auto& [along_x, along_y, along_z] = weighted;
  for (std::size_t i = 0; i < along_x.nodes.size(); ++i) {
    for (std::size_t j = 0; j < along_y.nodes.size(); ++j) {
      for (std::size_t k = 0; k < along_z.nodes.size(); ++k) {
        double products[product_moments];
        evaluate_products(along_x.nodes[i], along_y.nodes[j], along_z.nodes[k], products);
        const double weight = along_x.weights[i] * along_y.weights[j] * along_z.weights[k];
        for (int n = 0; n < product_moments; ++n) sums[n] += weight * products[n];
      }
    }
  }
  for (int n = 0; n < product_moments; ++n) moments[n] = static_cast<Real>(sums[n]);
}

/// Allocates an array of the cells of a slab, ghosts in front and behind; its first row is that of
/// the first own cell.
template <class ExecutionSpace, class Real>
View<Real**, ExecutionSpace> cells_of(const std::string& name, const CellSlab& slab,
                                      std::size_t velocities) {
  const auto before =
      static_cast<std::size_t>(slab.ghosts(0)) * static_cast<std::size_t>(slab.layer_cells);
  const auto own = static_cast<std::size_t>(slab.own_cells());
  const View<Real**, ExecutionSpace> all(name, own + static_cast<std::size_t>(slab.ghost_cells()),
                                         velocities);
  return Kokkos::subview(all, std::pair(before, before + own), Kokkos::ALL);
}

}  // namespace

CartesianGrid cell_grid(const PhaseGrid& grid) {
  CartesianGrid cells;
  for (std::size_t d = 0; d < static_cast<std::size_t>(grid.dimensions); ++d) {
    const auto& widths = grid.widths[d];
    cells.cells[d] = grid.cells(d);
    cells.spacing[d] = std::accumulate(widths.begin(), widths.end(), 0.0) / cells.cells[d];
    const auto unequal = [&](double width) {
      return std::abs(width / cells.spacing[d] - 1) > 1e-9;
    };
    if (std::none_of(widths.begin(), widths.end(), unequal)) continue;
    cells.edges[d] = {0};
    for (const double width : widths) cells.edges[d].push_back(cells.edges[d].back() + width);
  }
  return cells;
}

std::vector<CellSlab> slabs_of(const PhaseGrid& grid, int ranks) {
  const std::array<int, 3> cells{grid.cells(0), grid.cells(1), grid.cells(2)};
  const auto axis = static_cast<std::size_t>(CellSlab::of(cells, 0, 1, 0, false).axis);
  const bool periodic = grid.sides[2 * axis].kind == SideKind::periodic;
  std::vector<CellSlab> slabs;
  for (int rank = 0; rank < ranks; ++rank) {
    slabs.push_back(CellSlab::of(cells, rank, ranks, grid.order, periodic));
  }
  return slabs;
}

double maxwellian_deviation(const std::array<double, 3>& velocity, double temperature,
                            const std::array<double, 3>& at, double scale, bool linear) {
  double square = 0;
  double along = 0;
  double speed = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    square += at[d] * at[d];
    along += at[d] * velocity[d];
    speed += velocity[d] * velocity[d];
  }
  const double excess = temperature - 1;
  if (linear) return (2 * along + excess * (square - 1.5)) / scale;
  const double exponent =
      (2 * along - speed + excess * square) / temperature - 1.5 * std::log(temperature);
  return std::expm1(exponent) / scale;
}

double gas_deviation(const GasState& gas, const std::array<double, 3>& at, double scale,
                     bool linear) {
  const double deviation = maxwellian_deviation(gas.velocity, gas.temperature, at, scale, linear);
  return (linear ? deviation : gas.density * deviation) + (gas.density - 1) / scale;
}

namespace {

/// What create_mirror_view makes; its name in Kokkos depends on the version.
template <class ViewType>
using HostCopy = decltype(Kokkos::create_mirror_view(std::declval<const ViewType&>()));

/// Host copies of what State says of surfaces.
template <class ExecutionSpace, class Real>
struct SurfaceRows {
  HostCopy<View<Real**, ExecutionSpace>> offset, gain;
  HostCopy<View<double*, ExecutionSpace>> offset_flux, gain_flux, returned, added_flux;

  /// Sets those of a surface, which is a part of a side. Not half_range_flux: the fluxes are of h,
  /// and of the rounded values that streaming lets in, so that no mass is lost.
  void set(std::size_t surface, const SurfaceLaw& law, std::size_t side, const PhaseGrid& grid,
           const VelocityGrid& weighted, double scale, bool linear, int row_length) const {
    std::size_t place = 0;
    double rest = 0;  // inward mass flux of the gas at rest
    for (std::size_t i = 0; i < grid.velocities[0].nodes.size(); ++i) {
      for (std::size_t j = 0; j < grid.velocities[1].nodes.size(); ++j) {
        for (std::size_t k = 0; k < grid.velocities[2].nodes.size(); ++k) {
          const std::array<double, 3> velocity{grid.velocities[0].nodes[i],
                                               grid.velocities[1].nodes[j],
                                               grid.velocities[2].nodes[k]};
          const double deviation = gas_deviation(law.emitted, velocity, scale, linear);
          offset(surface, place + k) = static_cast<Real>(deviation);
          gain(surface, place + k) =
              static_cast<Real>(law.balanced ? (linear ? 1 : 1 + scale * deviation) : 0);
          const double speed = velocity[side / 2] * (side % 2 == 0 ? 1 : -1);
          if (speed <= 0) continue;
          const double flow =
              speed * weighted[0].weights[i] * weighted[1].weights[j] * weighted[2].weights[k];
          offset_flux(surface) += flow * double(offset(surface, place + k));
          gain_flux(surface) += flow * double(gain(surface, place + k));
          rest += flow;
        }
        place += static_cast<std::size_t>(row_length);
      }
    }
    returned(surface) = law.balance.returned;
    added_flux(surface) = (law.balance.added - (1 - law.balance.returned) * rest) / scale;
  }
};

/// Surfaces of the faces of a side, by their numbers in the slab.
std::vector<int> surfaces_of_side(const PhaseGrid& grid, const Surfaces& surfaces, int side,
                                  const CellSlab& slab) {
  std::array<int, 3> begin{0, 0, 0};
  std::array<int, 3> end{grid.cells(0), grid.cells(1), grid.cells(2)};
  const std::array<int, 3> cells = end;
  const auto cut = static_cast<std::size_t>(slab.axis);
  begin[cut] = slab.first;
  end[cut] = slab.first + slab.count;
  const auto axis = static_cast<std::size_t>(side / 2);
  begin[axis] = 0;
  end[axis] = 1;
  std::vector<int> found;
  for (int z = begin[2]; z < end[2]; ++z) {
    for (int y = begin[1]; y < end[1]; ++y) {
      for (int x = begin[0]; x < end[0]; ++x) {
        found.push_back(surfaces.of_face(side, side_face(cells, side, {x, y, z})));
      }
    }
  }
  return found;
}

}  // namespace

template <class ExecutionSpace, class Real>
State<ExecutionSpace, Real> make_state(const PhaseGrid& grid, double scale, bool linear,
                                       const CellSlab& slab) {
  State<ExecutionSpace, Real> state;
  const VelocityGrid weighted = equilibrium_weighted(grid.velocities);
  state.velocities = make_velocity_space<ExecutionSpace, Real>(weighted);
  const auto& v = state.velocities;
  state.dimensions = grid.dimensions;
  state.order = grid.order;
  state.limiter = grid.limiter;
  for (std::size_t d = 0; d < 3; ++d) {
    std::vector<Real> inverse_weights(v.nodes[d].extent(0));
    for (std::size_t i = 0; i < weighted[d].weights.size(); ++i) {
      inverse_weights[i] = static_cast<Real>(1 / weighted[d].weights[i]);
    }
    state.inverse_weights[d] = upload<ExecutionSpace>("inverse velocity weights", inverse_weights);
    const bool cut = slab.depth > 0 && static_cast<int>(d) == slab.axis;
    state.cells[d] = cut ? slab.count : grid.cells(d);
    state.begin[d] = cut ? -slab.ghosts(0) : 0;
    state.end[d] = state.cells[d] + (cut ? slab.ghosts(1) : 0);
    if (d >= static_cast<std::size_t>(grid.dimensions)) continue;
    std::vector<Real> ratio;
    for (int position = state.begin[d]; position < state.end[d]; ++position) {
      const int layer = cut ? slab.layer_at(position) : position;
      ratio.push_back(
          static_cast<Real>(grid.time_step / grid.widths[d][static_cast<std::size_t>(layer)]));
    }
    state.ratio[d] = upload<ExecutionSpace>("time step over widths", ratio);
  }
  sum_equilibrium(weighted, state.equilibrium_moments);
  const auto velocities = static_cast<std::size_t>(v.size());
  state.h = cells_of<ExecutionSpace, Real>("deviation", slab, velocities);
  state.next = cells_of<ExecutionSpace, Real>("next deviation", slab, velocities);
  const Surfaces surfaces(grid.sides);
  const std::size_t rows = surfaces.conditions.size();
  state.wall_offset = View<Real**, ExecutionSpace>("wall offset", rows, velocities);
  state.wall_gain = View<Real**, ExecutionSpace>("wall gain", rows, velocities);
  state.offset_flux = View<double*, ExecutionSpace>("flux of wall offset", rows);
  state.gain_flux = View<double*, ExecutionSpace>("flux of wall gain", rows);
  state.returned = View<double*, ExecutionSpace>("returned share of mass", rows);
  state.added_flux = View<double*, ExecutionSpace>("added mass flux", rows);
  const SurfaceRows<ExecutionSpace, Real> of_surfaces{
      Kokkos::create_mirror_view(state.wall_offset), Kokkos::create_mirror_view(state.wall_gain),
      Kokkos::create_mirror_view(state.offset_flux), Kokkos::create_mirror_view(state.gain_flux),
      Kokkos::create_mirror_view(state.returned),    Kokkos::create_mirror_view(state.added_flux)};
  std::vector<int> face_surface;
  int faces = 0;
  int reflecting = 0;
  for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(grid.dimensions); ++side) {
    const SurfaceLaw law = surface_law(grid.sides[side]);
    state.first_face[side] = faces;
    faces += state.faces(static_cast<int>(side));
    const auto of_side = surfaces_of_side(grid, surfaces, static_cast<int>(side), slab);
    face_surface.insert(face_surface.end(), of_side.begin(), of_side.end());
    if (slab.depth > 0 && static_cast<int>(side) / 2 == slab.axis &&
        !slab.is_near(static_cast<int>(side) % 2, grid.order)) {
      state.side[side] = SideKind::reservoir;
      continue;
    }
    state.side[side] = grid.sides[side].kind;
    state.balanced[side] = law.balanced;
    state.diffuse_share[side] = static_cast<Real>(law.diffuse_share);
    if (law.specular) {
      state.first_incoming[side] = reflecting;
      reflecting += state.faces(static_cast<int>(side));
    }
    auto surface = static_cast<std::size_t>(surfaces.first_part[side]);
    each_condition(grid.sides[side], [&](const SideCondition& part) {
      of_surfaces.set(surface++, surface_law(part), side, grid, weighted, scale, linear,
                      v.row_length);
    });
  }
  state.face_surface = upload<ExecutionSpace>("surfaces of faces", face_surface);
  Kokkos::deep_copy(state.wall_offset, of_surfaces.offset);
  Kokkos::deep_copy(state.wall_gain, of_surfaces.gain);
  Kokkos::deep_copy(state.offset_flux, of_surfaces.offset_flux);
  Kokkos::deep_copy(state.gain_flux, of_surfaces.gain_flux);
  Kokkos::deep_copy(state.returned, of_surfaces.returned);
  Kokkos::deep_copy(state.added_flux, of_surfaces.added_flux);
  state.incoming =
      View<Real**, ExecutionSpace>("incoming", static_cast<std::size_t>(reflecting), velocities);
  state.wall_density = View<Real*, ExecutionSpace>("wall density", static_cast<std::size_t>(faces));
  return state;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                 \
  template State<ExecutionSpace, Real> make_state<ExecutionSpace, Real>(const PhaseGrid&, double, \
                                                                        bool, const CellSlab&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann
