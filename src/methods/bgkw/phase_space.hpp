#pragma once

#include <climits>

#include "device/team_loops.hpp"
#include "kinetic/limiter.hpp"
#include "kinetic/moments.hpp"
#include "kinetic/side_condition.hpp"
#include "kinetic/velocity_space.hpp"

namespace knudsen::bgkw {

/// A face between a gas cell and a surface: a side of the box or a solid block.
struct Face {
  int cell;       ///< the gas cell
  int direction;  ///< from the cell to the surface, numbered as Side
  int surface;    ///< 0 to 5: side of the box; 6 and up: solid blocks
};

/// Which sums over the distribution of the current state are valid.
enum class KnownSums : int {
  none,
  moments,  ///< moments of each cell
  flows,    ///< moments, and moments of the outflow of each cell in the next step
};

/// What one sweep of SinglePass over all cells does.
enum class Pass {
  stream,          ///< streams from f to next and sums the moments of the result
  collide,         ///< relaxes f in place
  stream_collide,  ///< streams and relaxes from f to next and sums moments and outflow of the
                   ///< result
  sum,             ///< sums moments and outflow of f, writes no values
};

/// The distribution on a backend, indexed (cell, velocity), and the surfaces around the gas. Cells
/// are numbered (z * ny + y) * nx + x, the directions to a cell's neighbours as Side.
template <class ExecutionSpace, class Real>
struct PhaseSpace {                      // NOLINT: names in its implicit copy are the compiler's
  static constexpr int solid = INT_MIN;  ///< `neighbour` of cells inside a solid

  VelocitySpace<ExecutionSpace, Real> velocities;
  int dimensions = 1;
  int cells[3] = {1, 1, 1};
  int strip = 1;  ///< cells along x that are processed before the next row of cells
  View<Real**, ExecutionSpace> f;     ///< the state between two steps
  View<Real**, ExecutionSpace> next;  ///< output of a step, same shape as `f`
  /// Courant number of unit velocity along each axis: time step over cell width.
  Real crossing[3] = {0, 0, 0};
  double most_crossed = 0;  ///< sum over the axes of the largest Courant number
  bool split = false;       ///< a step streams along one axis after the other
  int order = 1;            ///< order of the streaming along one axis
  Limiter limiter = Limiter::van_leer;

  /// (cell, direction): index of the neighbouring cell, or -1 - index of the face; `solid` for
  /// cells inside a solid.
  View<int**, ExecutionSpace> neighbour;
  bool has_solids = false;
  View<Face*, ExecutionSpace> faces;
  View<Real*, ExecutionSpace> face_density;  ///< density of the Maxwellian that enters at a face
  View<int*, ExecutionSpace> is_wall;        ///< by surface: 1 for walls with diffuse reflection
  /// By surface: share of the inflow that is Maxwellian (accommodation of a wall, 1 for reservoirs,
  /// 0 for symmetry planes). The rest is the specularly reflected outflow.
  View<Real*, ExecutionSpace> diffuse;
  /// (surface, velocity): the Maxwellian; of density 1 for walls.
  View<Real**, ExecutionSpace> surface_maxwellian;
  /// (surface, direction, moment): moments (1, v, v^2) of the inflow of this Maxwellian across one
  /// face in a step, in units of a cell's contents.
  View<double** [5], ExecutionSpace> surface_inflow;

  /// Steps of plain bgk run as SinglePass where it applies. All members below belong to it.
  bool single_pass = false;
  int parts = 1;   ///< parts of a plane, each processed by its own team
  int splits = 1;  ///< threads of a team that share the planes of one sign of the x component
  /// (cell, part, number): sums over velocities of (1, v, v^2) f, then for each direction the same
  /// sums of the outflow in the next step. Valid for `f` as far as `known` says. Code that changes
  /// f outside the steps sets `known` to none.
  View<double***, ExecutionSpace> sums;
  View<double***, ExecutionSpace> next_sums;           ///< the sums of `next`
  KnownSums known = KnownSums::none;                   ///< which of `sums` are valid
  View<unsigned long long*, ExecutionSpace> progress;  ///< counters of Pace
  /// (cell, entry): the target of the next collision as factors along z, along x (times amplitude
  /// and 1 - keep) and along y, then keep = exp(-rate dt), the share of f that stays. Rows are
  /// padded to whole 16-byte accesses.
  View<Real**, ExecutionSpace> factors;

