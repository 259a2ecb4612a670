#include "methods/bgkw/cut_cells.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "device/instantiate.hpp"
#include "device/to_list.hpp"
#include "kinetic/wall_temperature.hpp"
#include "methods/bgkw/cut_groups.hpp"
#include "methods/bgkw/side_flow.hpp"

namespace knudsen::bgkw {
namespace {

/// Courant numbers of unit velocity of a cell.
struct Crossings {
  double along[3];

  template <class ExecutionSpace, class Real>
  KOKKOS_INLINE_FUNCTION Crossings(const PhaseSpace<ExecutionSpace, Real>& space, int cell) {
    for (int d = 0; d < 3; ++d) {
      along[d] = d < space.dimensions ? double(space.crossing_of(d, cell)) : 0;
    }
  }
};

/// Flow of unit density of velocity (i, q) through the surface of a cell in a step, positive out of
/// the gas, in units of the cell's contents.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION double through_surface(const VelocitySpace<ExecutionSpace, Real>& v,
                                              const Crossings& crossing, const CutShape& shape,
                                              int i, int q) {
  return crossing.along[0] * double(v.nodes[0](i)) * shape.area[0] +
         crossing.along[1] * double(v.y(q)) * shape.area[1] +
         crossing.along[2] * double(v.z(q)) * shape.area[2];
}

/// Square of a velocity relative to a wall, without components that are integrated out.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION double square_of(const VelocitySpace<ExecutionSpace, Real>& v,
                                        const CutShape& shape, int i, int q) {
  const double at[3] = {double(v.nodes[0](i)), double(v.y(q)), double(v.z(q))};
  double sum = 0;
  for (int d = 0; d < 3 - v.integrated; ++d) {
    sum += (at[d] - shape.velocity[d]) * (at[d] - shape.velocity[d]);
  }
  return sum;
}

/// Mirror image of the values `f` of a cell at velocity (i, q), see FacetEmission. Interpolates the
/// ratio of f and the Maxwellian of the wall, which has the same values at both velocities,
/// linearly along each axis. Gas in equilibrium with the wall is therefore its own mirror image.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION double mirror_image(const VelocitySpace<ExecutionSpace, Real>& v,
                                           const CutShape& shape, const Real* f, const Real* wall,
                                           int i, int q) {
  constexpr double least = 1e-30;  // of a Maxwellian, in single precision
  const int row = q / v.row_length;
  const int entry = q - row * v.row_length;
  const int axes = 3 - v.integrated;
  if (entry >= v.entries) return 0;
  // Entries of a row for the rotation follow those of all velocities.
  const int offset = axes == 3 && v.rotates(entry) ? v.count[2] : 0;
  const double at[3] = {double(v.nodes[0](i)), double(v.y(q)), double(v.z(q))};
  int low[3] = {i, row, entry - offset};
  double part[3] = {0, 0, 0};
  double along = 0;
  for (int d = 0; d < axes; ++d) along += shape.normal[d] * at[d];
  for (int d = 0; d < axes; ++d) {
    const double image = at[d] - 2 * along * shape.normal[d];
    if (image == at[d]) continue;
    const int last = v.count[d] - 1;
    int below = 0;
    int above = last;
    while (above - below > 1) {
      const int middle = (below + above) / 2;
      (double(v.nodes[d](middle)) <= image ? below : above) = middle;
    }
    low[d] = below;
    if (last == 0) continue;
    const double start = double(v.nodes[d](below));
    const double share = (image - start) / (double(v.nodes[d](above)) - start);
    part[d] = share < 0 ? 0 : (share > 1 ? 1 : share);
  }
  double ratio = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1;
    for (int d = 0; d < 3; ++d) weight *= (corner >> d & 1) != 0 ? part[d] : 1 - part[d];
    if (weight == 0) continue;
    const int place = (low[0] + (corner & 1)) * v.plane +
                      (low[1] + (corner >> 1 & 1)) * v.row_length + low[2] + (corner >> 2 & 1) +
                      offset;
    if (double(wall[place]) > least) ratio += weight * (double(f[place]) / double(wall[place]));
  }
  return ratio * double(wall[i * v.plane + q]);
}

