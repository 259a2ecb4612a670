#include "methods/bgkw/tiles.hpp"

#include <utility>

#include "device/async_copy.hpp"
#include "device/block_launch.hpp"
#include "device/instantiate.hpp"
#include "methods/bgkw/side_flow.hpp"
#include "methods/bgkw/team_sum.hpp"

namespace knudsen::bgkw {
namespace {

/// Pointer to the values of one velocity in all cells.
template <class Distribution>
KOKKOS_INLINE_FUNCTION auto values_of(const Distribution& f, int place) {
  return f.data() + static_cast<std::size_t>(place) * f.extent(0);
}

/// Transposes the distribution between (cell, velocity) and (velocity, cell), one square of
/// side x side values a team.
template <class ExecutionSpace, class Real, bool ToTiles>
struct Transpose {
  static constexpr int side = 32;
  static constexpr int pitch = side + 1;  // avoids bank conflicts along columns

  PhaseSpace<ExecutionSpace, Real> space;

  static std::size_t scratch_bytes() { return std::size_t{side} * pitch * sizeof(Real) + 64; }
  KOKKOS_INLINE_FUNCTION int across() const { return (space.velocities.size() - 1) / side + 1; }
  int squares() const { return ((space.cell_count() - 1) / side + 1) * across(); }

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const auto& v = space.velocities;
    const int width = across();
    const int band = team.league_rank() / width;
    const int first_cell = band * side;
    const int first_place = (team.league_rank() - band * width) * side;
    Real* square = take_scratch<Real>(team, side * pitch);
    // Neighbouring threads access contiguous values of both arrays.
    constexpr int lanes = is_host_backend<ExecutionSpace> ? 1 : side;
    const int rows = team.team_size() / lanes;
    const int row = team.team_rank() / lanes;
    const int lane = team.team_rank() - row * lanes;
    const auto left_over = [](int all, int first) {
      return all - first < side ? all - first : side;
    };
    const int cells = left_over(space.cell_count(), first_cell);
    const int places = left_over(v.size(), first_place);
    const auto move_by_cell = [&](Real* values, const auto& move) {
      for (int cell = row; cell < cells; cell += rows) {
        Real* of_cell = values + static_cast<std::size_t>(first_cell + cell) * space.f.extent(1);
        for (int place = lane; place < places; place += lanes) {
          move(of_cell[first_place + place], square[cell * pitch + place], first_place + place);
        }
      }
    };
    const auto move_by_place = [&](Real* values, const auto& move) {
      for (int place = row; place < places; place += rows) {
        Real* of_place =
            values + static_cast<std::size_t>(first_place + place) * space.f.extent(0) + first_cell;
        for (int cell = lane; cell < cells; cell += lanes) {
          move(of_place[cell], square[cell * pitch + place]);
        }
      }
    };
    if constexpr (ToTiles) {
      move_by_cell(space.f.data(), [](const Real& value, Real& held, int) { held = value; });
      team.team_barrier();
      move_by_place(space.next.data(), [](Real& value, const Real& held) { value = held; });
    } else {
      move_by_place(space.f.data(), [](const Real& value, Real& held) { held = value; });
      team.team_barrier();
      // Streaming skips the velocities that pad rows, so their values must be set to 0 here.
      const int length = v.row_length;
      const int count = v.count[2];
      move_by_cell(space.next.data(), [&](Real& value, const Real& held, int place) {
        value = count < length && place % length >= count ? Real(0) : held;
      });
    }
  }
};

/// The values of one velocity in all cells, read from scratch memory where a tile holds them.
template <class ExecutionSpace, class Real>
struct VelocityField {
  const PhaseSpace<ExecutionSpace, Real>& space;
  int place;                   ///< index of the velocity
  const Real* values;          ///< of all cells, in global memory
  const Real* tile = nullptr;  ///< of some cells, in scratch memory
  int first = 0;               ///< first cell of the tile
  int count = 0;               ///< cells of the tile

  KOKKOS_INLINE_FUNCTION VelocityField(const PhaseSpace<ExecutionSpace, Real>& of, int velocity)
      : space(of), place(velocity), values(values_of(of.f, velocity)) {}

