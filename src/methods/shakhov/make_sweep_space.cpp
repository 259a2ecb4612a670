#include "methods/shakhov/make_sweep_space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/error.hpp"
#include "device/instantiate.hpp"
#include "device/to_list.hpp"
#include "kinetic/maxwellian.hpp"
#include "kinetic/scatter.hpp"
#include "methods/gas/surfaces.hpp"
#include "methods/shakhov/cut_values.hpp"
#include "methods/shakhov/face_emission.hpp"

namespace knudsen::shakhov {
namespace {

/// Nodes of an axis ordered by sign, then by distance from zero. Each sign is padded to whole
/// blocks by nodes of zero weight. Along z each sign has those of all distributions, one after the
/// other.
struct SignedAxis {
  std::vector<double> nodes;    ///< (sign, place)
  std::vector<double> weights;  ///< (sign, place)
};

SignedAxis by_sign(const VelocityAxis& axis, int length, int distributions) {
  const auto whole = static_cast<std::size_t>(length);
  const std::size_t n = whole / static_cast<std::size_t>(distributions);
  // Padding has velocity +-1: a velocity of zero would divide by zero without collisions.
  SignedAxis result{std::vector<double>(2 * n, 1.0), std::vector<double>(2 * n, 0.0)};
  std::size_t place[2] = {0, n};
  const auto add = [&](std::size_t i) {
    std::size_t& at = place[axis.nodes[i] < 0 ? 0 : 1];
    result.nodes[at] = axis.nodes[i];
    result.weights[at] = axis.integrated ? 1 : axis.weights[i];
    ++at;
  };
  for (std::size_t i = axis.nodes.size(); i-- > 0;) {
    if (axis.nodes[i] < 0) add(i);
  }
  for (std::size_t i = 0; i < axis.nodes.size(); ++i) {
    if (!(axis.nodes[i] < 0)) add(i);
  }
  for (std::size_t i = place[0]; i < n; ++i) result.nodes[i] = -1;
  if (distributions == 1) return result;
  SignedAxis all;
  for (std::size_t i = 0; i < 2 * whole; ++i) {
    const std::size_t of_sign = i % whole;
    const std::size_t at = i / whole * n + of_sign % n;
    const bool padding = axis.integrated && of_sign >= n && at % entry_count > 0;
    all.nodes.push_back(result.nodes[at]);
    all.weights.push_back(padding ? 0 : result.weights[at]);
  }
  return all;
}

bool keeps_what_leaves(const FlowGrid& grid, int side) {
  const SurfaceLaw law = surface_law(grid.sides[static_cast<std::size_t>(side)]);
  return side / 2 < grid.dimensions && law.diffuse_share < 1 && !law.heated && !law.has_pressure;
}

int neighbour(const FlowGrid& grid, const std::array<int, 3>& at, int side) {
  std::array<int, 3> next = at;
  next[static_cast<std::size_t>(side / 2)] += side % 2 == 0 ? -1 : 1;
  return (next[2] * grid.cells[1] + next[1]) * grid.cells[0] + next[0];
}

bool at_side(const FlowGrid& grid, const std::array<int, 3>& at, int side) {
  const auto axis = static_cast<std::size_t>(side / 2);
  return at[axis] == (side % 2 == 0 ? 0 : grid.cells[axis] - 1);
}

/// The solid on the other side of a periodic side from a cell beside it; -1 if there is none. With
/// cut cells its surface is in the cell.
int body_across(const FlowGrid& grid, std::array<int, 3> at, int side) {
  const auto axis = static_cast<std::size_t>(side / 2);
  if (grid.sides[static_cast<std::size_t>(side)].kind != SideKind::periodic) return -1;
  if (grid.has_cut_cells()) return -1;
  at[axis] = side % 2 == 0 ? grid.cells[axis] - 1 : 0;
  return grid.body_of(grid.index(at));
}

/// The law of the wall of a solid at a face; that of gas, nothing, at other faces.
SurfaceLaw law_of_solid(const FlowGrid& grid, const Face& face) {
  if (face.wall < 6 || grid.solid(face.cell)) return {};
  return surface_law(grid.solids.bodies[static_cast<std::size_t>(face.wall) - 6].wall);
}

/// The faces of solids with SurfaceLaw::made_by_face in the order of SweepSpace::made_face.
struct MadeFaces {
  std::vector<int> faces;
  std::array<std::size_t, 6> scattering{};  ///< number of those that scatter, by side of the cell
};

MadeFaces made_faces(const FlowGrid& grid, const std::vector<Face>& faces) {
  MadeFaces made;
  std::array<std::vector<int>, 6> scattering;
  std::vector<int> heated;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const SurfaceLaw law = law_of_solid(grid, faces[i]);
    if (law.scatters) {
      scattering[static_cast<std::size_t>(faces[i].side)].push_back(static_cast<int>(i));
    }
    if (law.heated) heated.push_back(static_cast<int>(i));
  }
  for (std::size_t side = 0; side < 6; ++side) {
    made.scattering[side] = scattering[side].size();
    made.faces.insert(made.faces.end(), scattering[side].begin(), scattering[side].end());
  }
  made.faces.insert(made.faces.end(), heated.begin(), heated.end());
  return made;
}

std::size_t side_face_count(const FlowGrid& grid, int side) {
  return grid.cell_count() /
         static_cast<std::size_t>(grid.cells[static_cast<std::size_t>(side / 2)]);
}

/// See SweepSpace::extrapolation.
double extrapolation_of(const FlowGrid& grid, std::size_t axis, int sign, int cell) {
  const int before = sign > 0 ? cell - 1 : cell + 1;
  if (before < 0 || before >= grid.cells[axis]) {
    const SideCondition& side = grid.sides[2 * axis + (sign > 0 ? 0 : 1)];
    return side.kind == SideKind::antisymmetric ? 0.5 : 1;  // a cell as wide, or its face
  }
  const double width = grid.width(axis, cell);
  return width / (width + grid.width(axis, before));
}

/// Sums of densities up to this multiple of the reference and of all sides do not depend on their
/// order.
constexpr double max_compression = 1e5;

template <class ExecutionSpace, class Real>
void set_rounding(const FlowGrid& grid, SweepSpace<ExecutionSpace, Real>& space) {
  constexpr std::array<int, max_moment_count> degrees{0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 2};
  double fastest = 0;
  for (const VelocityAxis& axis : grid.velocities) fastest = std::max(fastest, axis.max_speed());
  double square = 1;
  for (const VelocityAxis& axis : grid.velocities) {
    square += std::pow(axis.integrated ? fastest : axis.max_speed(), 2);
  }
  double density = max_compression;
  for (const SideCondition& side : grid.sides) {
    each_condition(side, [&](const SideCondition& part) {
      density = std::max(density, max_compression * part.state.density);
    });
  }
  for (std::size_t m = 0; m < max_moment_count; ++m) {
    space.rounding[m] =
        SumRounding(density * std::pow(square, 0.5 * degrees[m]), 8.0 * space.octant_blocks());
  }
}

template <class ExecutionSpace, class Real>
void set_axes(const FlowGrid& grid, SweepSpace<ExecutionSpace, Real>& space) {
  for (std::size_t d = 0; d < 3; ++d) {
    const bool there = d < static_cast<std::size_t>(grid.dimensions);
    const int n = grid.cells[d];
    const auto count = static_cast<std::size_t>(n);
    std::vector<double> inverse(count, 0.0);
    std::vector<double> width(count, 1.0);
    std::vector<double> extrapolation(2 * count, 0.0);
    for (int i = 0; i < n && there; ++i) {
      const auto at = static_cast<std::size_t>(i);
      width[at] = grid.width(d, i);
      inverse[at] = 1 / width[at];
      extrapolation[at] = extrapolation_of(grid, d, 0, i);
      extrapolation[count + at] = extrapolation_of(grid, d, 1, i);
    }
    space.inverse_width[d] = View<Real*, ExecutionSpace>("inverse width", count);
    space.width[d] = View<double*, ExecutionSpace>("width", count);
    space.extrapolation[d] = View<Real**, ExecutionSpace>("extrapolation", 2, count);
    upload(space.inverse_width[d], inverse);
    upload(space.width[d], width);
    upload(space.extrapolation[d], extrapolation);
  }
}

template <class ExecutionSpace, class Real>
void set_velocities(const FlowGrid& grid, SweepSpace<ExecutionSpace, Real>& space) {
  const auto blocks = blocks_of(grid.velocities);
  const std::vector<SideCondition> conditions = wall_conditions(grid);
  for (std::size_t d = 0; d < 3; ++d) {
    space.blocks[d] = blocks[d];
    space.length[d] = (d == 2 ? space.depth : block_edge) * blocks[d];
    const SignedAxis axis =
        by_sign(grid.velocities[d], space.length[d], d == 2 ? space.distributions : 1);
    const std::size_t count = axis.nodes.size();
    space.nodes[d] = View<Real*, ExecutionSpace>("velocity nodes", count);
    space.weights[d] = View<Real*, ExecutionSpace>("velocity weights", count);
    upload(space.nodes[d], axis.nodes);
    upload(space.weights[d], axis.weights);
    std::vector<double> factors;
    for (const SideCondition& condition : conditions) {
      const Maxwellian m = maxwellian(surface_law(condition).emitted);
      for (std::size_t i = 0; i < count; ++i) {
        const auto place = static_cast<int>(i);
        double factor = d == 2 && space.reduced() ? entry_factor(space.velocities.integrated,
                                                                 place % space.depth, m.temperature)
                                                  : m.factor(static_cast<int>(d), axis.nodes[i]);
        if (d == 2 && space.is_rotational(place)) factor *= 0.5 * space.rotation() * m.temperature;
        factors.push_back(axis.weights[i] * factor * (d == 0 ? m.amplitude : 1));
      }
    }
    space.wall_factors[d] = View<Real**, ExecutionSpace>("wall factors", conditions.size(), count);
    upload(space.wall_factors[d], factors);
  }
}

template <class ExecutionSpace, class Real>
void set_walls(const FlowGrid& grid, SweepSpace<ExecutionSpace, Real>& space) {
  const Surfaces surfaces(grid.sides, grid.solids);
  const std::vector<SideCondition> conditions = wall_conditions(grid);
  const auto walls = static_cast<int>(conditions.size());
  const auto first_facet_wall = static_cast<int>(surfaces.conditions.size());
  const std::vector<Face> faces = list_faces(grid);
  std::vector<int> wall_of;
  std::vector<int> side_of;
  std::vector<int> cell_class(grid.cell_count(), 0);
  constexpr std::size_t face_columns = facet_side + 1;
  std::vector<int> table;
  for (std::size_t cell = 0; cell < cell_class.size(); ++cell) {
    if (grid.solid(cell)) cell_class[cell] = solid_bit;
  }
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const Face& face = faces[i];
    int& c = cell_class[face.cell];
    // Faces of solid cells on the sides of the box are unused but keep their numbers, so that the
    // index of a side's face follows from the cell's coordinates.
    wall_of.push_back(face.surface);
    side_of.push_back(face.side);
    if (grid.solid(face.cell)) continue;
    if ((c & (side_bits | cut_bit)) == 0) {
      const std::size_t row = table.size() / face_columns;
      if (row >= max_face_rows) {
        throw RunError("more than " + std::to_string(max_face_rows) +
                       " cells are at walls, more than the method shakhov can number");
      }
      c |= static_cast<int>(row) << class_bits;
      table.insert(table.end(), face_columns, -1);
    }
    c |= face.side == facet_side ? cut_bit : 1 << face.side;
    table[static_cast<std::size_t>(c >> class_bits) * face_columns +
          static_cast<std::size_t>(face.side)] = static_cast<int>(i);
  }
  space.cell_class = View<int*, ExecutionSpace>("classes of cells", cell_class.size());
  if (space.order > 1) space.held = View<int*, ExecutionSpace>("held cells", cell_class.size());
  space.faces =
      View<int * [facet_side + 1], ExecutionSpace>("faces of cells", table.size() / face_columns);
  space.face_wall = View<int*, ExecutionSpace>("walls of faces", faces.size());
  space.face_side = View<int*, ExecutionSpace>("sides of faces", faces.size());
  space.face_density = View<Real*, ExecutionSpace>("wall density", faces.size());
  space.flux = View<double* [flux_count], ExecutionSpace>("wall flux", faces.size());
  if (space.order > 1) {
    space.far_flux = View<double* [flux_count], ExecutionSpace>("far wall flux", faces.size());
    std::vector<double> extrapolation;
    for (const Face& face : faces) extrapolation.push_back(face_extrapolation(grid, face));
    space.face_extrapolation = View<Real*, ExecutionSpace>("face extrapolation", faces.size());
    upload(space.face_extrapolation, extrapolation);
  }
  const MadeFaces made = made_faces(grid, faces);
  std::vector<int> made_row(faces.size(), -1);
  for (std::size_t row = 0; row < made.faces.size(); ++row) {
    const auto face = static_cast<std::size_t>(made.faces[row]);
    made_row[face] = static_cast<int>(row);
    if (grid.has_cut_cells()) wall_of[face] = first_facet_wall + static_cast<int>(row);
  }
  if (!made.faces.empty()) {
    space.made_face = View<int*, ExecutionSpace>("faces that make what enters", made.faces.size());
    upload(space.made_face, made.faces);
  }
  if (!made.faces.empty() && !grid.has_cut_cells()) {
    const auto length = static_cast<std::size_t>(space.row_length());
    const std::size_t scattering =
        std::accumulate(made.scattering.begin(), made.scattering.end(), std::size_t{0});
    space.made_row =
        View<int*, ExecutionSpace>("rows of faces that make what enters", faces.size());
    upload(space.made_row, made_row);
    space.outgoing[entering_from_solids] =
        View<Real*, ExecutionSpace>("entering from solids", made.faces.size() * length);
    if (scattering > 0) {
      space.outgoing[leaving_to_solids] =
          View<Real*, ExecutionSpace>("leaving to solids", scattering * length);
    }
  }
  upload(space.cell_class, cell_class);
  upload(space.faces, table);
  upload(space.face_wall, wall_of);
  upload(space.face_side, side_of);
  Kokkos::deep_copy(space.face_density, Real(1));

