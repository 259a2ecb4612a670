#include "geometry/cut_cells.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "device/host_parallel.hpp"

namespace knudsen {

using namespace vector_3d;  // NOLINT(google-build-using-namespace)

namespace {

using Place = std::array<std::size_t, 3>;

/// Surfaces this close to the end of an edge, in lengths of the edge, are at the end.
constexpr double at_end = 1e-9;

constexpr std::size_t next_axis(std::size_t axis) { return (axis + 1) % 3; }
constexpr std::size_t last_axis(std::size_t axis) { return (axis + 2) % 3; }

/// Number, within a cell, of the edge along `axis` at a corner of the cell.
std::size_t edge_number(std::size_t axis, const Place& corner) {
  return 4 * axis + corner[next_axis(axis)] + 2 * corner[last_axis(axis)];
}

/// Where the surface cuts a face of a cell: it enters the face through an edge and leaves it
/// through another one, with the open part on its left as seen from the end of the face's axis.
struct Chord {
  std::size_t from;  ///< number of the edge
  std::size_t to;
};

/// What the surface leaves of a face.
struct CutFace {
  double open = 0;  ///< share of the area
  std::array<Chord, 2> chords{};
  std::size_t chord_count = 0;
};

class Cutter {
 public:
  Cutter(const CutGrid& grid, const std::vector<Shape3DPointer>& shapes)
      : grid_(grid), shapes_(shapes), covers_(shapes.size()) {
    for (std::size_t d = 0; d < 3; ++d) cells_[d] = grid.cells(d);
    for (const Shape3DPointer& shape : shapes) limits_.push_back(shape->limits());
    find_corners();
  }

  CutCells cut() {
    CutCells result;
    result.covered_by.assign(cells_[0] * cells_[1] * cells_[2], -1);
    const std::size_t rows = cells_[1] * cells_[2];
    std::vector<std::vector<CutCell>> found(rows);
    parallel_for_host(
        "knudsen/geometry/cut_cells", static_cast<std::int64_t>(rows), [&](std::int64_t index) {
          const auto row = static_cast<std::size_t>(index);
          for (std::size_t x = 0; x < cells_[0]; ++x) {
            cut_cell({x, row % cells_[1], row / cells_[1]}, result.covered_by, found[row]);
          }
        });
    for (std::vector<CutCell>& row : found) {
      std::move(row.begin(), row.end(), std::back_inserter(result.cells));
    }
    close_small(result);
    for (const auto& covers : covers_) result.is_seen.push_back(covers.load() != 0);
    return result;
  }

 private:
  std::size_t cell_index(const Place& at) const {
    return (at[2] * cells_[1] + at[1]) * cells_[0] + at[0];
  }
  Place place_of(std::size_t cell) const {
    return {cell % cells_[0], cell / cells_[0] % cells_[1], cell / cells_[0] / cells_[1]};
  }
  bool is_missing(std::size_t axis) const { return static_cast<int>(axis) >= grid_.dimensions; }
  /// Coordinate of a line; along a periodic axis the last line is the first one.
  double line(std::size_t axis, std::size_t number) const {
    if (is_missing(axis)) return 0;
    return grid_.lines[axis][grid_.periodic[axis] && number == cells_[axis] ? 0 : number];
  }
  /// The shape that covers a corner of cells; -1 for none.
  std::size_t corner_index(const Place& at) const {
    return (at[2] * (cells_[1] + 1) + at[1]) * (cells_[0] + 1) + at[0];
  }
  std::int16_t& corner(const Place& at) { return corners_[corner_index(at)]; }
  std::int16_t corner(const Place& at) const { return corners_[corner_index(at)]; }