  KOKKOS_FORCEINLINE_FUNCTION Real in_cell(int cell) const {
    const int at = cell - first;
    return at >= 0 && at < count ? tile[at] : values[cell];
  }
  /// Inflow across a face; `image` is the cell that is the mirror image of the upstream position.
  KOKKOS_INLINE_FUNCTION Real beyond(int face, int image) const {
    const Source<Real> source = source_beyond<ExecutionSpace, Real>(space, face, space.f.data());
    Real sum = source.factor * source.values[place];
    if (source.mirrored != nullptr) {
      const int reversed = space.reversed[space.faces(face).direction];
      const int mirrored = reversed_index(space.velocities, reversed, place);
      sum += source.mirrored_factor * values_of(space.f, mirrored)[image];
    }
    return sum;
  }
  /// Value `steps` cells away in a direction, in the gas or beyond a face.
  KOKKOS_INLINE_FUNCTION Real away(int cell, int direction, int steps) const {
    UpstreamWalk<ExecutionSpace, Real> walk{space, cell, direction};
    for (int n = 0; n < steps; ++n) walk.advance();
    return walk.face < 0 ? in_cell(walk.cell) : beyond(walk.face, walk.cell);
  }
};

/// Courant number of a velocity along an axis.
template <class Real>
struct Crossing {
  int upstream = 0;  ///< direction upstream
  int shift = 0;     ///< integer part of the Courant number
  Real part = 0;     ///< its remainder

  Crossing() = default;
  KOKKOS_INLINE_FUNCTION Crossing(int axis, Real courant)
      : upstream(courant < 0 ? 2 * axis + 1 : 2 * axis),
        shift(static_cast<int>(math::fabs(courant))),
        part(math::fabs(courant) - static_cast<Real>(shift)) {}

  /// Sign of the upstream direction along the axis.
  KOKKOS_FORCEINLINE_FUNCTION int sign() const { return upstream % 2 == 1 ? 1 : -1; }
};

/// Streaming of one velocity a team, by tiles of cells in scratch memory.
template <class ExecutionSpace, class Real, int Dimensions>
struct StreamTiles {
  PhaseSpace<ExecutionSpace, Real> space;
  int tile_cells;  ///< cells of a tile

  std::size_t scratch_bytes() const {
    return static_cast<std::size_t>(tile_cells) * sizeof(Real) + 64;
  }

  /// Position of a cell that advances by the team size without divisions.
  struct Position {
    int at[3];  ///< cell indices
    int by[3];  ///< increment of each index, without carry

    KOKKOS_INLINE_FUNCTION Position(const PhaseSpace<ExecutionSpace, Real>& space, int cell,
                                    int step) {
      const auto split = [&](int number, int(&to)[3]) {
        const int line = number / space.cells[0];
        to[0] = number - line * space.cells[0];
        to[2] = line / space.cells[1];
        to[1] = line - to[2] * space.cells[1];
      };
      split(cell, at);
      split(step, by);
    }
    KOKKOS_FORCEINLINE_FUNCTION void advance(const int (&cells)[3]) {
      KNUDSEN_UNROLL
      for (int d = 0; d < Dimensions; ++d) {
        at[d] += by[d];
        if (d + 1 < Dimensions && at[d] >= cells[d]) {
          at[d] -= cells[d];
          ++at[d + 1];
        }
      }
    }
  };

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const auto& v = space.velocities;
    const int place = team.league_rank();
    if (place % v.row_length >= v.count[2]) return;
    const int i = place / v.plane;
    Crossing<Real> crossings[Dimensions];
    for (int d = 0; d < Dimensions; ++d) {
      crossings[d] = Crossing<Real>(d, courant_at(space, d, i, place - i * v.plane));
    }
    VelocityField<ExecutionSpace, Real> field(space, place);
    Real* out = values_of(space.next, place);
    // On the host the cache takes the place of the tile.
    if constexpr (is_host_backend<ExecutionSpace>) return stream_lines(field, crossings, out);
    Real* tile = take_scratch<Real>(team, tile_cells);
    field.tile = tile;
    const int all = space.cell_count();
    for (int first = 0; first < all; first += tile_cells) {
      field.first = first;
      field.count = all - first < tile_cells ? all - first : tile_cells;
      read_tile(team, field.values + first, field.count, tile);
      team.team_barrier();
      Position position(space, first + team.team_rank(), team.team_size());
      team_each(team, field.count, [&](int n) {
        out[first + n] = streamed(field, crossings, first + n, position.at, tile[n]);
        position.advance(space.cells);
      });
      team.team_barrier();
    }
  }