  std::vector<double> share;
  std::vector<MassBalance> balance;
  std::vector<double> inflow;
  for (int wall = 0; wall < walls; ++wall) {
    const SurfaceLaw law = surface_law(conditions[static_cast<std::size_t>(wall)]);
    const bool is_facet = wall >= first_facet_wall;
    const int of_side = wall < 6 || is_facet ? wall : surfaces.side_of_part(wall);
    share.push_back(is_facet ? 1 : law.diffuse_share);
    balance.push_back(law.balance);
    for (int side = 0; side < 6; ++side) {
      const bool has_faces = of_side < 0 || side == of_side;
      inflow.push_back(
          law.balanced && has_faces ? half_range_flux(grid.velocities, law.emitted, side)[0] : 0.0);
    }
  }
  space.diffuse = View<Real*, ExecutionSpace>("diffuse shares", share.size());
  space.wall_inflow = View<double* [6], ExecutionSpace>("wall inflow", share.size());
  upload(space.diffuse, share);
  upload(space.wall_inflow, inflow);
  space.wall_balance = View<MassBalance*, ExecutionSpace>("mass balances of walls", balance.size());
  upload(space.wall_balance, balance);

  std::size_t first = 0;
  for (int side = 0; side < 2 * grid.dimensions; ++side) {
    space.first_face[side] = static_cast<int>(first);
    first += side_face_count(grid, side);
    if (!keeps_what_leaves(grid, side)) continue;
    const std::size_t blocks = static_cast<std::size_t>(space.octant_blocks()) * 4;
    const std::size_t values =
        side_face_count(grid, side) * blocks * static_cast<std::size_t>(space.block_values());
    space.outgoing[side] =
        View<Real*, ExecutionSpace>("outgoing", values * (space.keeps_cells(side) ? 2 : 1));
  }
  for (int side = 0; side < 2 * grid.dimensions; ++side) {
    const SideCondition& condition = grid.sides[static_cast<std::size_t>(side)];
    if (condition.kind == SideKind::periodic) space.outgoing_source[side] = side ^ 1;
    if (!surface_law(condition).made_by_face()) continue;
    space.outgoing_source[side] = 6 + side;
    space.outgoing[6 + side] = View<Real*, ExecutionSpace>(
        "entering", side_face_count(grid, side) * static_cast<std::size_t>(space.row_length()));
  }
  space.first_face[facet_side] = static_cast<int>(first);
}

