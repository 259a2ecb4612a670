#include "methods/bgkw/make_phase_space.hpp"

#include <algorithm>

#include "device/instantiate.hpp"
#include "device/to_list.hpp"
#include "kinetic/surface.hpp"
#include "methods/bgkw/kernels.hpp"
#include "methods/bgkw/side_flow.hpp"
#include "methods/bgkw/wall_scattering.hpp"
#include "methods/gas/surfaces.hpp"

namespace knudsen::bgkw {
namespace {

/// Bytes of one row of cells of a strip, chosen such that a few rows stay in the cache.
template <class ExecutionSpace>
constexpr std::size_t strip_bytes =
    is_host_backend<ExecutionSpace> ? std::size_t{1} << 18 : std::size_t{1} << 23;

}  // namespace

Neighbours find_neighbours(const PhaseGrid& grid) {
  /// Surface of the solid that covers a cell, 0 for gas, since surfaces of solids start at 6.
  const auto solid_surface = [&](int cell) {
    if (grid.solids.body.empty()) return 0;
    const int body = grid.solids.body[static_cast<std::size_t>(cell)];
    return body < 0 ? 0 : 6 + body;
  };
  const Surfaces surfaces(grid.sides, grid.solids);
  Neighbours found;
  found.of_cell.resize(static_cast<std::size_t>(grid.cell_count()));
  std::vector<std::vector<Face>> faces(6 + grid.solids.bodies.size());
  for (int cell = 0; cell < grid.cell_count(); ++cell) {
    auto& neighbours = found.of_cell[static_cast<std::size_t>(cell)];
    if (solid_surface(cell) != 0) {
      neighbours.fill(PhaseSpace<HostExecutionSpace, float>::solid);
      continue;
    }
    const CutCell* cut = grid.solids.cut_cell(static_cast<std::size_t>(cell));
    int stride = 1;
    for (int direction = 0; direction < grid.direction_count(); ++direction) {
      const auto axis = static_cast<std::size_t>(direction / 2);
      const int n = grid.cells[axis];
      const int here = cell / stride % n;
      const bool high = direction % 2 == 1;
      int beside = cell + (high ? stride : -stride);
      int surface = 0;
      const bool outside = here == (high ? n - 1 : 0);
      const bool periodic =
          grid.sides[static_cast<std::size_t>(direction)].kind == SideKind::periodic;
      if (outside && periodic) beside += (high ? -n : n) * stride;
      if (cut != nullptr && cut->open[static_cast<std::size_t>(direction)] == 0) {
        beside = cell;
      } else if (outside && !periodic) {
        const auto face = side_face(grid.cells, direction, grid.cell_at(cell));
        faces[static_cast<std::size_t>(direction)].push_back(
            {cell, direction, surfaces.of_face(direction, face)});
        beside = -1;
      } else {
        surface = solid_surface(beside);
        if (surface != 0) {
          faces[static_cast<std::size_t>(surface)].push_back({cell, direction, surface});
          beside = -1;
        }
      }
      neighbours[static_cast<std::size_t>(direction)] = beside;
      if (high) stride *= n;
    }
  }
  for (const auto& of_body : faces) {
    found.first_face.push_back(static_cast<int>(found.faces.size()));
    for (const Face& face : of_body) {
      found.of_cell[static_cast<std::size_t>(face.cell)][static_cast<std::size_t>(face.direction)] =
          -1 - static_cast<int>(found.faces.size());
      found.faces.push_back(face);
    }
  }
  found.first_face.push_back(static_cast<int>(found.faces.size()));
  return found;
}

Neighbours neighbours_in_slab(const PhaseGrid& grid, const Neighbours& all, const CellSlab& slab) {
  constexpr int solid = PhaseSpace<HostExecutionSpace, float>::solid;
  if (slab.depth == 0) return all;
  Neighbours found;
  const int layer_cells = slab.layer_cells;
  const int directions = grid.direction_count();
  found.of_cell.resize(static_cast<std::size_t>(slab.own_cells()) +
                       static_cast<std::size_t>(slab.ghost_cells()));
  const auto cell_at = [&](int place, int in_layer) {
    return slab.with_ghosts_behind(place) * layer_cells + in_layer;
  };
  // Own faces keep the order of all faces.
  std::vector<int> own_face(all.faces.size(), -1);
  for (std::size_t n = 0; n < all.faces.size(); ++n) {
    Face face = all.faces[n];
    if (!slab.owns(face.cell)) continue;
    face.cell -= slab.first_cell();
    own_face[n] = static_cast<int>(found.faces.size());
    found.faces.push_back(face);
  }
  for (int place = -slab.ghosts(0); place < slab.count + slab.ghosts(1); ++place) {
    const bool own = place >= 0 && place < slab.count;
    for (int in_layer = 0; in_layer < layer_cells; ++in_layer) {
      const int cell = cell_at(place, in_layer);
      const int number = slab.layer_at(place) * layer_cells + in_layer;
      const auto& in_box = all.of_cell[static_cast<std::size_t>(number)];
      auto& here = found.of_cell[static_cast<std::size_t>(cell)];
      here = in_box;
      if (in_box[0] == solid) continue;
      for (int direction = 0; direction < directions; ++direction) {
        const auto n = static_cast<std::size_t>(direction);
        const bool across = direction / 2 == slab.axis;
        // Beyond a closed face it is the cell itself.
        const bool leaves = across && in_box[n] != number;
        const int next = leaves ? place + (direction % 2 == 1 ? 1 : -1) : place;
        if (!own && (!across || slab.depth == 1)) {
          here[n] = cell;  // no streaming goes on from there
        } else if (in_box[n] >= 0) {
          // A streaming ends before it leaves the outermost ghosts.
          here[n] = slab.stores(next) ? cell_at(next, in_box[n] % layer_cells) : cell;
        } else if (own) {
          here[n] = -1 - own_face[static_cast<std::size_t>(-1 - in_box[n])];
        } else {
          Face face = all.faces[static_cast<std::size_t>(-1 - in_box[n])];
          face.cell = cell;
          here[n] = -1 - static_cast<int>(found.faces.size());
          found.faces.push_back(face);
        }
      }
    }
  }
  return found;
}

template <class Real>
std::vector<CellSlab> slabs_of(const PhaseGrid& grid, int ranks) {
  const auto axis = static_cast<std::size_t>(CellSlab::of(grid.cells, 0, 1, 0, false).axis);
  // Courant numbers as the kernels round them.
  const auto crossing = static_cast<Real>(grid.time_step / grid.spacing[axis]);
  int shift = 0;
  for (const double node : grid.velocities[axis].nodes) {
    shift = std::max(shift, static_cast<int>(math::fabs(static_cast<Real>(node) * crossing)));
  }
  const bool periodic = grid.sides[2 * axis].kind == SideKind::periodic;
  std::vector<CellSlab> slabs;
  for (int rank = 0; rank < ranks; ++rank) {
    slabs.push_back(CellSlab::of(grid.cells, rank, ranks, shift + grid.order, periodic));
  }
  return slabs;
}
template std::vector<CellSlab> slabs_of<float>(const PhaseGrid&, int);
template std::vector<CellSlab> slabs_of<double>(const PhaseGrid&, int);

namespace {

/// Sets the velocities, the sizes of the box, the Courant numbers and the order of streaming.
template <class ExecutionSpace, class Real>
void set_geometry(const PhaseGrid& grid, const CellSlab& slab,
                  PhaseSpace<ExecutionSpace, Real>& space) {
  space.velocities = make_velocity_space<ExecutionSpace, Real>(grid.velocities);
  space.dimensions = grid.dimensions;
  space.split = grid.split;
  space.order = grid.order;
  space.in_stages = grid.in_stages();
  space.limiter = grid.limiter;
  const std::array<int, 6> reversed = reversed_components(grid.sides);
  std::copy(reversed.begin(), reversed.end(), space.reversed);
  for (std::size_t d = 0; d < 3; ++d) {
    space.cells[d] = grid.cells[d];
    if (static_cast<int>(d) >= grid.dimensions) continue;
    space.crossing[d] = static_cast<Real>(grid.time_step / grid.spacing[d]);
    space.max_courant_sum += grid.velocities[d].max_speed() * grid.time_step / grid.spacing[d];
  }
  space.cells[slab.axis] = slab.count;
  space.has_equal_cells = grid.has_equal_cells();
}

/// Sets the Courant numbers of unequal cells, and for order 2 the numbers of GrowingCell from the
/// neighbours of the cells of a slab.
template <class ExecutionSpace, class Real>
void set_crossings(const PhaseGrid& grid, const CellSlab& slab,
                   const std::vector<std::array<int, 6>>& neighbours,
                   PhaseSpace<ExecutionSpace, Real>& space) {
  if (space.has_equal_cells) return;
  std::vector<Real> crossings;
  for (int d = 0; d < 3; ++d) {
    const int first = d == slab.axis ? slab.first : 0;
    for (int i = 0; i < space.cells[d]; ++i) {
      const double width = grid.width(static_cast<std::size_t>(d), first + i);
      crossings.push_back(static_cast<Real>(grid.time_step / width));
    }
  }
  if (space.has_slopes_of_widths()) {
    const auto axes = static_cast<std::size_t>(grid.dimensions);
    std::vector<double> widths(neighbours.size() * axes);
    for (int place = -slab.ghosts(0); place < slab.count + slab.ghosts(1); ++place) {
      for (int n = 0; n < slab.layer_cells; ++n) {
        const int stored = slab.with_ghosts_behind(place) * slab.layer_cells + n;
        const std::array<int, 3> at = grid.cell_at(slab.layer_at(place) * slab.layer_cells + n);
        for (std::size_t d = 0; d < axes; ++d) {
          widths[static_cast<std::size_t>(stored) * axes + d] = grid.width(d, at[d]);
        }
      }
    }
    for (std::size_t cell = 0; cell < neighbours.size(); ++cell) {
      for (std::size_t d = 0; d < axes; ++d) {
        const double width = widths[cell * axes + d];
        crossings.push_back(static_cast<Real>(grid.time_step / width));
        for (const std::size_t direction : {2 * d, 2 * d + 1}) {
          const int next = neighbours[cell][direction];
          const double beside =
              next < 0 ? width : widths[static_cast<std::size_t>(next) * axes + d];
          crossings.push_back(static_cast<Real>(2 * width / (width + beside)));
        }
      }
    }
  }
  space.crossings =
      View<Real*, ExecutionSpace>("Courant numbers of unit velocity", crossings.size());
  upload(space.crossings, crossings);
}

template <class ExecutionSpace, class Real>
void allocate_distribution(const CellSlab& slab, PhaseSpace<ExecutionSpace, Real>& space) {
  const auto cells =
      static_cast<std::size_t>(slab.own_cells()) + static_cast<std::size_t>(slab.ghost_cells());
  const auto velocities = static_cast<std::size_t>(space.velocities.size());
  const std::size_t a_strip = strip_bytes<ExecutionSpace> / (velocities * sizeof(Real));
  space.strip = std::clamp(static_cast<int>(a_strip), 1, std::max(space.cells[0], 1));
  space.f = View<Real**, ExecutionSpace>("distribution", cells, velocities);
  space.next = View<Real**, ExecutionSpace>("next distribution", cells, velocities);
}

template <class ExecutionSpace, class Real>
void allocate_single_pass(PhaseSpace<ExecutionSpace, Real>& space) {
  share_out_velocities(space);
  const std::size_t cells = space.f.extent(0);
  const std::size_t sums = 5 + 10 * static_cast<std::size_t>(space.dimensions);
  const auto parts = static_cast<std::size_t>(space.parts);
  space.sums = View<double***, ExecutionSpace>("sums", cells, parts, sums);
  space.next_sums = View<double***, ExecutionSpace>("next sums", cells, parts, sums);
  space.progress = View<unsigned long long*, ExecutionSpace>("progress", 2);
  constexpr int width = values_per_access<Real>;
  const int accesses = (space.factor_count() + width - 1) / width;
  space.factors = View<Real**, ExecutionSpace>("factors of relaxation targets", cells,
                                               static_cast<std::size_t>(accesses * width));
}

template <class ExecutionSpace, class Real>
void set_neighbours(const PhaseGrid& grid, const CellSlab& slab,
                    PhaseSpace<ExecutionSpace, Real>& space) {
  const Neighbours found = neighbours_in_slab(grid, find_neighbours(grid), slab);
  const std::size_t cells = found.of_cell.size();
  const auto directions = static_cast<std::size_t>(grid.direction_count());
  space.has_solids = !grid.solids.bodies.empty();
  set_crossings(grid, slab, found.of_cell, space);
  space.neighbour = View<int**, ExecutionSpace>("neighbours", cells, directions);
  const auto neighbour = Kokkos::create_mirror_view(space.neighbour);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    for (std::size_t n = 0; n < directions; ++n) neighbour(cell, n) = found.of_cell[cell][n];
  }
  Kokkos::deep_copy(space.neighbour, neighbour);
  space.faces = View<Face*, ExecutionSpace>("faces", found.faces.size());
  const auto faces = Kokkos::create_mirror_view(space.faces);
  for (std::size_t n = 0; n < found.faces.size(); ++n) faces(n) = found.faces[n];
  Kokkos::deep_copy(space.faces, faces);
  space.face_density = View<Real*, ExecutionSpace>("face density", found.faces.size());
  Kokkos::deep_copy(space.face_density, Real(1));
}

template <class ExecutionSpace, class Real>
void set_surfaces(const PhaseGrid& grid, PhaseSpace<ExecutionSpace, Real>& space) {
  const auto& v = space.velocities;
  const auto velocities = static_cast<std::size_t>(v.size());
  const std::vector<SideCondition> surfaces = Surfaces(grid.sides, grid.solids).conditions;
  space.first_scattering = static_cast<int>(surfaces.size());
  const auto faces = Kokkos::create_mirror_view(space.faces);
  Kokkos::deep_copy(faces, space.faces);
  const std::vector<int> surface_of =
      surfaces_of_faces(surfaces, std::vector<Face>(faces.data(), faces.data() + faces.extent(0)));
  std::size_t count = surfaces.size();
  for (std::size_t n = 0; n < surface_of.size(); ++n) {
    faces(n).surface = surface_of[n];
    count = std::max(count, static_cast<std::size_t>(surface_of[n]) + 1);
  }
  Kokkos::deep_copy(space.faces, faces);
  space.needs_density = View<int*, ExecutionSpace>("surfaces that need a density", count);
  space.balance = View<MassBalance*, ExecutionSpace>("mass balances of surfaces", count);
  space.diffuse = View<Real*, ExecutionSpace>("diffuse share of surfaces", count);
  space.surface_maxwellian =
      View<Real**, ExecutionSpace>("Maxwellians of surfaces", count, velocities);
  const auto needs_density = Kokkos::create_mirror_view(space.needs_density);
  const auto balance = Kokkos::create_mirror_view(space.balance);
  const auto diffuse = Kokkos::create_mirror_view(space.diffuse);
  const auto values = Kokkos::create_mirror_view(space.surface_maxwellian);
  // What enters at a single face is all there is.
  for (std::size_t surface = surfaces.size(); surface < count; ++surface) diffuse(surface) = 1;
  const auto host_velocities = make_velocity_space<HostExecutionSpace, double>(grid.velocities);
  for (std::size_t surface = 0; surface < surfaces.size(); ++surface) {
    const SurfaceLaw law = surface_law(surfaces[surface]);
    needs_density(surface) = law.needs_density() ? 1 : 0;
    balance(surface) = law.balance;
    diffuse(surface) = static_cast<Real>(law.diffuse_share);
    const Maxwellian m = maxwellian(law.emitted);
    std::size_t row = 0;
    for (int i = 0; i < v.count[0]; ++i) {
      for (int j = 0; j < v.count[1]; ++j) {
        const double outer =
            m.amplitude * host_velocities.factor(m, 0, i) * host_velocities.factor(m, 1, j);
        for (int k = 0; k < v.entries; ++k) {
          values(surface, row + static_cast<std::size_t>(k)) =
              static_cast<Real>(outer * host_velocities.factor(m, 2, k));
        }
        row += static_cast<std::size_t>(v.row_length);
      }
    }
  }
  Kokkos::deep_copy(space.needs_density, needs_density);
  Kokkos::deep_copy(space.balance, balance);
  Kokkos::deep_copy(space.diffuse, diffuse);
  Kokkos::deep_copy(space.surface_maxwellian, values);
}

}  // namespace

template <class ExecutionSpace, class Real>
PhaseSpace<ExecutionSpace, Real> make_phase_space(const PhaseGrid& grid, const CellSlab& slab) {
  PhaseSpace<ExecutionSpace, Real> space;
  set_geometry(grid, slab, space);
  allocate_distribution(slab, space);
  space.single_pass = grid.single_pass;
  if (grid.single_pass) allocate_single_pass(space);
  set_neighbours(grid, slab, space);
  set_surfaces(grid, space);
  set_surface_inflow(space);
  return space;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                   \
  template PhaseSpace<ExecutionSpace, Real> make_phase_space<ExecutionSpace, Real>( \
      const PhaseGrid&, const CellSlab&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
