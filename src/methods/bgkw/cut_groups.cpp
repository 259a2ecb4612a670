#include "methods/bgkw/cut_groups.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace knudsen::bgkw {
namespace {

/// Rounding of Courant numbers.
constexpr double tolerance = 1e-9;

class Finder {
 public:
  Finder(const PhaseGrid& grid, const Neighbours& neighbours)
      : grid_(grid), neighbours_(neighbours) {
    for (const CutCell& cut : grid.solids.cut) add(static_cast<int>(cut.cell));
  }

  CutGroups find() {
    while (merge_round()) {
    }
    CutGroups result;
    result.cells = cells_;
    result.first.push_back(0);
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      const std::vector<int>& members = groups_[group];
      if (members.empty()) continue;
      result.largest_courant = std::max(result.largest_courant, courant(static_cast<int>(group)));
      if (members.size() == 1) continue;
      result.members.insert(result.members.end(), members.begin(), members.end());
      result.first.push_back(static_cast<int>(result.members.size()));
    }
    return result;
  }

 private:
  /// Lists a cell, in a group of its own, and returns its place.
  int add(int cell) {
    const auto place = static_cast<int>(cells_.size());
    cells_.push_back(cell);
    groups_.push_back({place});
    group_.push_back(place);
    if (place_of_.empty()) place_of_.assign(static_cast<std::size_t>(grid_.cell_count()), -1);
    place_of_[static_cast<std::size_t>(cell)] = place;
    return place;
  }
  int group_of(int place) const { return group_[static_cast<std::size_t>(place)]; }
  int cell_of(int place) const { return cells_[static_cast<std::size_t>(place)]; }
  const CutCell* cut_at(int cell) const {
    return grid_.solids.cut_cell(static_cast<std::size_t>(cell));
  }
  const CutCell* cut_of(int place) const { return cut_at(cell_of(place)); }
  double open(int place, int direction) const {
    const CutCell* cut = cut_of(place);
    return cut == nullptr ? 1 : cut->open[static_cast<std::size_t>(direction)];
  }
  /// The neighbour of a cell through an open face; -1 if there is none.
  int beyond(int place, int direction) const {
    if (open(place, direction) == 0) return -1;
    const int next =
        neighbours_
            .of_cell[static_cast<std::size_t>(cell_of(place))][static_cast<std::size_t>(direction)];
    return next == cell_of(place) ? -1 : std::max(next, -1);
  }
  bool is_in(int cell, int group) const {
    const int place = cell < 0 ? -1 : place_of_[static_cast<std::size_t>(cell)];
    return place >= 0 && group_of(place) == group;
  }

  /// Share of the gas of a group that leaves it in a time step, at most.
  double courant(int group) const {
    const std::vector<int>& members = groups_[static_cast<std::size_t>(group)];
    double volume = 0;
    // By the signs of the components of the velocity.
    std::array<double, 8> leaving{};
    for (const int place : members) {
      const CutCell* cut = cut_of(place);
      const std::array<int, 3> at = grid_.cell_at(cell_of(place));
      const double whole = grid_.volume_ratio(cell_of(place));
      volume += whole * (cut == nullptr ? 1 : cut->volume);
      for (int signs = 0; signs < 1 << grid_.dimensions; ++signs) {
        double through = 0;  // the surface
        for (int axis = 0; axis < grid_.dimensions; ++axis) {
          const auto d = static_cast<std::size_t>(axis);
          const double crossing =
              grid_.velocities[d].max_speed() * grid_.time_step / grid_.width(d, at[d]);
          const int up = signs >> axis & 1;
          if (cut != nullptr) through += (up == 1 ? crossing : -crossing) * cut->area()[d];
          if (is_in(beyond(place, 2 * axis + up), group)) continue;
          leaving[static_cast<std::size_t>(signs)] += whole * crossing * open(place, 2 * axis + up);
        }
        leaving[static_cast<std::size_t>(signs)] += whole * std::max(through, 0.0);
      }
    }
    return *std::max_element(leaving.begin(), leaving.end()) / volume;
  }

  /// Merges every group that more may leave than it holds; false if none can be merged. All choose
  /// at once, so that the order of the cells does not matter.
  bool merge_round() {
    std::vector<std::pair<int, int>> merges;  // a cell of the group and the cell to take in
    for (std::size_t n = 0; n < groups_.size(); ++n) {
      const auto group = static_cast<int>(n);
      if (groups_[n].empty() || courant(group) <= 1 + tolerance) continue;
      for (const int cell : best_neighbours(group)) merges.emplace_back(groups_[n].front(), cell);
    }
    for (const auto& [place, cell] : merges) merge(group_of(place), cell);
    return !merges.empty();
  }

  /// The neighbour of a group that is best along the normal of its surface: behind the largest open
  /// face, with the largest volume. Several if they are equally good.
  std::vector<int> best_neighbours(int group) const {
    const std::vector<int>& members = groups_[static_cast<std::size_t>(group)];
    std::array<double, 3> normal{};  // into the gas
    for (const int place : members) {
      const CutCell* cut = cut_of(place);
      if (cut == nullptr) continue;
      const std::array<double, 3> area = grid_.facet_area(*cut);
      for (std::size_t d = 0; d < 3; ++d) normal[d] -= area[d];
    }
    const double square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
    constexpr double of_any_direction = 0.01;
    constexpr double rounding = 1e-9;
    std::vector<int> best;
    double best_score = 0;
    for (const int place : members) {
      for (int direction = 0; direction < grid_.direction_count(); ++direction) {
        const int next = beyond(place, direction);
        if (next < 0 || is_in(next, group)) continue;
        const double component = normal[static_cast<std::size_t>(direction / 2)];
        const double into_gas = std::max(direction % 2 == 1 ? component : -component, 0.0);
        const double along = square > 0 ? into_gas * into_gas / square : 0;
        const double score =
            open(place, direction) * grid_.open_volume(next) * (along + of_any_direction);
        if (score > best_score * (1 + rounding)) best.clear();
        if (score >= best_score * (1 - rounding)) best.push_back(next);
        best_score = std::max(best_score, score);
      }
    }
    return best;
  }

  void merge(int group, int cell) {
    int place = place_of_[static_cast<std::size_t>(cell)];
    if (place < 0) place = add(cell);
    const int taken = group_of(place);
    if (taken == group) return;
    std::vector<int>& from = groups_[static_cast<std::size_t>(taken)];
    std::vector<int>& to = groups_[static_cast<std::size_t>(group)];
    for (const int member : from) group_[static_cast<std::size_t>(member)] = group;
    to.insert(to.end(), from.begin(), from.end());
    from.clear();
  }

  const PhaseGrid& grid_;
  const Neighbours& neighbours_;
  std::vector<int> cells_;
  std::vector<int> place_of_;             ///< by cell: place in `cells_`, -1 if it is not listed
  std::vector<int> group_;                ///< by place
  std::vector<std::vector<int>> groups_;  ///< places; empty: merged into another one
};

}  // namespace

CutGroups find_cut_groups(const PhaseGrid& grid, const Neighbours& neighbours) {
  return Finder(grid, neighbours).find();
}

}  // namespace knudsen::bgkw