template <class ExecutionSpace, class Real>
struct SetFacetInflow {
  SweepSpace<ExecutionSpace, Real> space;

  KOKKOS_INLINE_FUNCTION void operator()(int row) const { set_facet_inflow(space, row); }
};

template <class ExecutionSpace, class Real>
void set_cuts(const FlowGrid& grid, SweepSpace<ExecutionSpace, Real>& space) {
  const std::vector<CutCell>& cells = grid.solids.cut;
  if (cells.empty()) return;
  std::vector<double> numbers;
  std::vector<double> volumes;
  for (const CutCell& cell : cells) {
    const std::array<double, 3> area = grid.facet_area(cell);
    const double volume = grid.gas_volume(cell.cell);
    double square = 0;
    for (const double component : area) {
      numbers.push_back(-component / volume);
      square += component * component / (volume * volume);
    }
    for (const double open : cell.open) numbers.push_back(open / cell.volume);
    numbers.push_back(square > 0 ? 1 / std::sqrt(square) : 0);
    volumes.push_back(cell.volume);
  }
  space.cuts = View<Real* [cut_number_count], ExecutionSpace>("cut cells", cells.size());
  space.cut_volume = View<double*, ExecutionSpace>("volumes of cut cells", cells.size());
  space.facet_inflow =
      View<double* [flux_count], ExecutionSpace>("inflow from facets", cells.size());
  const auto mirror = Kokkos::create_mirror_view(space.cuts);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    mirror(i / cut_number_count, i % cut_number_count) = static_cast<Real>(numbers[i]);
  }
  Kokkos::deep_copy(space.cuts, mirror);
  upload(space.cut_volume, volumes);
  Kokkos::parallel_for("knudsen/shakhov/set_facet_inflow",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<int>>(
                           0, static_cast<int>(cells.size())),
                       SetFacetInflow<ExecutionSpace, Real>{space});
  Kokkos::fence();
}

}  // namespace