/// Calls body(flow of unit density, i, q, place) for the velocities of a segment that cross the
/// surface of a cell.
template <class ExecutionSpace, class Real, class Body>
KOKKOS_FORCEINLINE_FUNCTION void each_through_surface(const VelocitySpace<ExecutionSpace, Real>& v,
                                                      const Crossings& crossing,
                                                      const CutShape& shape, const Segment& segment,
                                                      const Body& body) {
  for (int k = 0; k < segment.length; ++k) {
    const int q = segment.begin + k;
    const double through = through_surface(v, crossing, shape, segment.i, q);
    if (through != 0) body(through, segment.i, q, segment.place + k);
  }
}

/// Adds up over the velocities that cross the surface of a cell, in `Rows` rows of sums:
/// body(flow of unit density, i, q, place, rows) adds what belongs to one velocity. The first
/// thread of the team receives them.
template <int Rows, int Count, class ExecutionSpace, class Real, class Body>
KOKKOS_FORCEINLINE_FUNCTION void sum_through_surface(const StepMember<ExecutionSpace>& team,
                                                     const PhaseSpace<ExecutionSpace, Real>& space,
                                                     int cell, const CutShape& shape,
                                                     double (&rows)[Rows][Count],
                                                     const Body& body) {
  const Crossings crossing(space, cell);
  double total[Rows * Count] = {};
  team_sum<Rows * Count, double>(team, 1, total, [&](auto& sums) {
    double partial[Rows][Count] = {};
    Segments(team, space.velocities).each([&](const Segment& segment) {
      each_through_surface(
          space.velocities, crossing, shape, segment,
          [&](double through, int i, int q, int place) { body(through, i, q, place, partial); });
    });
    for (int n = 0; n < Rows * Count; ++n) sums[n] += partial[n / Count][n % Count];
  });
  for (int n = 0; n < Rows * Count; ++n) rows[n / Count][n % Count] = total[n];
}

/// Sets CutSpace::emission of surfaces that do not reflect specularly, and the diffuse part of the
/// others. One team a cell.
template <class ExecutionSpace, class Real>
struct FacetDensity {
  PhaseSpace<ExecutionSpace, Real> space;
  CutSpace<ExecutionSpace, Real> cut;

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const auto& v = space.velocities;
    const int row = team.league_rank();
    const CutShape shape = cut.shapes(row);
    if (shape.surface < 0 || shape.heated) return;
    const int cell = cut.cells(row);
    const Real* f = space.values(cell);
    const Real* wall = &space.surface_maxwellian(shape.surface, 0);
    double sums[2][1];  // what leaves, and what enters at density one
    sum_through_surface(team, space, cell, shape, sums,
                        [&](double through, int i, int q, int place, auto& rows) {
                          if (through > 0) {
                            add_flow(v, i, q, through * double(f[place]), rows[0]);
                          } else {
                            add_flow(v, i, q, -through * double(wall[place]), rows[1]);
                          }
                        });
    if (team.team_rank() != 0) return;
    cut.emission(row).diffuse = double(space.diffuse(shape.surface)) *
                                space.balance(shape.surface).density(sums[0][0], sums[1][0]);
  }
};

/// Energy relative to a wall, from fluxes relative to the grid.
KOKKOS_INLINE_FUNCTION double energy_at_wall(const CutShape& shape, const double* flux) {
  double sum = flux[4];
  for (int d = 0; d < 3; ++d) {
    sum += shape.velocity[d] * (0.5 * shape.velocity[d] * flux[0] - flux[1 + d]);
  }
  return sum;
}

/// Value at velocity (i, q) of the Maxwellian of density one that a heated wall emits.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION double heated_maxwellian(const VelocitySpace<ExecutionSpace, Real>& v,
                                                const Maxwellian& m, int i, int q) {
  const int row = q / v.row_length;
  const int entry = q - row * v.row_length;
  if (entry >= v.entries) return 0;
  return m.amplitude * double(v.factor(m, 0, i)) * double(v.factor(m, 1, row)) *
         double(v.factor(m, 2, entry));
}