  void find_corners() {
    const std::size_t columns = cells_[0] + 1;
    const std::size_t rows = cells_[1] + 1;
    const std::size_t planes = cells_[2] + 1;
    corners_.assign(columns * rows * planes, -1);
    parallel_for_host("knudsen/geometry/cut_corners", static_cast<std::int64_t>(rows * planes),
                      [&](std::int64_t index) {
                        const auto row = static_cast<std::size_t>(index);
                        cover_row(row % rows, row / rows);
                      });
    snap_corners();
  }

  /// Covers the open corners that rounding has put outside of a surface which goes through them.
  /// Without that an edge of a box on lines of the grid would be cut off or not, as it happens.
  void snap_corners() {
    // Whether a corner belongs to a cell of which a part is covered.
    std::vector<char> is_near(corners_.size(), 0);
    for (std::size_t k = 0; k < cells_[2]; ++k) {
      for (std::size_t j = 0; j < cells_[1]; ++j) {
        for (std::size_t i = 0; i < cells_[0]; ++i) {
          std::array<Place, 8> places;
          std::size_t covered = 0;
          for (std::size_t n = 0; n < 8; ++n) {
            places[n] = {i + n % 2, j + n / 2 % 2, k + n / 4};
            covered += corner(places[n]) >= 0 ? 1 : 0;
          }
          if (covered == 0 || covered == 8) continue;
          for (Place place : places) {
            for (std::size_t d = 0; d < 3; ++d) {
              if (grid_.periodic[d]) place[d] %= cells_[d];
            }
            if (corner(place) < 0) is_near[corner_index(place)] = 1;
          }
        }
      }
    }
    parallel_for_host("knudsen/geometry/snap_corners", static_cast<std::int64_t>(corners_.size()),
                      [&](std::int64_t index) {
                        const auto n = static_cast<std::size_t>(index);
                        const Place place{n % (cells_[0] + 1),
                                          n / (cells_[0] + 1) % (cells_[1] + 1),
                                          n / (cells_[0] + 1) / (cells_[1] + 1)};
                        Place first = place;
                        for (std::size_t d = 0; d < 3; ++d) {
                          if (grid_.periodic[d]) first[d] %= cells_[d];
                        }
                        if (is_near[corner_index(first)] != 0) corners_[n] = shape_beside(first);
                      });
  }

  /// The last shape that covers a point at_end from a corner along each axis; -1 for none.
  std::int16_t shape_beside(const Place& place) const {
    const Point3D point = on_lines(place);
    std::int16_t found = -1;
    for (std::size_t n = 0; n < 8; ++n) {
      Point3D beside = point;
      for (std::size_t d = 0; d < 3; ++d) {
        if (is_missing(d)) continue;
        beside[d] += ((n >> d & 1) != 0 ? at_end : -at_end) * width_at(place, d);
      }
      for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
        if (!reaches(limits_[shape], {beside, beside})) continue;
        if (shapes_[shape]->contains(beside)) {
          found = std::max(found, static_cast<std::int16_t>(shape));
        }
      }
    }
    return found;
  }

  /// Finds the shapes that cover the corners of a row along x; where they overlap, the last one.
  void cover_row(std::size_t j, std::size_t k) {
    const double y = line(1, j);
    const double z = line(2, k);
    std::vector<signed char> sides(cells_[0] + 1);
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      const Limits3D& limits = limits_[shape];
      if (y < limits.lower[1] || y > limits.upper[1] || z < limits.lower[2] ||
          z > limits.upper[2]) {
        continue;
      }
      if (grid_.unit_x) {
        shapes_[shape]->sides_of_row(0, y, z, sides);
      } else {
        for (std::size_t i = 0; i < sides.size(); ++i) {
          const double x = line(0, i);
          const bool near = x >= limits.lower[0] && x <= limits.upper[0];
          sides[i] = near ? sign(shapes_[shape]->side({x, y, z})) : 1;
        }
      }
      if (grid_.periodic[0]) sides.back() = sides.front();
      for (std::size_t i = 0; i < sides.size(); ++i) {
        if (sides[i] > 0) continue;
        corner({i, j, k}) = static_cast<std::int16_t>(shape);
        covers_[shape].store(1, std::memory_order_relaxed);
      }
    }
  }