  KOKKOS_INLINE_FUNCTION int cell_count() const { return cells[0] * cells[1] * cells[2]; }
  KOKKOS_INLINE_FUNCTION bool is_solid(int cell) const { return neighbour(cell, 0) == solid; }
  KOKKOS_INLINE_FUNCTION Real* values(int cell) const { return place(f, cell); }
  KOKKOS_INLINE_FUNCTION Real* next_values(int cell) const { return place(next, cell); }
  /// Number of entries of `factors` of a cell, padding excluded.
  KOKKOS_INLINE_FUNCTION int factor_count() const {
    return velocities.row_length + velocities.count[0] + velocities.count[1] + 1;
  }
  KOKKOS_INLINE_FUNCTION Real* factors_of(int cell) const { return place(factors, cell); }

  /// The cell that the team of this rank processes. Teams go through the cells in strips along x,
  /// so that neighbours along y are still in the cache.
  KOKKOS_INLINE_FUNCTION int cell_of(int rank) const {
    const int lines = cells[1] * cells[2];
    const int a_strip = strip * lines;
    const int start = rank / a_strip * strip;
    const int in_strip = rank - start * lines;
    const int width = cells[0] - start < strip ? cells[0] - start : strip;
    const int line = in_strip / width;
    return line * cells[0] + start + in_strip - line * width;
  }

 private:
  KOKKOS_INLINE_FUNCTION static Real* place(const View<Real**, ExecutionSpace>& view, int cell) {
    return view.data() + static_cast<std::size_t>(cell) * view.extent(1);
  }
};

/// Indices of a cell along the axes.
struct Cell {
  int at[3];
};

template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Cell make_cell(const PhaseSpace<ExecutionSpace, Real>& space, int index) {
  const int row = index / space.cells[0];
  const int z = row / space.cells[1];
  return {{index - row * space.cells[0], row - z * space.cells[1], z}};
}

/// Upstream values of a cell: factor x values + mirrored_factor x mirror image of `mirrored`.
template <class Real>
struct Source {
  const Real* values = nullptr;    ///< values of a cell, or the Maxwellian of a surface
  Real factor = 1;                 ///< of `values`
  const Real* mirrored = nullptr;  ///< values of the cell at a specular surface; null: none
  Real mirrored_factor = 0;        ///< specular share
};

/// Inflow across a face; `mirrored` are the values that a specular surface reflects.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Source<Real> source_beyond(const PhaseSpace<ExecutionSpace, Real>& space,
                                                  int face, const Real* mirrored) {
  const int surface = space.faces(face).surface;
  const Real diffuse = space.diffuse(surface);
  return {&space.surface_maxwellian(surface, 0), diffuse * space.face_density(face),
          diffuse < 1 ? mirrored : nullptr, 1 - diffuse};
}

/// Upstream values on the other side of a cell's face in a direction.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Source<Real> source_beside(const PhaseSpace<ExecutionSpace, Real>& space,
                                                  int cell, int direction) {
  const int neighbour = space.neighbour(cell, direction);
  if (neighbour >= 0) return {space.values(neighbour), 1, nullptr, 0};
  return source_beyond(space, -1 - neighbour, space.values(cell));
}

/// Number of partial sums (columns) that a team keeps in scratch memory for each sum.
inline constexpr int sum_columns = 128;
/// Number of intermediate sums to which the columns are reduced before the final one.
inline constexpr int sum_pieces = 16;

