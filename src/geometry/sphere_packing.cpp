#include "geometry/sphere_packing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "device/mixed_bits.hpp"
#include "geometry/vector_3d.hpp"

// The result must not depend on the machine. This file is therefore compiled without fused
// multiply-adds, and the only library function it uses is std::sqrt, which IEEE 754 defines to the
// bit.

namespace knudsen {

using namespace vector_3d;  // NOLINT(google-build-using-namespace)

namespace {

/// The SplitMix64 random number generator (Steele, Lea, Flood, OOPSLA 2014).
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}
  /// A multiple of 2^-53 in [0, 1).
  double next() {
    state_ += 0x9e3779b97f4a7c15U;
    return static_cast<double>(mixed_bits(state_) >> 11U) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

/// By Newton's method from above, since std::cbrt may differ between libraries.
double cube_root(double value) {
  double root = std::max(value, 1.0);
  for (double next = 0;; root = next) {
    next = (2 * root + value / (root * root)) / 3;
    if (next >= root) return root;
  }
}

/// Relaxation of overlapping spheres of diameter 1 and mass 1. An overlap of length d with another
/// sphere or a wall has the energy d^2 / 2.
class Relaxation {
 public:
  Relaxation(const PackingContainer& container, std::size_t count, std::uint64_t seed)
      : container_(container), size_(container.upper - container.lower) {
    RandomNumbers random(seed);
    while (places_.size() < count) {
      Point3D place{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        place[axis] = container.lower[axis] + random.next() * size_[axis];
      }
      if (from_tube_axis(place).distance <= container.tube_radius || !container.tube_axis) {
        places_.push_back(place);
      }
    }
    velocities_.assign(count, {0, 0, 0});
    forces_.assign(count, {0, 0, 0});
  }

  /// Returns whether the spheres of diameter 1 are free of overlap in the end.
  bool run() {
    constexpr int stages = 6;
    constexpr int steps_of_stage = 1500;
    // Overlaps vanish only in the limit. Relaxing slightly larger spheres frees those of diameter 1
    // after finitely many steps. Dense packings leave room for less inflation.
    double inflation = 0.02;
    for (int stage = 0; stage < stages; ++stage, inflation /= 2) {
      if (relax(1 + inflation, steps_of_stage)) return true;
    }
    return false;
  }

  std::vector<Point3D> places() {
    wrap();
    return places_;
  }

 private:
  struct Neighbour {
    std::uint32_t index;
    Point3D offset;  ///< of the periodic image
  };
  /// Position relative to the axis of the tube.
  struct FromAxis {
    double distance = 0;
    Point3D direction{0, 0, 0};  ///< of unit length, away from the axis; 0 on it
  };

  FromAxis from_tube_axis(const Point3D& place) const {
    if (!container_.tube_axis) return {};
    FromAxis from;
    from.direction = place - (container_.lower + size_ * 0.5);
    from.direction[*container_.tube_axis] = 0;
    from.distance = std::sqrt(dot(from.direction, from.direction));
    if (from.distance > 0) from.direction = from.direction * (1 / from.distance);
    return from;
  }

  /// Moves places beyond a periodic side back into the container.
  void wrap() {
    for (Point3D& place : places_) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!container_.periodic[axis]) continue;
        const double periods = std::floor((place[axis] - container_.lower[axis]) / size_[axis]);
        place[axis] -= periods * size_[axis];
      }
    }
  }

  /// Lists the spheres and periodic images within `reach` of each sphere.
  void find_neighbours(double reach) {
    wrap();
    std::vector<Limits3D> boxes;
    std::vector<Neighbour> candidates;
    for (std::uint32_t index = 0; index < places_.size(); ++index) {
      const Point3D local = places_[index] - container_.lower;
      boxes.push_back({local, local});
      candidates.push_back({index, {0, 0, 0}});
    }
    for (std::uint32_t index = 0; index < places_.size(); ++index) {
      const Limits3D box = boxes[index];
      for (const Point3D& offset : image_offsets(box, size_, container_.periodic, reach)) {
        boxes.push_back({box.lower + offset, box.upper + offset});
        candidates.push_back({index, offset});
      }
    }
    const CellGrid grid(boxes);
    neighbours_.clear();
    first_neighbour_.assign(1, 0);
    const Point3D reaches{reach, reach, reach};
    for (std::size_t index = 0; index < places_.size(); ++index) {
      const Point3D local = boxes[index].lower;
      grid.for_cells({local - reaches, local + reaches},
                     [&](std::size_t i, std::size_t j, std::size_t k) {
                       for (const std::uint32_t other : grid.boxes(i, j, k)) {
                         const Point3D way = boxes[other].lower - local;
                         if (other == index || dot(way, way) > reach * reach) continue;
                         neighbours_.push_back(candidates[other]);
                       }
                     });
      first_neighbour_.push_back(neighbours_.size());
    }
    listed_places_ = places_;
  }

  double largest_move() const {
    double most = 0;
    for (std::size_t index = 0; index < places_.size(); ++index) {
      const Point3D move = places_[index] - listed_places_[index];
      most = std::max(most, dot(move, move));
    }
    return std::sqrt(most);
  }

  /// Computes the forces on spheres of a diameter. Returns the largest diameter without overlap.
  double find_forces(double diameter) {
    double free = std::numeric_limits<double>::infinity();
    for (std::size_t index = 0; index < places_.size(); ++index) {
      const Point3D place = places_[index];
      Point3D force{0, 0, 0};
      for (std::size_t entry = first_neighbour_[index]; entry < first_neighbour_[index + 1];
           ++entry) {
        const Neighbour& neighbour = neighbours_[entry];
        const Point3D way = place - (places_[neighbour.index] + neighbour.offset);
        const double distance_squared = dot(way, way);
        if (distance_squared >= diameter * diameter) continue;
        const double distance = std::sqrt(distance_squared);
        free = std::min(free, distance);
        if (distance > 0) force = force + way * ((diameter - distance) / distance);
      }
      const auto push_from_wall = [&](double distance, const Point3D& inwards) {
        free = std::min(free, 2 * distance);
        const double overlap = diameter / 2 - distance;
        if (overlap > 0) force = force + inwards * overlap;
      };
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (container_.periodic[axis]) continue;
        Point3D normal{0, 0, 0};
        normal[axis] = 1;
        push_from_wall(place[axis] - container_.lower[axis], normal);
        normal[axis] = -1;
        push_from_wall(container_.upper[axis] - place[axis], normal);
      }
      if (container_.tube_axis) {
        const FromAxis from = from_tube_axis(place);
        push_from_wall(container_.tube_radius - from.distance, from.direction * -1);
      }
      forces_[index] = force;
    }
    return free;
  }

  double sum_of_products(const std::vector<Point3D>& a, const std::vector<Point3D>& b) const {
    double sum = 0;
    for (std::size_t index = 0; index < a.size(); ++index) sum += dot(a[index], b[index]);
    return sum;
  }

  /// Relaxes spheres of a diameter above 1 until those of diameter 1 do not overlap. Returns
  /// whether that took no more than `steps`.
  bool relax(double diameter, int steps) {
    constexpr double skin = 0.3;
    constexpr double greatest_time_step = 0.4;
    constexpr double first_mixing = 0.1;
    constexpr int patience = 5;
    double time_step = 0.1;
    double mixing = first_mixing;
    int steps_downhill = 0;
    std::fill(velocities_.begin(), velocities_.end(), Point3D{0, 0, 0});
    find_neighbours(diameter + skin);
    for (int step = 0; step < steps; ++step) {
      if (largest_move() > skin / 2) find_neighbours(diameter + skin);
      if (find_forces(diameter) >= 1) return true;

      // FIRE: steer the velocities towards the forces while the motion is downhill, else stop.
      if (sum_of_products(forces_, velocities_) > 0) {
        const double force = std::sqrt(sum_of_products(forces_, forces_));
        const double speed = std::sqrt(sum_of_products(velocities_, velocities_));
        for (std::size_t index = 0; index < places_.size(); ++index) {
          velocities_[index] =
              velocities_[index] * (1 - mixing) + forces_[index] * (mixing * speed / force);
        }
        if (++steps_downhill > patience) {
          time_step = std::min(time_step * 1.1, greatest_time_step);
          mixing *= 0.99;
        }
      } else {
        std::fill(velocities_.begin(), velocities_.end(), Point3D{0, 0, 0});
        time_step *= 0.5;
        mixing = first_mixing;
        steps_downhill = 0;
      }
      for (std::size_t index = 0; index < places_.size(); ++index) {
        velocities_[index] = velocities_[index] + forces_[index] * time_step;
        // Spheres that start close together must not be thrown past each other.
        Point3D move = velocities_[index] * time_step;
        const double length = std::sqrt(dot(move, move));
        if (length > skin / 2) move = move * (skin / 2 / length);
        places_[index] = places_[index] + move;
      }
    }
    return false;
  }

  PackingContainer container_;
  Point3D size_;  ///< of the container
  std::vector<Point3D> places_;
  std::vector<Point3D> velocities_;
  std::vector<Point3D> forces_;
  std::vector<Point3D> listed_places_;        ///< where the neighbours were listed
  std::vector<Neighbour> neighbours_;         ///< sphere by sphere
  std::vector<std::size_t> first_neighbour_;  ///< of each sphere, and the end of the list
};

}  // namespace