 private:
  using Crossings = Crossing<Real>[Dimensions];

  /// Loads a tile; several loads are in flight at a time.
  KOKKOS_FORCEINLINE_FUNCTION static void read_tile(const StepMember<ExecutionSpace>& team,
                                                    const Real* from, int count, Real* tile) {
    constexpr int at_once = 8;
    const int size = team.team_size();
    int n = team.team_rank();
    KNUDSEN_NO_UNROLL
    for (; n + (at_once - 1) * size < count; n += at_once * size) {
      Real held[at_once];
      KNUDSEN_UNROLL
      for (int m = 0; m < at_once; ++m) held[m] = from[n + m * size];
      KNUDSEN_UNROLL
      for (int m = 0; m < at_once; ++m) tile[n + m * size] = held[m];
    }
    for (; n < count; n += size) tile[n] = from[n];
  }

  /// Width of the stencil along an axis, upstream; more than one cell in one dimension only.
  KOKKOS_FORCEINLINE_FUNCTION static int reach(const Crossings& crossings, int axis) {
    return Dimensions == 1 ? crossings[axis].shift + 1 : 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_inside(const Crossings& crossings, int axis, int at) const {
    const int goal = at + crossings[axis].sign() * reach(crossings, axis);
    return goal >= 0 && goal < space.cells[axis];
  }
  KOKKOS_FORCEINLINE_FUNCTION int stride(int axis) const {
    return axis == 0 ? 1 : (axis == 1 ? space.cells[0] : space.cells[0] * space.cells[1]);
  }

  /// Streamed value of a cell; away(axis, steps) is the value `steps` cells upstream.
  template <class Away>
  KOKKOS_FORCEINLINE_FUNCTION static Real upwind(const Crossings& crossings, Real own,
                                                 const Away& away) {
    if constexpr (Dimensions == 1) {
      const Crossing<Real>& along = crossings[0];
      const Real centre = along.shift == 0 ? own : away(0, along.shift);
      return centre - along.part * (centre - away(0, along.shift + 1));
    } else {
      // The Courant numbers add up to at most one.
      Real sum = own;
      KNUDSEN_UNROLL
      for (int d = 0; d < Dimensions; ++d) {
        sum -= (static_cast<Real>(crossings[d].shift) + crossings[d].part) * (own - away(d, 1));
      }
      return sum;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Real streamed(const VelocityField<ExecutionSpace, Real>& field,
                                            const Crossings& crossings, int cell,
                                            const int (&at)[3], Real own) const {
    if (space.has_solids && space.is_solid(cell)) return own;
    return upwind(crossings, own, [&](int axis, int steps) {
      if (space.has_solids || !is_inside(crossings, axis, at[axis])) {
        return field.away(cell, crossings[axis].upstream, steps);
      }
      return field.in_cell(cell + crossings[axis].sign() * steps * stride(axis));
    });
  }

  /// Streams all cells line by line, those inside the box by a SIMD loop.
  KOKKOS_INLINE_FUNCTION void stream_lines(const VelocityField<ExecutionSpace, Real>& field,
                                           const Crossings& crossings, Real* out) const {
    const int length = space.cells[0];
    int offset[Dimensions];
    for (int d = 0; d < Dimensions; ++d) offset[d] = crossings[d].sign() * stride(d);
    for (int line = 0; line < space.cells[1] * space.cells[2]; ++line) {
      int at[3] = {0, line % space.cells[1], line / space.cells[1]};
      bool inside = !space.has_solids;
      for (int d = 1; d < Dimensions; ++d) inside = inside && is_inside(crossings, d, at[d]);
      const int start = line * length;
      const Real* values = field.values + start;
      Real* to = out + start;
      while (at[0] < length) {
        const int x = at[0];
        if (!inside || !is_inside(crossings, 0, x)) {
          to[x] = streamed(field, crossings, start + x, at, values[x]);
          ++at[0];
          continue;
        }
        // All cells whose upstream values are on this line.
        const int count = length - x - (crossings[0].sign() > 0 ? reach(crossings, 0) : 0);
        for_lanes<0>(count, [&](int n) {
          const Real* own = values + x + n;
          to[x + n] = upwind(crossings, *own,
                             [&](int axis, int steps) { return own[steps * offset[axis]]; });
        });
        at[0] += count;
      }
    }
  }
};

/// Sets the density of the Maxwellian re-emitted at each wall face, one lane a face.
template <class ExecutionSpace, class Real>
struct WallDensityOfTiles {
  /// Faces of a team: neighbouring cells along a side share a cache line.
  static constexpr int lanes = is_host_backend<ExecutionSpace> ? 1 : 8;

  PhaseSpace<ExecutionSpace, Real> space;

  static std::size_t scratch_bytes(int team_size) {
    return static_cast<std::size_t>(team_size) * sizeof(double) + 64;
  }

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const int slices = team.team_size() / lanes;
    const int slice = team.team_rank() / lanes;
    const int lane = team.team_rank() - slice * lanes;
    const int number = team.league_rank() * lanes + lane;
    auto* sums = take_scratch<double>(team, team.team_size());
    const bool there = number < static_cast<int>(space.faces.extent(0)) &&
                       space.needs_density(space.faces(number).surface) != 0;
    sums[slice * lanes + lane] = there ? leaving(space.faces(number), slice, slices) : 0;
    team.team_barrier();
    if (!there || slice > 0) return;
    double sum = 0;
    for (int n = 0; n < slices; ++n) sum += sums[n * lanes + lane];
    balance_face(space, number, space.faces(number), sum);
  }

 private:
  KOKKOS_INLINE_FUNCTION double leaving(const Face& face, int slice, int slices) const {
    const auto& v = space.velocities;
    const int axis = face.direction / 2;
    const Real sign = face.direction % 2 == 1 ? Real(1) : Real(-1);
    double sum[1] = {0};
    for (int i = 0; i < v.count[0]; ++i) {
      for (int q = slice; q < v.plane; q += slices) {
        const Real courant = courant_at(space, axis, i, q);
        if (!(sign * courant > 0) || q % v.row_length >= v.count[2]) continue;
        const VelocityField<ExecutionSpace, Real> field(space, i * v.plane + q);
        const Crossing<Real> crossing(axis, courant);
        Real flow = 0;
        for (int n = 0; n < crossing.shift; ++n) {
          flow += field.away(face.cell, crossing.upstream, n);
        }
        flow += crossing.part * field.away(face.cell, crossing.upstream, crossing.shift);
        add_flow<1>(v, i, q, double(flow), sum);
      }
    }
    return sum[0];
  }
};

/// Relaxation of one tile of cells at a time by a team.
template <class ExecutionSpace, class Real, bool Conservative>
struct CollideTiles {
  static constexpr int max_threads = 256;
  static constexpr bool on_host = is_host_backend<ExecutionSpace>;
  /// Neighbouring threads that process neighbouring cells, so that they read whole cache lines.
  static constexpr int lanes = on_host ? 1 : 32;
  static constexpr int held = on_host ? 64 : 1;    ///< cells of a thread: a SIMD loop on the host
  static constexpr int cells = lanes * held;       ///< cells of a tile
  static constexpr int at_once = on_host ? 1 : 4;  ///< loads of a thread in flight at a time
  static constexpr int threads = on_host ? 1 : max_threads;
  static constexpr int slices = threads / lanes;  ///< threads that share the velocities of a cell
  /// Teams for which a multiprocessor must have registers.
  static constexpr int teams_at_once = Conservative ? 1 : 4;
  static_assert(teams_at_once * max_threads <= 1024);

  PhaseSpace<ExecutionSpace, Real> space;
  Collision collision;

  /// Relaxation of a cell: f <- kept_share f + relaxed_share maxwellian.
  struct Target {
    Maxwellian maxwellian;
    Real kept_share;     ///< exp(-rate dt)
    Real relaxed_share;  ///< 1 - kept_share
  };
  /// A z component with its weights in the moments.
  struct alignas(4 * sizeof(Real)) Node {
    Real weight;    ///< in the sum for mass
    Real weight_z;  ///< in the sum for v_z
    Real square;    ///< in the sum for v_z^2
  };
  KOKKOS_INLINE_FUNCTION int entry_count() const {
    const auto& v = space.velocities;
    return v.count[0] + v.count[1] + v.count[2];
  }
  int tile_count() const { return (space.cell_count() - 1) / cells + 1; }
  static constexpr int sum_bytes = 5 * slices * cells * static_cast<int>(sizeof(double));
  static constexpr int target_bytes = cells * static_cast<int>(sizeof(Target));
  std::size_t scratch_bytes() const {
    return static_cast<std::size_t>(sum_bytes + target_bytes) +
           static_cast<std::size_t>(space.velocities.count[2]) * sizeof(Node) +
           static_cast<std::size_t>(entry_count() * cells) * sizeof(Real);
  }

  template <class Team, class Memory>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Memory& scratch) const {
    char* const memory = scratch.get();
    auto* sums = reinterpret_cast<double*>(memory);
    auto* nodes = reinterpret_cast<Node*>(memory + sum_bytes);
    auto* targets = reinterpret_cast<Target*>(nodes + space.velocities.count[2]);
    auto* factors = reinterpret_cast<Real*>(targets + cells);
    team_each(team, space.velocities.count[2], [&](int k) {
      const auto& v = space.velocities;
      nodes[k] = {v.weights[2](k), v.weights[2](k) * v.nodes[2](k), v.z_square_weights(k)};
    });
    team.team_barrier();
    for (int first = team.league_rank() * cells; first < space.cell_count();
         first += team.league_size() * cells) {
      collide(team, first, nodes, sums, targets, factors);
      team.team_barrier();
    }
  }

 private:
  template <class Team>
  KOKKOS_INLINE_FUNCTION void collide(const Team& team, int first, const Node* nodes, double* sums,
                                      Target* targets, Real* factors) const {
    const auto& v = space.velocities;
    const int slice = team.team_rank() / lanes;
    const int lane = (team.team_rank() - slice * lanes) * held;
    const int left_over = space.cell_count() - first - lane;
    const int count = left_over < 0 ? 0 : (left_over < held ? left_over : held);

    // Algorithm 2, lines 1 to 6.
    const int own = slice * cells + lane;
    add_up(slice, first + lane, count, nodes, sums + own);
    team.team_barrier();
    // Lines 7 to 9.
    team_each(team, cells, [&](int n) {
      if (first + n < space.cell_count()) targets[n] = target_of(first + n, sums + n);
    });
    team.team_barrier();
    team_each(team, entry_count() * cells, [&](int n) {
      const int entry = n / cells;
      const int cell = n - entry * cells;
      if (first + cell >= space.cell_count()) return;
      const int d = entry < v.count[0] ? 0 : (entry < v.count[0] + v.count[1] ? 1 : 2);
      const int i = entry - (d > 0 ? v.count[0] : 0) - (d > 1 ? v.count[1] : 0);
      const Target& target = targets[cell];
      const Real amplitude =
          d == 0 ? target.relaxed_share * static_cast<Real>(target.maxwellian.amplitude) : Real(1);
      factors[n] = amplitude * v.factor(target.maxwellian, d, i);
    });
    team.team_barrier();
    // Lines 10 to 14.
    const Real* factors_x = factors + lane;
    const Real* factors_y = factors_x + v.count[0] * cells;
    const Real* factors_z = factors_y + v.count[1] * cells;
    const auto stride = static_cast<std::ptrdiff_t>(space.f.extent(0));
    Real kept[held];
    for (int n = 0; n < count; ++n) kept[n] = targets[lane + n].kept_share;
    for (int row = slice; row < v.rows(); row += slices) {
      const int i = row / v.count[1];
      const int j = row - i * v.count[1];
      Real of_row[held];
      for_cells(count,
                [&](int n) { of_row[n] = factors_x[i * cells + n] * factors_y[j * cells + n]; });
      Real* f = values_of(space.f, row * v.row_length) + first + lane;
      each_of_row(f, count, [&](int k, const Real(&value)[held]) {
        Real* to = f + k * stride;
        const Real* factor = factors_z + k * cells;
        for_cells(count, [&](int n) { to[n] = kept[n] * value[n] + of_row[n] * factor[n]; });
      });
    }
  }

  /// Calls body(k, values of `count` cells) for the velocities of a row; `f` points to the first
  /// cell at the first of them. Loads of several velocities are in flight at a time.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void each_of_row(const Real* f, int count, const Body& body) const {
    const auto stride = static_cast<std::ptrdiff_t>(space.f.extent(0));
    const auto read = [&](auto number, int first) {
      constexpr int group = decltype(number)::value;
      Real value[group][held];
      KNUDSEN_UNROLL
      for (int m = 0; m < group; ++m) {
        const Real* from = f + (first + m) * stride;
        for_cells(count, [&](int n) { value[m][n] = from[n]; });
      }
      KNUDSEN_UNROLL
      for (int m = 0; m < group; ++m) body(first + m, value[m]);
    };
    const int length = space.velocities.count[2];
    int k = 0;
    KNUDSEN_NO_UNROLL
    for (; k + at_once <= length; k += at_once) read(std::integral_constant<int, at_once>{}, k);
    KNUDSEN_NO_UNROLL
    for (; k < length; ++k) read(std::integral_constant<int, 1>{}, k);
  }
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void for_cells(int count, const Body& body) {
    if constexpr (held == 1) {
      if (count > 0) body(0);
    } else {
      for_lanes<0>(count, body);
    }
  }

