#include "methods/shakhov/positive_cells.hpp"

#include <cmath>
#include <numbers>

#include "device/instantiate.hpp"
#include "methods/shakhov/make_sweep_space.hpp"

namespace knudsen::shakhov {
namespace {

constexpr std::uint16_t first_order_mark = 0x8000;

}  // namespace

template <class ExecutionSpace, class Real>
std::vector<std::uint16_t> positive_cells(const SweepSpace<ExecutionSpace, Real>& space) {
  std::vector<std::uint16_t> numbers(space.held.extent(0));
  if (numbers.empty()) return numbers;
  const auto held = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.held);
  const auto classes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.cell_class);
  for (std::size_t cell = 0; cell < numbers.size(); ++cell) {
    const bool marked = (classes(cell) & positive_bit) != 0;
    numbers[cell] = static_cast<std::uint16_t>(held(cell) | (marked ? first_order_mark : 0));
  }
  return numbers;
}

template <class ExecutionSpace, class Real>
std::vector<std::size_t> first_order_cells(const SweepSpace<ExecutionSpace, Real>& space) {
  std::vector<std::size_t> cells;
  const std::vector<std::uint16_t> numbers = positive_cells(space);
  for (std::size_t cell = 0; cell < numbers.size(); ++cell) {
    if ((numbers[cell] & first_order_mark) != 0) cells.push_back(cell);
  }
  return cells;
}

template <class ExecutionSpace, class Real>
void set_positive_cells(const FlowGrid& grid, SweepSpace<ExecutionSpace, Real>& space,
                        const std::vector<std::uint16_t>& numbers) {
  space.settled = false;
  if (space.order == 1) return;
  const auto held = Kokkos::create_mirror_view(space.held);
  const auto classes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.cell_class);
  for (std::size_t cell = 0; cell < held.extent(0); ++cell) {
    const int number = numbers.empty() ? 0 : numbers[cell];
    held(cell) = number & ~first_order_mark;
    const int others = classes(cell) & ~positive_bit;
    classes(cell) = (number & first_order_mark) != 0 ? others | positive_bit : others;
  }
  Kokkos::deep_copy(space.held, held);
  Kokkos::deep_copy(space.cell_class, classes);
  const auto extrapolation = Kokkos::create_mirror_view(space.face_extrapolation);
  const std::vector<Face> faces = list_faces(grid);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    extrapolation(i) = static_cast<Real>(
        (classes(faces[i].cell) & first_order_bits) != 0 ? 0 : face_extrapolation(grid, faces[i]));
  }
  Kokkos::deep_copy(space.face_extrapolation, extrapolation);
}

std::vector<std::uint16_t> thin_shocks(const FlowGrid& grid, const Gas& gas,
                                       const std::vector<Macroscopic>& states) {
  std::vector<std::uint16_t> numbers(states.size());
  bool any = false;
  std::size_t stride = 1;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.dimensions); ++axis) {
    const auto count = static_cast<std::size_t>(grid.cells[axis]);
    for (std::size_t cell = 0; cell < states.size(); ++cell) {
      const std::size_t at = cell / stride % count;
      const std::size_t next = cell + stride;
      if (at + 1 == count || grid.solid(cell) || grid.solid(next)) continue;
      const Macroscopic& before = states[cell];
      const Macroscopic& after = states[next];
      if (before.velocity[axis] <= after.velocity[axis]) continue;  // no compression
      const double pressures[2] = {before.density * before.temperature,
                                   after.density * after.temperature};
      const bool rises = pressures[0] < pressures[1];
      const double ratio = rises ? pressures[1] / pressures[0] : pressures[0] / pressures[1];
      const Macroscopic& upstream = rises ? before : after;
      const double free_path = std::sqrt(std::numbers::pi * upstream.temperature) / 2 /
                               gas.stress_relaxation_rate(upstream.density, upstream.temperature);
      const double width = grid.width(axis, static_cast<int>(rises ? at : at + 1));
      any = any || (ratio > shock_ratio && width > shock_width * free_path);
      if (ratio < compression_ratio || width < free_path) continue;
      numbers[cell] = numbers[next] = first_order_mark;
    }
    stride *= count;
  }
  return any ? numbers : std::vector<std::uint16_t>{};
}

template <class ExecutionSpace, class Real>
void make_all_first_order(const FlowGrid& grid, SweepSpace<ExecutionSpace, Real>& space) {
  std::vector<std::uint16_t> numbers(space.held.extent(0));
  for (std::size_t cell = 0; cell < numbers.size(); ++cell) {
    if (!grid.solid(cell)) numbers[cell] = first_order_mark;
  }
  set_positive_cells(grid, space, numbers);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                             \
  template std::vector<std::uint16_t> positive_cells<ExecutionSpace, Real>(                   \
      const SweepSpace<ExecutionSpace, Real>&);                                               \
  template std::vector<std::size_t> first_order_cells<ExecutionSpace, Real>(                  \
      const SweepSpace<ExecutionSpace, Real>&);                                               \
  template void set_positive_cells<ExecutionSpace, Real>(                                     \
      const FlowGrid&, SweepSpace<ExecutionSpace, Real>&, const std::vector<std::uint16_t>&); \
  template void make_all_first_order<ExecutionSpace, Real>(const FlowGrid&,                   \
                                                           SweepSpace<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