/// Sets the fluxes that arrive at heated walls, one team a cell.
template <class ExecutionSpace, class Real>
struct SumArriving {
  PhaseSpace<ExecutionSpace, Real> space;
  CutSpace<ExecutionSpace, Real> cut;

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const auto& v = space.velocities;
    const int row = team.league_rank();
    const CutShape shape = cut.shapes(row);
    if (!shape.heated) return;
    const int cell = cut.cells(row);
    const Real* f = space.values(cell);
    double sums[1][flux_count];
    sum_through_surface(team, space, cell, shape, sums,
                        [&](double through, int i, int q, int place, auto& rows) {
                          if (through > 0) add_flow(v, i, q, through * double(f[place]), rows[0]);
                        });
    if (team.team_rank() != 0) return;
    for (int n = 0; n < flux_count; ++n) cut.arriving(row, n) = sums[0][n];
  }
};

/// Sets CutSpace::emission of heated walls: the temperature with which they emit, in the sums over
/// the discrete velocities, the energy that arrives and their heat. One work item a cell.
template <class ExecutionSpace, class Real>
struct FacetHeat {
  PhaseSpace<ExecutionSpace, Real> space;
  CutSpace<ExecutionSpace, Real> cut;

  /// Fluxes into the gas at density one.
  KOKKOS_INLINE_FUNCTION void enter(const CutShape& shape, int cell, double temperature,
                                    double (&sums)[flux_count]) const {
    const auto& v = space.velocities;
    const Crossings crossing(space, cell);
    const Maxwellian m = maxwellian(1, shape.velocity, temperature);
    for (double& each : sums) each = 0;
    for (int i = 0; i < v.count[0]; ++i) {
      for (int q = 0; q < v.plane; ++q) {
        const double through = through_surface(v, crossing, shape, i, q);
        if (through < 0) add_flow(v, i, q, -through * heated_maxwellian(v, m, i, q), sums);
      }
    }
  }

  KOKKOS_INLINE_FUNCTION void operator()(int row) const {
    const CutShape shape = cut.shapes(row);
    if (!shape.heated) return;
    const int cell = cut.cells(row);
    double arriving[flux_count];
    for (int n = 0; n < flux_count; ++n) arriving[n] = cut.arriving(row, n);
    const double energy = (energy_at_wall(shape, arriving) + shape.heat) / arriving[0];
    FacetEmission& emission = cut.emission(row);
    emission.temperature = double(NAN);
    emission.diffuse = double(NAN);
    if (!(energy > 0)) return;
    double entering[flux_count];
    const auto mean_of = [&](double temperature, double& slope) {
      constexpr double difference = 1e-4;
      enter(shape, cell, (1 + difference) * temperature, entering);
      const double above = energy_at_wall(shape, entering) / entering[0];
      enter(shape, cell, temperature, entering);
      const double here = energy_at_wall(shape, entering) / entering[0];
      slope = (above - here) / (difference * temperature);
      return here;
    };
    constexpr double tolerance = 1e-14;
    const double start = energy / (1 + 0.25 * space.velocities.rotation);
    emission.temperature = temperature_to_emit(energy, start, tolerance, mean_of);
    emission.diffuse = arriving[0] / entering[0];
  }
};