  /// Sums of (1, v_x, v_y, v_z, v^2) f over this thread's share of the velocities.
  KOKKOS_FORCEINLINE_FUNCTION void add_up(int slice, int cell, int count, const Node* nodes,
                                          double* sums) const {
    const auto& v = space.velocities;
    double total[5][held] = {};
    for (int row = slice; row < v.rows(); row += slices) {
      Real mass[held] = {};
      Real along_z[held] = {};
      Real square_z[held] = {};
      const Real* f = values_of(space.f, row * v.row_length) + cell;
      each_of_row(f, count, [&](int k, const Real(&value)[held]) {
        const Node node = nodes[k];
        for_cells(count, [&](int n) {
          mass[n] += node.weight * value[n];
          along_z[n] += node.weight_z * value[n];
          square_z[n] += node.square * value[n];
        });
      });
      const int i = row / v.count[1];
      const int j = row - i * v.count[1];
      const double x = double(v.nodes[0](i));
      const double y = double(v.nodes[1](j));
      const double weight = double(v.weights[0](i)) * double(v.weights[1](j));
      for_cells(count, [&](int n) {
        const double here = weight * double(mass[n]);
        total[0][n] += here;
        total[1][n] += x * here;
        total[2][n] += y * here;
        total[3][n] += weight * double(along_z[n]);
        total[4][n] += (x * x + y * y) * here + weight * double(square_z[n]);
      });
    }
    for (int number = 0; number < 5; ++number) {
      for (int n = 0; n < count; ++n) sums[number * slices * cells + n] = total[number][n];
    }
  }