  /// Position of a point of a cell in the unit of the shapes; `axis` is the only one along which it
  /// may be between lines.
  Point3D on_lines(const Place& corner) const {
    return {line(0, corner[0]), line(1, corner[1]), line(2, corner[2])};
  }

  /// Where the surface crosses the edge along `axis` from a corner on whose end are on different
  /// sides, in lengths of the edge.
  double crossing(std::size_t axis, const Place& low) const {
    Place high = low;
    ++high[axis];
    const bool low_is_open = corner(low) < 0;
    std::array<Point3D, 2> ends{on_lines(low), on_lines(high)};
    // Also through a periodic side.
    ends[1][axis] = grid_.lines[axis][high[axis]];
    std::optional<double> first = first_crossing(ends, low_is_open);
    // An edge in a surface that goes through lines may miss it by rounding, as a corner may.
    for (std::size_t n = 0; n < 4 && !first; ++n) {
      std::array<Point3D, 2> beside = ends;
      const std::array<std::size_t, 2> across{next_axis(axis), last_axis(axis)};
      for (std::size_t i = 0; i < 2; ++i) {
        if (is_missing(across[i])) continue;
        const double shift = ((n >> i & 1) != 0 ? at_end : -at_end) * width_at(low, across[i]);
        for (Point3D& end : beside) end[across[i]] += shift;
      }
      first = first_crossing(beside, low_is_open);
    }
    double place = first.value_or(1);
    if (place > 1 - at_end) place = 1;
    if (place < at_end) place = 0;
    return low_is_open ? place : 1 - place;
  }
  /// Where a surface first crosses a line from its open end on, in lengths of the line.
  std::optional<double> first_crossing(const std::array<Point3D, 2>& ends, bool low_is_open) const {
    std::optional<double> first;
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      if (!reaches(limits_[shape], ends)) continue;
      const double fraction =
          shapes_[shape]->crossing(ends[low_is_open ? 0 : 1], ends[low_is_open ? 1 : 0]);
      if (fraction > 0) first = std::min(first.value_or(1), fraction);
    }
    return first;
  }
  /// Width of the cell from a corner on along an axis, of the last one at the end.
  double width_at(const Place& corner, std::size_t axis) const {
    const std::size_t cell = std::min(corner[axis], cells_[axis] - 1);
    return grid_.lines[axis][cell + 1] - grid_.lines[axis][cell];
  }
  static bool reaches(const Limits3D& limits, const std::array<Point3D, 2>& ends) {
    for (std::size_t d = 0; d < 3; ++d) {
      if (ends[1][d] < limits.lower[d] || ends[0][d] > limits.upper[d]) return false;
    }
    return true;
  }

  /// Whether the middle of a face is open.
  bool is_middle_open(std::size_t axis, const Place& low) const {
    Point3D point = on_lines(low);
    for (const std::size_t d : {next_axis(axis), last_axis(axis)}) {
      if (!is_missing(d)) point[d] = 0.5 * (grid_.lines[d][low[d]] + grid_.lines[d][low[d] + 1]);
    }
    return std::none_of(shapes_.begin(), shapes_.end(),
                        [&](const Shape3DPointer& shape) { return shape->contains(point); });
  }

  /// Cuts the face of the cell `cell` normal to `axis` on its lower (0) or upper (1) side. `cuts`
  /// are the crossings of the cell's edges.
  CutFace cut_face(const Place& cell, std::size_t axis, std::size_t side,
                   const std::array<double, 12>& cuts) const {
    const std::size_t u = next_axis(axis);
    const std::size_t v = last_axis(axis);
    Place low = cell;
    low[axis] += side;
    // Corners anticlockwise as seen from the end of the axis, and the edges behind them.
    constexpr std::array<std::array<std::size_t, 2>, 4> round{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    std::array<bool, 4> open{};
    std::array<std::size_t, 4> edges{};
    std::array<std::array<double, 2>, 4> cut{};  // the crossings
    for (std::size_t n = 0; n < 4; ++n) {
      Place at = low;
      at[u] += round[n][0];
      at[v] += round[n][1];
      open[n] = corner(at) < 0;
      const std::size_t along = n % 2 == 0 ? u : v;
      Place in_cell{0, 0, 0};
      in_cell[axis] = side;
      in_cell[u] = n == 1 ? 1 : 0;
      in_cell[v] = n == 2 ? 1 : 0;
      edges[n] = edge_number(along, in_cell);
      const double place = cuts[edges[n]];
      const auto turns = static_cast<double>(n / 2 == 0 ? 0 : 1);
      cut[n] = n % 2 == 0 ? std::array{place, turns} : std::array{1 - turns, place};
    }
    const auto count = std::count(open.begin(), open.end(), true);
    CutFace face;
    if (count == 0) return face;
    face.open = 1;
    if (count == 4) return face;
    double twice = 0;
    const auto add = [&](const std::array<double, 2>& a, const std::array<double, 2>& b) {
      twice += a[0] * b[1] - a[1] * b[0];
    };
    const auto add_chord = [&](std::size_t from, std::size_t to) {
      add(cut[from], cut[to]);
      face.chords[face.chord_count++] = {edges[from], edges[to]};
    };
    std::array<std::size_t, 2> leaves{};  // edges on which the open part ends
    std::size_t leave_count = 0;
    for (std::size_t n = 0; n < 4; ++n) {
      const std::size_t next = (n + 1) % 4;
      const std::array<double, 2> here{double(round[n][0]), double(round[n][1])};
      const std::array<double, 2> there{double(round[next][0]), double(round[next][1])};
      if (open[n] && open[next]) add(here, there);
      if (open[n] && !open[next]) {
        add(here, cut[n]);
        leaves[leave_count++] = n;
      }
      if (!open[n] && open[next]) add(cut[n], there);
    }
    const bool joined = leave_count == 2 && is_middle_open(axis, low);
    for (std::size_t n = 0; n < leave_count; ++n) {
      // The open part goes on at the next edge on which one begins. If the two open corners of a
      // face are not joined, at the one before.
      std::size_t to = leaves[n];
      do {
        to = (to + (leave_count == 2 && !joined ? 3 : 1)) % 4;
      } while (open[to] || !open[(to + 1) % 4]);
      add_chord(leaves[n], to);
    }
    face.open = std::clamp(0.5 * twice, 0.0, 1.0);
    if (face.open < at_end) face.open = 0;
    if (face.open > 1 - at_end) face.open = 1;
    return face;
  }

  void cut_cell(const Place& at, std::vector<std::int16_t>& covered_by,
                std::vector<CutCell>& found) const {
    std::array<int, 8> shapes{};
    for (std::size_t n = 0; n < 8; ++n) {
      shapes[n] = corner({at[0] + n % 2, at[1] + n / 2 % 2, at[2] + n / 4});
    }
    const auto open_corners =
        std::count_if(shapes.begin(), shapes.end(), [](int s) { return s < 0; });
    if (open_corners == 8) return;
    // The shape that covers most corners, of several the last one.
    int shape = -1;
    bool single = true;
    for (const int each : shapes) {
      if (each < 0) continue;
      const auto times = [&](int s) { return std::count(shapes.begin(), shapes.end(), s); };
      if (shape >= 0 && each != shape) single = false;
      if (shape < 0 || times(each) > times(shape) ||
          (times(each) == times(shape) && each > shape)) {
        shape = each;
      }
    }
    if (open_corners == 0) {
      covered_by[cell_index(at)] = static_cast<std::int16_t>(shape);
      return;
    }
    CutCell cell;
    cell.cell = cell_index(at);
    cell.shape = shape;
    cell.single = single;
    std::array<double, 12> cuts{};
    std::array<Point3D, 12> points{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t n = 0; n < 4; ++n) {
        Place in_cell{0, 0, 0};
        in_cell[next_axis(axis)] = n % 2;
        in_cell[last_axis(axis)] = n / 2;
        const Place low{at[0] + in_cell[0], at[1] + in_cell[1], at[2] + in_cell[2]};
        Place high = low;
        ++high[axis];
        if ((corner(low) < 0) == (corner(high) < 0)) continue;
        const std::size_t edge = edge_number(axis, in_cell);
        cuts[edge] = crossing(axis, low);
        for (std::size_t d = 0; d < 3; ++d) points[edge][d] = double(in_cell[d]);
        points[edge][axis] = cuts[edge];
      }
    }
    // The edge that follows in the outline of the surface, anticlockwise as seen from the shape.
    std::array<std::size_t, 12> follows{};
    constexpr std::size_t none = 12;
    follows.fill(none);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const std::size_t side : {0U, 1U}) {
        const CutFace face = cut_face(at, axis, side, cuts);
        cell.open[2 * axis + side] = face.open;
        for (std::size_t n = 0; n < face.chord_count; ++n) {
          const Chord& chord = face.chords[n];
          (side == 0 ? follows[chord.from] : follows[chord.to]) = side == 0 ? chord.to : chord.from;
        }
      }
    }
    add_surface(points, follows, cell);
    const bool all_open =
        std::all_of(cell.open.begin(), cell.open.end(), [](double open) { return open == 1; });
    if (all_open && cell.volume > 1 - at_end) return;
    found.push_back(std::move(cell));
  }

  /// Sets volume, centre and corners of a cell from the outlines of its pieces of surface.
  static void add_surface(const std::array<Point3D, 12>& points,
                          std::array<std::size_t, 12>& follows, CutCell& cell) {
    constexpr std::size_t none = 12;
    double flux = cell.open[1] + cell.open[3] + cell.open[5];  // of the position, out of the cell
    Point3D weighted{0, 0, 0};
    double all = 0;
    double largest = -1;
    for (std::size_t first = 0; first < 12; ++first) {
      if (follows[first] == none) continue;
      std::vector<Point3D> outline;
      for (std::size_t edge = first; edge != none && follows[edge] != none;) {
        outline.push_back(points[edge]);
        edge = std::exchange(follows[edge], none);
      }
      Point3D middle{0, 0, 0};
      for (const Point3D& point : outline) middle = middle + point;
      middle = middle * (1 / double(outline.size()));
      double piece = 0;
      for (std::size_t n = 0; n < outline.size(); ++n) {
        const Point3D& a = outline[n];
        const Point3D& b = outline[(n + 1) % outline.size()];
        const Point3D area = cross(a - middle, b - middle) * 0.5;
        const Point3D centre = (a + b + middle) * (1.0 / 3);
        const double size = std::sqrt(dot(area, area));
        flux += dot(centre, area);
        weighted = weighted + centre * size;
        piece += size;
      }
      all += piece;
      if (piece > largest) {
        largest = piece;
        cell.corners = std::move(outline);
      }
    }
    if (all > 0) cell.centre = weighted * (1 / all);
    cell.volume = std::clamp(flux / 3, 0.0, 1.0);
  }

  /// Index of the neighbour on a side of a cell; the number of cells if there is none.
  std::size_t neighbour(std::size_t cell, std::size_t side) const {
    const std::size_t axis = side / 2;
    const std::size_t none = cells_[0] * cells_[1] * cells_[2];
    Place at = place_of(cell);
    const bool is_last = at[axis] == (side % 2 == 0 ? 0 : cells_[axis] - 1);
    if (is_missing(axis) || (is_last && !grid_.periodic[axis])) return none;
    if (side % 2 == 0) {
      at[axis] = is_last ? cells_[axis] - 1 : at[axis] - 1;
    } else {
      at[axis] = is_last ? 0 : at[axis] + 1;
    }
    return cell_index(at);
  }

  /// Covers cells with hardly any open volume and those without an open face, and closes the faces
  /// of their neighbours.
  void close_small(CutCells& result) const {
    const std::size_t count = cells_[0] * cells_[1] * cells_[2];
    std::vector<CutCell> kept;
    std::vector<std::size_t> closed;
    for (CutCell& cell : result.cells) {
      const auto faces = cell.open.begin();
      const bool is_shut = std::all_of(faces, faces + std::ptrdiff_t{2} * grid_.dimensions,
                                       [](double open) { return open == 0; });
      if (cell.volume >= least_open_volume && !is_shut) {
        kept.push_back(std::move(cell));
        continue;
      }
      result.covered_by[cell.cell] = static_cast<std::int16_t>(cell.shape);
      closed.push_back(cell.cell);
    }
    const auto before = [](const CutCell& cell, std::size_t index) { return cell.cell < index; };
    std::map<std::size_t, CutCell> more;
    for (const std::size_t cell : closed) {
      for (std::size_t side = 0; side < 6; ++side) {
        const std::size_t beside = neighbour(cell, side);
        if (beside == count || result.covered_by[beside] >= 0) continue;
        const std::size_t facing = side ^ 1;
        const auto place = std::lower_bound(kept.begin(), kept.end(), beside, before);
        if (place != kept.end() && place->cell == beside) {
          place->open[facing] = 0;
          continue;
        }
        const auto known = more.find(beside);
        if (known == more.end()) {
          more.emplace(beside, flush_cell(beside, facing, result.covered_by[cell]));
        } else {
          known->second.open[facing] = 0;
        }
      }
    }
    for (auto& [index, cell] : more) kept.push_back(std::move(cell));
    std::sort(kept.begin(), kept.end(),
              [](const CutCell& a, const CutCell& b) { return a.cell < b.cell; });
    // A cell all of whose neighbours were covered has nothing to exchange with.
    result.cells.clear();
    for (CutCell& cell : kept) {
      const auto faces = cell.open.begin();
      if (std::all_of(faces, faces + std::ptrdiff_t{2} * grid_.dimensions,
                      [](double open) { return open == 0; })) {
        result.covered_by[cell.cell] = static_cast<std::int16_t>(cell.shape);
      } else {
        result.cells.push_back(std::move(cell));
      }
    }
  }

  /// An open cell whose face on one side is a surface.
  static CutCell flush_cell(std::size_t cell, std::size_t side, int shape) {
    CutCell flush;
    flush.cell = cell;
    flush.open[side] = 0;
    flush.shape = shape;
    flush.single = false;
    const std::size_t axis = side / 2;
    const std::size_t u = side % 2 == 1 ? next_axis(axis) : last_axis(axis);
    const std::size_t v = 3 - axis - u;
    flush.centre[axis] = double(side % 2);
    for (const auto& [a, b] :
         {std::array{0, 0}, std::array{1, 0}, std::array{1, 1}, std::array{0, 1}}) {
      Point3D corner{0, 0, 0};
      corner[axis] = double(side % 2);
      corner[u] = a;
      corner[v] = b;
      flush.corners.push_back(corner);
    }
    return flush;
  }

  const CutGrid& grid_;
  const std::vector<Shape3DPointer>& shapes_;
  std::vector<Limits3D> limits_;
  Place cells_{1, 1, 1};
  std::vector<std::int16_t> corners_;
  std::vector<std::atomic<char>> covers_;  ///< whether a shape covers a corner
};

}  // namespace

CutCells cut_cells(const CutGrid& grid, const std::vector<Shape3DPointer>& shapes) {
  return Cutter(grid, shapes).cut();
}

}  // namespace knudsen