/// Sets the specular part of CutSpace::emission, one team a cell.
template <class ExecutionSpace, class Real>
struct FacetMirror {
  PhaseSpace<ExecutionSpace, Real> space;
  CutSpace<ExecutionSpace, Real> cut;

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const auto& v = space.velocities;
    const int row = team.league_rank();
    const CutShape shape = cut.shapes(row);
    if (shape.surface < 0 || shape.heated || double(space.diffuse(shape.surface)) == 1) return;
    const int cell = cut.cells(row);
    const Real* f = space.values(cell);
    const Real* wall = &space.surface_maxwellian(shape.surface, 0);
    // What leaves, its mirror image, and that times the square of the velocity.
    double sums[3][flux_count];
    sum_through_surface(team, space, cell, shape, sums,
                        [&](double through, int i, int q, int place, auto& rows) {
                          if (through > 0) {
                            add_flow(v, i, q, through * double(f[place]), rows[0]);
                            return;
                          }
                          const double in = -through * mirror_image(v, shape, f, wall, i, q);
                          add_flow(v, i, q, in, rows[1]);
                          add_flow(v, i, q, in * square_of(v, shape, i, q), rows[2]);
                        });
    if (team.team_rank() != 0) return;
    const double* image = sums[1];
    const double* square = sums[2];
    const double mass = sums[0][0];
    const double heat = energy_at_wall(shape, sums[0]);
    const double image_heat = energy_at_wall(shape, image);
    const double square_heat = energy_at_wall(shape, square);
    const double determinant = image[0] * square_heat - square[0] * image_heat;
    const double share = 1 - double(space.diffuse(shape.surface));
    cut.emission(row).mirrored = share * (mass * square_heat - square[0] * heat) / determinant;
    cut.emission(row).mirrored_square = share * (image[0] * heat - mass * image_heat) / determinant;
  }
};

/// What the surface of a cell sends into the gas, see FacetEmission.
template <class ExecutionSpace, class Real>
KOKKOS_FORCEINLINE_FUNCTION double emitted(const VelocitySpace<ExecutionSpace, Real>& v,
                                           const CutShape& shape, const FacetEmission& emission,
                                           const Real* f, const Real* wall, int i, int q,
                                           int place) {
  if (shape.heated) {
    const Maxwellian m = maxwellian(1, shape.velocity, emission.temperature);
    return emission.diffuse * heated_maxwellian(v, m, i, q);
  }
  double sum = emission.diffuse * double(wall[place]);
  if (emission.mirrored != 0) {
    sum += (emission.mirrored + emission.mirrored_square * square_of(v, shape, i, q)) *
           mirror_image(v, shape, f, wall, i, q);
  }
  return sum;
}

/// Net fluxes through the surface of each cell in a step, one team a cell.
template <class ExecutionSpace, class Real>
struct FacetFlux {
  PhaseSpace<ExecutionSpace, Real> space;
  CutSpace<ExecutionSpace, Real> cut;
  View<double* [flux_count], ExecutionSpace> flux;

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const auto& v = space.velocities;
    const int row = team.league_rank();
    const CutShape shape = cut.shapes(row);
    if (shape.surface < 0) return;
    const int cell = cut.cells(row);
    const Real* f = space.values(cell);
    const Real* wall = &space.surface_maxwellian(shape.surface, 0);
    const FacetEmission emission = cut.emission(row);
    double net[1][flux_count];
    sum_through_surface(
        team, space, cell, shape, net, [&](double through, int i, int q, int place, auto& rows) {
          const double value =
              through > 0 ? double(f[place]) : emitted(v, shape, emission, f, wall, i, q, place);
          add_flow(v, i, q, through * value, rows[0]);
        });
    if (team.team_rank() != 0) return;
    for (int n = 0; n < flux_count; ++n) flux(row, n) = net[0][n];
  }
};

/// Explicit part of a stage in the listed cells, one team a cell. With V as the open volume, A as
/// open areas of faces and w = v . A_w as the flow through the surface out of the gas, a streaming
/// is
///
///   V (S(f) - f) = -dt (sum over faces of |v_n| (+-) A (f_face - f) + max(-w, 0) (f - f_wall)),
///
/// the plus sign where gas leaves. Since faces and surface close the volume, this is the balance of
/// what leaves and enters. A uniform gas stays as it is to the bit. Sums are in double precision,
/// in which areas close to rounding.
template <class ExecutionSpace, class Real, int Order, bool Growing>
struct StreamCutCell {
  using Stencil = LineStencil<ExecutionSpace, Real, Order, Growing>;
  PhaseSpace<ExecutionSpace, Real> space;
  CutSpace<ExecutionSpace, Real> cut;
  StageWithMemory<ExecutionSpace, Real> with_memory;