std::array<int, 3> blocks_of(const VelocityGrid& velocities) {
  std::array<int, 3> blocks{};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto negative = std::count_if(velocities[d].nodes.begin(), velocities[d].nodes.end(),
                                        [](double node) { return node < 0; });
    const auto positive = static_cast<std::ptrdiff_t>(velocities[d].nodes.size()) - negative;
    const int edge = d == 2 ? block_depth(velocities) : block_edge;
    blocks[d] = static_cast<int>((std::max(negative, positive) + edge - 1) / edge);
    if (d == 2) blocks[d] *= distribution_count(velocities);
  }
  return blocks;
}

std::vector<SideCondition> wall_conditions(const FlowGrid& grid) {
  std::vector<SideCondition> conditions = Surfaces(grid.sides, grid.solids).conditions;
  for (const CutCell& cut : grid.solids.cut) {
    const SideCondition& wall = grid.solids.bodies[static_cast<std::size_t>(cut.shape)].wall;
    if (wall.heat_flux) conditions.push_back(wall);
  }
  return conditions;
}

double face_extrapolation(const FlowGrid& grid, const Face& face) {
  if (grid.solids.cut_cell(face.cell) != nullptr) return 0;  // cut cells are of first order
  const auto axis = static_cast<std::size_t>(face.side / 2);
  return extrapolation_of(grid, axis, face.side % 2, grid.at(face.cell)[axis]);
}