double PackingContainer::volume() const {
  const Point3D size = upper - lower;
  if (!tube_axis) return size[0] * size[1] * size[2];
  return size[*tube_axis] * std::numbers::pi * tube_radius * tube_radius;
}

double packing_radius(const PackingContainer& container, std::size_t count, double porosity) {
  return cube_root((1 - porosity) * container.volume() * 3 /
                   (4 * std::numbers::pi * static_cast<double>(count)));
}

std::optional<std::vector<Point3D>> pack_spheres(const PackingContainer& container,
                                                 std::size_t count, double radius,
                                                 std::uint64_t seed) {
  // The unit of length is the diameter, the origin the container's lower corner. Ratios of lengths
  // are rounded to 2^-44, so that another unit of length gives the same places despite rounding.
  const auto rounded = [](double ratio) { return std::round(ratio * 0x1p44) * 0x1p-44; };
  const Point3D size = container.upper - container.lower;
  const double unit_diameter = rounded(2 * radius / size[0]);
  const double diameter = size[0] * unit_diameter;
  PackingContainer unit = container;
  unit.lower = {0, 0, 0};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    unit.upper[axis] = rounded(size[axis] / size[0]) / unit_diameter;
  }
  unit.tube_radius = rounded(container.tube_radius / size[0]) / unit_diameter;
  Relaxation relaxation(unit, count, seed);
  if (!relaxation.run()) return {};
  std::vector<Point3D> places = relaxation.places();
  for (Point3D& place : places) place = container.lower + place * diameter;
  return places;
}

}  // namespace knudsen