  /// What a streaming along an axis adds to the contents of a cell.
  struct Axis {
    int axis;
    Stencil rising;
    Stencil falling;
    bool mirrors;  ///< a specular side is among their sources

    KOKKOS_INLINE_FUNCTION Axis(const PhaseSpace<ExecutionSpace, Real>& space, int cell, int along)
        : axis(along),
          rising(space, cell, along, 1),
          falling(space, cell, along, -1),
          mirrors(rising.mirrors() || falling.mirrors()) {}

    KOKKOS_FORCEINLINE_FUNCTION FaceValues<Real> at_faces(
        const PhaseSpace<ExecutionSpace, Real>& space, const Stencil& stencil, int place) const {
      if (mirrors) return stencil.at_faces(space, place);
      const Real c = stencil.centre.factor * stencil.centre.values[place];
      const Real u = stencil.up.factor * stencil.up.values[place];
      if constexpr (Order == 1) {
        return {c, u};
      } else {
        const Real d = stencil.down.factor * stencil.down.values[place];
        const Real uu = stencil.further.factor * stencil.further.values[place];
        return {stencil.at_face(c, u, d), stencil.at_face_upstream(c, u, uu)};
      }
    }

    KOKKOS_FORCEINLINE_FUNCTION double change(const PhaseSpace<ExecutionSpace, Real>& space,
                                              const CutShape& shape, double courant, double f,
                                              int place) const {
      const bool up = courant > 0;
      const FaceValues<Real> face = at_faces(space, up ? rising : falling, place);
      const double leaving = shape.open[2 * axis + (up ? 1 : 0)] * (double(face.leaves) - f);
      const double entering = shape.open[2 * axis + (up ? 0 : 1)] * (double(face.enters) - f);
      return std::fabs(courant) * (entering - leaving);
    }
  };

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const auto& v = space.velocities;
    const int row = team.league_rank();
    const int cell = cut.cells(row);
    const CutShape shape = cut.shapes(row);
    const Crossings crossing(space, cell);
    const Real* from = space.values(cell);
    const Real* wall = shape.surface < 0 ? from : &space.surface_maxwellian(shape.surface, 0);
    const FacetEmission emission = cut.emission(row);
    const Axis x(space, cell, 0);
    const Axis y(space, cell, space.dimensions > 1 ? 1 : 0);
    const Axis z(space, cell, space.dimensions > 2 ? 2 : 0);
    const ImexStage& stage = with_memory.stage;
    Real* to = space.next_values(cell);
    Real* kept =
        with_memory.kept.data() + static_cast<std::size_t>(cell) * with_memory.kept.extent(1);
    Segments(team, v).each([&](const Segment& segment) {
      for (int k = 0; k < segment.length; ++k) {
        const int q = segment.begin + k;
        const int place = segment.place + k;
        const double f = from[place];
        double added =
            x.change(space, shape, crossing.along[0] * double(v.nodes[0](segment.i)), f, place);
        if (space.dimensions > 1) {
          added += y.change(space, shape, crossing.along[1] * double(v.y(q)), f, place);
        }
        if (space.dimensions > 2) {
          added += z.change(space, shape, crossing.along[2] * double(v.z(q)), f, place);
        }
        const double through = through_surface(v, crossing, shape, segment.i, q);
        if (through < 0) {
          added -= through * (emitted(v, shape, emission, from, wall, segment.i, q, place) - f);
        }
        double streamed = f + stage.streamed * added;
        if (stage.keeps) kept[place] = static_cast<Real>(f + added);
        if (stage.extrapolation != 0) {
          streamed += stage.extrapolation * (streamed - double(kept[place]));
        }
        to[place] = static_cast<Real>(streamed);
      }
    });
  }
};