std::vector<Face> list_faces(const FlowGrid& grid) {
  const Surfaces surfaces(grid.sides, grid.solids);
  std::vector<Face> faces;
  for (int side = 0; side < 2 * grid.dimensions; ++side) {
    for (std::size_t cell = 0; cell < grid.cell_count(); ++cell) {
      const auto at = grid.at(cell);
      if (!at_side(grid, at, side)) continue;
      double area = grid.solid(cell) ? 0 : grid.face_area(static_cast<std::size_t>(side / 2), at);
      if (const CutCell* cut = grid.solids.cut_cell(cell)) {
        area *= cut->open[static_cast<std::size_t>(side)];
      }
      const int body = body_across(grid, at, side);
      const int surface =
          body < 0 ? surfaces.of_face(side, side_face(grid.cells, side, at)) : 6 + body;
      faces.push_back({body < 0 ? side : 6 + body, surface, side, cell, area});
    }
  }
  if (grid.solids.body.empty()) return faces;
  if (grid.has_cut_cells()) {
    for (const CutCell& cut : grid.solids.cut) {
      const std::array<double, 3> area = grid.facet_area(cut);
      const double size = std::hypot(area[0], area[1], area[2]);
      faces.push_back({6 + cut.shape, 6 + cut.shape, facet_side, cut.cell, size});
    }
    return faces;
  }
  for (std::size_t cell = 0; cell < grid.cell_count(); ++cell) {
    if (grid.solid(cell)) continue;
    const auto at = grid.at(cell);
    for (int side = 0; side < 2 * grid.dimensions; ++side) {
      if (at_side(grid, at, side)) continue;
      const int body = grid.body_of(static_cast<std::size_t>(neighbour(grid, at, side)));
      if (body < 0) continue;
      faces.push_back(
          {6 + body, 6 + body, side, cell, grid.face_area(static_cast<std::size_t>(side / 2), at)});
    }
  }
  return faces;
}