  KOKKOS_INLINE_FUNCTION Target target_of(int cell, const double* sums) const {
    if (space.has_solids && space.is_solid(cell)) return {{0, {0, 0, 0}, 1}, 1, 0};
    RawMoments<5> moments;
    for (int number = 0; number < 5; ++number) {
      for (int n = 0; n < slices; ++n) {
        const int at = (number * slices + n) * cells;
        moments.value[number] += sums[at];
      }
    }
    const auto& v = space.velocities;
    const CellTarget<BgkModel, Real> target =
        cell_target<BgkModel, Conservative>(v, macroscopic(v, moments), collision);
    return {target.maxwellian, target.kept_share, target.relaxed_share};
  }
};

template <bool ToTiles, class ExecutionSpace, class Real>
void transpose(const StepContext<ExecutionSpace>& context,
               PhaseSpace<ExecutionSpace, Real>& space) {
  using Kernel = Transpose<ExecutionSpace, Real, ToTiles>;
  const Kernel kernel{space};
  Kokkos::parallel_for("knudsen/bgkw/transpose",
                       team_policy(context, kernel.squares(), Kernel::scratch_bytes()), kernel);
  std::swap(space.f, space.next);
  space.known = KnownSums::none;
}

}  // namespace

template <class ExecutionSpace, class Real>
void to_tiles(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space) {
  transpose<true>(context, space);
}