/// Sets the cells of each group to their mean value, one team a group. Ranks that share a group
/// find the same bits.
template <class ExecutionSpace, class Real>
struct MergeGroup {
  PhaseSpace<ExecutionSpace, Real> space;
  CutSpace<ExecutionSpace, Real> cut;

  KOKKOS_FORCEINLINE_FUNCTION Real* member(int n) const {
    const int cell = cut.members(n);
    return cell >= 0 ? space.next_values(cell) : &cut.received(-1 - cell, 0);
  }

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const int first = cut.first(team.league_rank());
    const int last = cut.first(team.league_rank() + 1);
    Segments(team, space.velocities).each([&](const Segment& segment) {
      for (int k = 0; k < segment.length; ++k) {
        const int place = segment.place + k;
        // As differences from one of them, so that equal values stay as they are to the bit.
        const double base = member(first)[place];
        double mean = 0;
        for (int n = first; n < last; ++n) {
          mean += cut.share(n) * (double(member(n)[place]) - base);
        }
        const Real value = static_cast<Real>(base + mean);
        for (int n = first; n < last; ++n) member(n)[place] = value;
      }
    });
  }
};

double open_volume(const PhaseGrid& grid, const CutCell& cut) {
  double volume = cut.volume;
  const std::array<int, 3> at = grid.cell_at(static_cast<int>(cut.cell));
  for (std::size_t d = 0; d < static_cast<std::size_t>(grid.dimensions); ++d) {
    volume *= grid.width(d, at[d]);
  }
  return volume;
}

template <class Value, class ExecutionSpace>
View<Value*, ExecutionSpace> uploaded(const char* label, const std::vector<Value>& values) {
  View<Value*, ExecutionSpace> view(std::string(label), values.size());
  upload(view, values);
  return view;
}

/// Sets the groups with a cell of a rank, and what it exchanges with others for them.
template <class ExecutionSpace, class Real>
void set_groups(const PhaseGrid& grid, const CutGroups& groups, const std::vector<CellSlab>& slabs,
                int rank, std::size_t row_size, CutSpace<ExecutionSpace, Real>& cut) {
  const int first_cell = slabs[static_cast<std::size_t>(rank)].first_cell();
  std::vector<int> members;
  std::vector<int> first{0};
  std::vector<double> share;
  // By other rank: own cells that it needs, and places in `members` of what comes from there.
  std::vector<std::vector<int>> sent(slabs.size());
  std::vector<std::vector<std::size_t>> received(slabs.size());
  for (std::size_t group = 0; group + 1 < groups.first.size(); ++group) {
    std::vector<int> cells;
    std::vector<std::size_t> owners;
    double volume = 0;
    const auto volume_of = [&](int cell) {
      return grid.volume_ratio(cell) * grid.open_volume(cell);
    };
    for (int n = groups.first[group]; n < groups.first[group + 1]; ++n) {
      const int place = groups.members[static_cast<std::size_t>(n)];
      const int cell = groups.cells[static_cast<std::size_t>(place)];
      const auto owns = [&](const CellSlab& slab) { return slab.owns(cell); };
      const auto owner = std::find_if(slabs.begin(), slabs.end(), owns) - slabs.begin();
      cells.push_back(cell);
      owners.push_back(static_cast<std::size_t>(owner));
      volume += volume_of(cell);
    }
    const auto own = static_cast<std::size_t>(rank);
    if (std::count(owners.begin(), owners.end(), own) == 0) continue;
    std::set<std::size_t> others(owners.begin(), owners.end());
    others.erase(own);
    for (std::size_t n = 0; n < cells.size(); ++n) {
      share.push_back(volume_of(cells[n]) / volume);
      if (owners[n] == own) {
        for (const std::size_t other : others) sent[other].push_back(cells[n] - first_cell);
      } else {
        received[owners[n]].push_back(members.size());
      }
      members.push_back(cells[n] - first_cell);
    }
    first.push_back(static_cast<int>(members.size()));
  }
  int rows = 0;
  for (const auto& from_rank : received) {
    for (const std::size_t place : from_rank) members[place] = -1 - rows++;
  }
  if (rows > 0) {
    cut.received = View<Real**, ExecutionSpace>("members of other ranks", rows, row_size);
    cut.exchange = std::make_shared<GroupExchange<ExecutionSpace, Real>>(sent, received, row_size);
  }
  cut.members = uploaded<int, ExecutionSpace>("merged cells", members);
  cut.first = uploaded<int, ExecutionSpace>("first merged cells", first);
  cut.share = uploaded<double, ExecutionSpace>("shares of merged cells", share);
}