std::size_t face_count(const FlowGrid& grid) {
  std::size_t faces = 0;
  for (int side = 0; side < 2 * grid.dimensions; ++side) faces += side_face_count(grid, side);
  if (grid.solids.body.empty()) return faces;
  if (grid.has_cut_cells()) return faces + grid.solids.cut.size();
  // Along each axis, one for each pair of neighbours of which one is solid.
  std::size_t stride = 1;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.dimensions); ++axis) {
    const auto cells = static_cast<std::size_t>(grid.cells[axis]);
    for (std::size_t line = 0; line < grid.solids.body.size(); line += cells * stride) {
      const std::int16_t* here = grid.solids.body.data() + line;
      for (std::size_t k = 0; k < (cells - 1) * stride; ++k) {
        faces += static_cast<std::size_t>((here[k] >= 0) != (here[k + stride] >= 0));
      }
    }
    stride *= cells;
  }
  return faces;
}

double space_bytes(const FlowGrid& grid, int order, double value_bytes) {
  const auto cells = static_cast<double>(grid.cell_count());
  const auto blocks = blocks_of(grid.velocities);
  double kept = 0;
  for (int side = 0; side < 2 * grid.dimensions; ++side) {
    if (!keeps_what_leaves(grid, side)) continue;
    const bool keeps_cells =
        order > 1 && grid.sides[static_cast<std::size_t>(side)].kind == SideKind::antisymmetric;
    kept += static_cast<double>(side_face_count(grid, side)) * (keeps_cells ? 2 : 1) * 4 *
            blocks[0] * blocks[1] * blocks[2];
  }
  // Walls of given heat flux: what enters. Cercignani-Lampis walls: also their matrices, and one
  // array for all to work with.
  double entering = 0;
  double scratch = 0;
  double matrices = 0;
  for (int side = 0; side < 2 * grid.dimensions; ++side) {
    const SideCondition& condition = grid.sides[static_cast<std::size_t>(side)];
    const SurfaceLaw law = surface_law(condition);
    if (!law.made_by_face()) continue;
    const double values =
        static_cast<double>(side_face_count(grid, side)) * 4 * blocks[0] * blocks[1] * blocks[2];
    entering += values;
    if (!law.scatters) continue;
    scratch = std::max(scratch, values);
    matrices += scattering_bytes(grid.velocities) *
                static_cast<double>(std::max<std::size_t>(condition.parts.size(), 1));
  }
  double made = 0;  // faces of solids that make what enters
  if (std::any_of(grid.solids.bodies.begin(), grid.solids.bodies.end(),
                  [](const GasSolid& body) { return surface_law(body.wall).made_by_face(); })) {
    const MadeFaces of_solids = made_faces(grid, list_faces(grid));
    made = static_cast<double>(of_solids.faces.size());
    double walls = 0;
    for (const GasSolid& body : grid.solids.bodies) {
      walls += surface_law(body.wall).scatters ? 1 : 0;
    }
    for (const std::size_t count : of_solids.scattering) {
      const double values = static_cast<double>(count) * 4 * blocks[0] * blocks[1] * blocks[2];
      kept += values;
      scratch = std::max(scratch, values);
      if (count > 0) matrices += walls * scattering_bytes(grid.velocities);
    }
  }
  // Those in cut cells have a wall each, and tables.
  const bool cut = grid.has_cut_cells();
  if (!cut) entering += made * 4 * blocks[0] * blocks[1] * blocks[2];
  const auto faces = static_cast<double>(face_count(grid));
  double parts = cut ? made : 0;
  for (const SideCondition& side : grid.sides) parts += static_cast<double>(side.parts.size());
  const int depth = block_depth(grid.velocities);
  const double part_bytes =
      (2.0 * (block_edge * (blocks[0] + blocks[1]) + depth * blocks[2]) + 1) * value_bytes + 6 * 8 +
      16;
  const int moments = moment_count + distribution_count(grid.velocities) - 1;
  return cells * (3.0 * moments * 8 + target_size * value_bytes + (order > 1 ? 8 : 4)) +
         faces *
             (24 + 8 + (made > 0 && !cut ? 4 : 0) + order * (value_bytes + 2 * flux_count * 8)) +
         made * (4 + emission_size * 8 + (cut ? 8.0 * facet_numbers(grid.velocities) : 0)) +
         (kept + entering + scratch) * block_lanes * depth * value_bytes + matrices +
         parts * part_bytes +
         static_cast<double>(grid.solids.cut.size()) *
             (cut_number_count * value_bytes + 8 + flux_count * 8);
}