template <class ExecutionSpace, class Real>
void from_tiles(const StepContext<ExecutionSpace>& context,
                PhaseSpace<ExecutionSpace, Real>& space) {
  transpose<false>(context, space);
}

template <class ExecutionSpace, class Real>
void update_wall_density_of_tiles(const StepContext<ExecutionSpace>& context,
                                  const PhaseSpace<ExecutionSpace, Real>& space) {
  using Kernel = WallDensityOfTiles<ExecutionSpace, Real>;
  const int faces = static_cast<int>(space.faces.extent(0));
  if (faces == 0) return;
  const int teams = (faces - 1) / Kernel::lanes + 1;
  const std::size_t bytes = Kernel::scratch_bytes(context.tuning.team_size);
  Kokkos::parallel_for("knudsen/bgkw/wall_density", team_policy(context, teams, bytes),
                       Kernel{space});
}

template <class ExecutionSpace, class Real>
void stream_tiles(const StepContext<ExecutionSpace>& context,
                  PhaseSpace<ExecutionSpace, Real>& space) {
  // A tile holds several lines of cells, and a multiprocessor several tiles.
  constexpr int max_cells = 16384 / static_cast<int>(sizeof(Real));
  const auto run = [&](auto dimensions) {
    using Kernel = StreamTiles<ExecutionSpace, Real, dimensions>;
    const int cells = space.cell_count();
    const Kernel kernel{space, cells < max_cells ? cells : max_cells};
    StepPolicy<ExecutionSpace> policy(context.execution, space.velocities.size(),
                                      is_host_backend<ExecutionSpace> ? 1 : 256, 1);
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(kernel.scratch_bytes())));
    Kokkos::parallel_for("knudsen/bgkw/stream", policy, kernel);
  };
  if (space.dimensions == 1) run(std::integral_constant<int, 1>{});
  if (space.dimensions == 2) run(std::integral_constant<int, 2>{});
  if (space.dimensions == 3) run(std::integral_constant<int, 3>{});
  std::swap(space.f, space.next);
}

template <class ExecutionSpace, class Real>
void collide_tiles(const StepContext<ExecutionSpace>& context,
                   const PhaseSpace<ExecutionSpace, Real>& space) {
  const auto run = [&](auto conservative) {
    using Kernel = CollideTiles<ExecutionSpace, Real, conservative>;
    const Kernel kernel{space, context.collision};
    launch_blocks("knudsen/bgkw/collide", context.execution, kernel.tile_count(), Kernel::threads,
                  kernel.scratch_bytes(), kernel);
  };
  if (context.collision.conservative) return run(std::true_type{});
  run(std::false_type{});
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                       \
  template void to_tiles<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&,      \
                                               PhaseSpace<ExecutionSpace, Real>&);      \
  template void from_tiles<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&,    \
                                                 PhaseSpace<ExecutionSpace, Real>&);    \
  template void update_wall_density_of_tiles<ExecutionSpace, Real>(                     \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&);     \
  template void stream_tiles<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&,  \
                                                   PhaseSpace<ExecutionSpace, Real>&);  \
  template void collide_tiles<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&, \
                                                    const PhaseSpace<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