/// Contiguous velocities with the same x component and the same sign of the y component; on a GPU
/// within one row.
struct Segment {
  int i;       ///< index of the x component
  int j;       ///< index of the y component; set on a GPU only
  int begin;   ///< first velocity, in the plane
  int length;  ///< number of velocities
  int place;   ///< first velocity, among all of the cell
};

/// Number of velocities that a GPU thread processes at a time: one 16-byte access. 0 on the host,
/// where the loop over a segment of any length is the SIMD loop.
template <class ExecutionSpace, class Real>
inline constexpr int lane_count = is_host_backend<ExecutionSpace> ? 0 : values_per_access<Real>;

/// All velocities of a cell by segments. On a GPU they are distributed over the threads of a team
/// such that all segments of a thread start at the same z component: tables along z are loaded once
/// a thread.
template <class ExecutionSpace, class Real>
struct Segments {
  static constexpr int width = lane_count<ExecutionSpace, Real>;
  const VelocitySpace<ExecutionSpace, Real>& velocities;
  int rows = 0;   ///< rows that the team processes at a time
  int first = 0;  ///< row of this thread among them
  int begin = 0;  ///< first z component of this thread

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION Segments(const Member& team,
                                       const VelocitySpace<ExecutionSpace, Real>& space)
      : velocities(space) {
    if constexpr (width > 0) {
      const int accesses = velocities.row_length / width;
      rows = team.team_size() / accesses;
      // Eight rows are whole cache lines of 128 bytes: a few idle threads cost less than partial
      // lines.
      if (rows > 8) rows -= rows % 8;
      first = team.team_rank() / accesses;
      begin = (team.team_rank() - first * accesses) * width;
    }
  }

  /// Calls body(segment).
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void each(const Body& body) const {
    if constexpr (width == 0) {
      for (int i = 0; i < velocities.count[0]; ++i) {
        const int middle = velocities.first_positive;
        const int place = i * velocities.plane;
        if (middle > 0) body(Segment{i, 0, 0, middle, place});
        if (middle < velocities.plane) {
          body(Segment{i, 0, middle, velocities.plane - middle, place + middle});
        }
      }
    } else {
      if (first >= rows) return;
      const int count = velocities.count[1];
      const int step_i = rows / count;
      const int step_j = rows - step_i * count;
      int i = first / count;
      int j = first - i * count;
      int place = first * velocities.row_length + begin;
      while (i < velocities.count[0]) {
        body(Segment{i, j, j * velocities.row_length + begin, width, place});
        i += step_i;
        j += step_j;
        if (j >= count) {
          j -= count;
          ++i;
        }
        place += rows * velocities.row_length;
      }
    }
  }
};

/// Values of a segment: loaded by one 16-byte access on a GPU, a pointer on the host.
template <int Width, class Real>
struct Lanes {
  struct alignas(16) Access {
    Real value[Width];
  } access;

  Lanes() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit Lanes(const Real* from)
      : access(*reinterpret_cast<const Access*>(from)) {}
  KOKKOS_FORCEINLINE_FUNCTION Real operator[](int k) const { return access.value[k]; }
};

template <class Real>
struct Lanes<0, Real> {
  const Real* from = nullptr;

  Lanes() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit Lanes(const Real* values) : from(values) {}
  KOKKOS_FORCEINLINE_FUNCTION Real operator[](int k) const { return from[k]; }
};

/// As Lanes, for values that are constant along a row: one value for all lanes of a GPU thread.
template <int Width, class Real>
struct RowLanes {
  Real value = 0;

  RowLanes() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit RowLanes(const Real* from) : value(*from) {}
  KOKKOS_FORCEINLINE_FUNCTION Real operator[](int) const { return value; }
};

template <class Real>
struct RowLanes<0, Real> : Lanes<0, Real> {
  using Lanes<0, Real>::Lanes;
};