/// A team for each listed cell that adds up `sums` numbers.
template <class ExecutionSpace, class Real>
StepPolicy<ExecutionSpace> sum_policy(const StepContext<ExecutionSpace>& context,
                                      const CutSpace<ExecutionSpace, Real>& cut, int sums) {
  return team_policy(context, static_cast<int>(cut.cells.extent(0)),
                     team_sum_bytes<ExecutionSpace, double>(sums, context.tuning.team_size));
}

}  // namespace

template <class ExecutionSpace, class Real>
std::unique_ptr<CutSpace<ExecutionSpace, Real>> make_cut_space(
    const PhaseGrid& grid, const std::vector<CellSlab>& slabs, int rank,
    const PhaseSpace<ExecutionSpace, Real>& space) {
  if (grid.solids.cut.empty()) return nullptr;
  const CutGroups groups = find_cut_groups(grid, find_neighbours(grid));
  const CellSlab& slab = slabs[static_cast<std::size_t>(rank)];
  auto result = std::make_unique<CutSpace<ExecutionSpace, Real>>();
  std::vector<int> cells;
  std::vector<CutShape> shapes;
  for (const int cell : groups.cells) {
    if (!slab.owns(cell)) continue;
    CutShape shape{{1, 1, 1, 1, 1, 1}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, -1, false, 0};
    const CutCell* cut = grid.solids.cut_cell(static_cast<std::size_t>(cell));
    if (cut != nullptr) {
      const Point3D area = cut->area();
      const std::array<double, 3> surface = grid.facet_area(*cut);
      const double size =
          std::sqrt(surface[0] * surface[0] + surface[1] * surface[1] + surface[2] * surface[2]);
      for (std::size_t d = 0; d < static_cast<std::size_t>(grid.dimensions) && size > 0; ++d) {
        shape.area[d] = area[d] / cut->volume;
        shape.normal[d] = surface[d] / size;
      }
      for (std::size_t n = 0; n < 6; ++n) shape.open[n] = cut->open[n] / cut->volume;
      if (size > 0) {
        const SideCondition& wall = grid.solids.bodies[static_cast<std::size_t>(cut->shape)].wall;
        shape.surface = 6 + cut->shape;
        for (std::size_t d = 0; d < 3; ++d) shape.velocity[d] = wall.state.velocity[d];
        const SurfaceLaw law = surface_law(wall);
        shape.heated = law.heated;
        result->is_heated |= law.heated;
        result->has_mirrors |= !law.heated && law.diffuse_share < 1;
        result->to_flux.push_back(open_volume(grid, *cut) / (size * grid.time_step));
        if (law.heated) shape.heat = law.heat / result->to_flux.back();
      } else {
        result->to_flux.push_back(0);
      }
    }
    cells.push_back(cell - slab.first_cell());
    shapes.push_back(shape);
  }
  set_groups(grid, groups, slabs, rank, space.f.extent(1), *result);
  result->cells = uploaded<int, ExecutionSpace>("cut cells", cells);
  result->shapes = uploaded<CutShape, ExecutionSpace>("shapes of cut cells", shapes);
  result->emission = uploaded<FacetEmission, ExecutionSpace>(
      "emission of surfaces", std::vector<FacetEmission>(cells.size()));
  if (result->is_heated) {
    result->arriving =
        View<double* [flux_count], ExecutionSpace>("arriving at heated surfaces", cells.size());
  }
  return result;
}