template <class ExecutionSpace, class Real>
SweepSpace<ExecutionSpace, Real> make_sweep_space(const FlowGrid& grid, int order) {
  SweepSpace<ExecutionSpace, Real> space;
  space.velocities = make_velocity_space<ExecutionSpace, Real>(grid.velocities);
  space.depth = block_depth(grid.velocities);
  space.distributions = distribution_count(grid.velocities);
  space.dimensions = grid.dimensions;
  space.order = order;
  const std::array<int, 6> reversed = reversed_components(grid.sides);
  std::copy(reversed.begin(), reversed.end(), space.reversed);
  for (std::size_t d = 0; d < 3; ++d) space.cells[d] = grid.cells[d];
  set_axes(grid, space);
  set_velocities(grid, space);
  set_walls(grid, space);
  set_cuts(grid, space);
  const std::size_t cells = grid.cell_count();
  const auto moments = static_cast<std::size_t>(space.moment_columns());
  space.moments = View<double**, ExecutionSpace>("moments", cells, moments);
  space.previous = View<double**, ExecutionSpace>("previous moments", cells, moments);
  space.target = View<Real* [target_size], ExecutionSpace>("equilibria", cells);
  space.low_parts = View<double*, ExecutionSpace>(
      "low parts of sums", space.moments.span() + space.flux.span() + space.far_flux.span());
  set_rounding(grid, space);
  return space;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                   \
  template SweepSpace<ExecutionSpace, Real> make_sweep_space<ExecutionSpace, Real>( \
      const FlowGrid&, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