/// Stores lane(k) for every velocity of a segment.
template <int Width, class Real, class Lane>
KOKKOS_FORCEINLINE_FUNCTION void write_lanes(int length, Real* to, const Lane& lane) {
  if constexpr (Width > 0) {
    using Access = typename Lanes<Width, Real>::Access;
    Access access;
    for (int k = 0; k < Width; ++k) access.value[k] = lane(k);
    *reinterpret_cast<Access*>(to) = access;
  } else {
    for_lanes<0>(length, [&](int k) { to[k] = lane(k); });
  }
}

/// Sums of a segment's values from which `Count` raw moments are made.
template <int Count, class ExecutionSpace, class Real>
struct SegmentSums {
  static constexpr int width = lane_count<ExecutionSpace, Real>;
  const VelocitySpace<ExecutionSpace, Real>& velocities;
  /// Nodes and weights: of this thread's lanes on a GPU, of a plane on the host.
  Lanes<width, Real> z, weight, square_weight;

  KOKKOS_FORCEINLINE_FUNCTION explicit SegmentSums(const Segments<ExecutionSpace, Real>& segments)
      : velocities(segments.velocities),
        z((width > 0 ? velocities.nodes[2] : velocities.z).data() + segments.begin),
        weight((width > 0 ? velocities.weights[2] : velocities.weight).data() + segments.begin),
        square_weight((width > 0 ? velocities.z_square_weights : velocities.square_weight).data() +
                      segments.begin) {}