template <class ExecutionSpace, class Real>
void update_facet_emission(const StepContext<ExecutionSpace>& context,
                           const PhaseSpace<ExecutionSpace, Real>& space) {
  if (space.cut == nullptr) return;
  const CutSpace<ExecutionSpace, Real>& cut = *space.cut;
  Kokkos::parallel_for("knudsen/bgkw/facet_density", sum_policy(context, cut, 2),
                       FacetDensity<ExecutionSpace, Real>{space, cut});
  if (cut.is_heated) {
    Kokkos::parallel_for("knudsen/bgkw/sum_at_heated_facets", sum_policy(context, cut, flux_count),
                         SumArriving<ExecutionSpace, Real>{space, cut});
    const int cells = static_cast<int>(cut.cells.extent(0));
    Kokkos::parallel_for(
        "knudsen/bgkw/facet_heat",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<int>>(context.execution, 0, cells),
        FacetHeat<ExecutionSpace, Real>{space, cut});
  }
  if (!cut.has_mirrors) return;
  Kokkos::parallel_for("knudsen/bgkw/facet_mirror", sum_policy(context, cut, 3 * flux_count),
                       FacetMirror<ExecutionSpace, Real>{space, cut});
}

template <class ExecutionSpace, class Real>
void stream_cut_cells(const StepContext<ExecutionSpace>& context,
                      const PhaseSpace<ExecutionSpace, Real>& space,
                      const StageWithMemory<ExecutionSpace, Real>& stage) {
  if (space.cut == nullptr) return;
  const int cells = static_cast<int>(space.cut->cells.extent(0));
  const auto stream = [&](auto order, auto growing) {
    Kokkos::parallel_for(
        "knudsen/bgkw/stream_cut_cells", team_policy(context, cells),
        StreamCutCell<ExecutionSpace, Real, order, growing>{space, *space.cut, stage});
  };
  if (space.order == 1) {
    stream(std::integral_constant<int, 1>{}, std::false_type{});
  } else if (space.has_equal_cells) {
    stream(std::integral_constant<int, 2>{}, std::false_type{});
  } else {
    stream(std::integral_constant<int, 2>{}, std::true_type{});
  }
  if (space.cut->exchange) (*space.cut->exchange)(context, space.next, space.cut->received);
  const int groups = static_cast<int>(space.cut->first.extent(0)) - 1;
  if (groups == 0) return;
  Kokkos::parallel_for("knudsen/bgkw/merge_cut_cells", team_policy(context, groups),
                       MergeGroup<ExecutionSpace, Real>{space, *space.cut});
}

template <class ExecutionSpace, class Real>
std::vector<SurfaceFlux> facet_fluxes(const StepContext<ExecutionSpace>& context,
                                      const PhaseSpace<ExecutionSpace, Real>& space) {
  if (space.cut == nullptr) return {};
  const View<double* [flux_count], ExecutionSpace> sums("fluxes at surfaces",
                                                        space.cut->cells.extent(0));
  Kokkos::parallel_for("knudsen/bgkw/facet_fluxes", sum_policy(context, *space.cut, flux_count),
                       FacetFlux<ExecutionSpace, Real>{space, *space.cut, sums});
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  std::vector<SurfaceFlux> fluxes(space.cut->to_flux.size());
  for (std::size_t n = 0; n < fluxes.size(); ++n) {
    for (std::size_t i = 0; i < flux_count; ++i) fluxes[n][i] = host(n, i) * space.cut->to_flux[n];
  }
  return fluxes;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                \
  template std::unique_ptr<CutSpace<ExecutionSpace, Real>> make_cut_space<ExecutionSpace, Real>( \
      const PhaseGrid&, const std::vector<CellSlab>&, int,                                       \
      const PhaseSpace<ExecutionSpace, Real>&);                                                  \
  template void update_facet_emission<ExecutionSpace, Real>(                                     \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&);              \
  template void stream_cut_cells<ExecutionSpace, Real>(                                          \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&,               \
      const StageWithMemory<ExecutionSpace, Real>&);                                             \
  template std::vector<SurfaceFlux> facet_fluxes<ExecutionSpace, Real>(                          \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