  KOKKOS_FORCEINLINE_FUNCTION PlaneSums<Count, Real> operator()(const Segment& segment,
                                                                const Real* values) const {
    if constexpr (width > 0) {
      Real mass = 0;
      Real along_z = 0;
      Real square_z = 0;
      Real cubic_z = 0;
      for (int k = 0; k < width; ++k) {
        const Real here = weight[k] * values[k];
        const Real square = square_weight[k] * values[k];
        mass += here;
        along_z += z[k] * here;
        square_z += square;
        if constexpr (Count == 13) cubic_z += z[k] * square;
      }
      const Real y = velocities.nodes[1](segment.j);
      const Real weight_y = velocities.weights[1](segment.j);
      mass *= weight_y;
      along_z *= weight_y;
      square_z *= weight_y;
      const Real along_y = y * mass;
      const Real square_y = y * along_y;
      if constexpr (Count == 5) {
        return {{mass, along_y, along_z, square_y + square_z}};
      } else {
        const Real yz = y * along_z;
        return {{mass, along_y, along_z, square_y, square_z, yz, y * (square_y + square_z),
                 y * yz + weight_y * cubic_z}};
      }
    } else {
      return sum_plane(segment, values);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION PlaneSums<Count, Real> sum_plane(const Segment& segment,
                                                               const Real* f) const {
    const Real* y = velocities.y.data() + segment.begin;
    const Real* of_z = velocities.z.data() + segment.begin;
    const Real* mass_weight = velocities.weight.data() + segment.begin;
    const Real* energy_weight = velocities.square_weight.data() + segment.begin;
    Real s0 = 0;
    Real s1 = 0;
    Real s2 = 0;
    Real s3 = 0;
    Real s4 = 0;
    Real s5 = 0;
    Real s6 = 0;
    Real s7 = 0;
#if defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD)
#pragma omp simd reduction(+ : s0, s1, s2, s3, s4, s5, s6, s7)
#endif
    for (int k = 0; k < segment.length; ++k) {
      const Real mass = mass_weight[k] * f[k];
      const Real along_y = y[k] * mass;
      const Real square = energy_weight[k] * f[k];
      s0 += mass;
      s1 += along_y;
      s2 += of_z[k] * mass;
      if constexpr (Count == 5) {
        s3 += y[k] * along_y + square;
      } else {
        const Real square_y = y[k] * along_y;
        s3 += square_y;
        s4 += square;
        s5 += of_z[k] * along_y;
        s6 += y[k] * (square_y + square);
        s7 += of_z[k] * (square_y + square);
      }
    }
    if constexpr (Count == 5) {
      return {{s0, s1, s2, s3}};
    } else {
      return {{s0, s1, s2, s3, s4, s5, s6, s7}};
    }
  }
};

/// Bytes of scratch memory that team_sum needs for `count` sums in precision Real.
template <class ExecutionSpace, class Real>
std::size_t team_sum_bytes(int count, int team_size) {
  if constexpr (is_host_backend<ExecutionSpace>) return 0;
  const auto columns = static_cast<std::size_t>(team_size < sum_columns ? team_size : sum_columns);
  return static_cast<std::size_t>(count) * (columns * sizeof(Real) + sum_pieces * sizeof(double)) +
         32;
}

template <class Value, class Member>
KOKKOS_INLINE_FUNCTION Value* take_scratch(const Member& team, int count) {
  return static_cast<Value*>(
      team.team_scratch(0).get_shmem_aligned(count * static_cast<int>(sizeof(Value)), 16));
}

/// Adds to `sums`, over the threads of a team, the numbers that body(partial) accumulates on each
/// thread in precision Real. The reduction over threads ends in double precision, in an order that
/// depends on the team size only. Only threads with rank < `readers` receive the sums. Takes
/// scratch memory (see team_sum_bytes); there is no barrier at the end.
template <int Count, class Real, class Member, class Body>
KOKKOS_FORCEINLINE_FUNCTION void team_sum(const Member& team, int readers, double (&sums)[Count],
                                          const Body& body) {
  if constexpr (is_host_backend<typename Member::execution_space>) {
    body(sums);
  } else {
    const int size = team.team_size();
    const int rank = team.team_rank();
    const int columns = size < sum_columns ? size : sum_columns;
    Real* of_columns = take_scratch<Real>(team, Count * columns);
    double* of_pieces = take_scratch<double>(team, Count * sum_pieces);
    Real partial[Count] = {};
    body(partial);
    for (int first = 0; first < size; first += columns) {
      if (rank >= first && rank < first + columns) {
        for (int n = 0; n < Count; ++n) {
          const int place = n * columns + rank - first;
          of_columns[place] = first == 0 ? partial[n] : of_columns[place] + partial[n];
        }
      }
      team.team_barrier();
    }
    for (int piece = rank; piece < Count * sum_pieces; piece += size) {
      const int n = piece / sum_pieces;
      double sum = 0;
      for (int t = piece - n * sum_pieces; t < columns; t += sum_pieces) {
        sum += double(of_columns[n * columns + t]);
      }
      of_pieces[piece] = sum;
    }
    team.team_barrier();
    if (rank < readers) {
      for (int n = 0; n < Count; ++n) {
        double sum = 0;
        for (int piece = 0; piece < sum_pieces; ++piece) sum += of_pieces[n * sum_pieces + piece];
        sums[n] += sum;
      }
    }
  }
}

/// Raw moments of a cell, for threads with rank < `readers`. values_of(segment, add) calls
/// add(part of the segment, pointer to its values).
template <int Count, class Member, class ExecutionSpace, class Real, class ValuesOf>
KOKKOS_FORCEINLINE_FUNCTION RawMoments<Count> team_moments(
    const Member& team, int readers, const VelocitySpace<ExecutionSpace, Real>& velocities,
    const ValuesOf& values_of) {
  RawMoments<Count> moments;
  team_sum<Count, Real>(team, readers, moments.value, [&](auto& sums) {
    // A GPU thread sums few values: the precision of the values suffices.
    using Partial = std::decay_t<decltype(sums[0])>;
    RawMoments<Count, Partial> partial;
    const Segments<ExecutionSpace, Real> segments(team, velocities);
    const SegmentSums<Count, ExecutionSpace, Real> sum_segment(segments);
    segments.each([&](const Segment& segment) {
      values_of(segment, [&](const Segment& here, const Real* values) {
        partial.add(velocities.nodes[0](here.i), velocities.weights[0](here.i),
                    sum_segment(here, values));
      });
    });
    for (int n = 0; n < Count; ++n) sums[n] += partial.value[n];
  });
  return moments;
}

}  // namespace knudsen::bgkw
