#pragma once

// Averages of the nodes of a lattice, on the backend of its populations.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/kernel_timers.hpp"
#include "device/kokkos.hpp"
#include "lattice/for_populations.hpp"
#include "methods/lattice/node_field.hpp"
#include "model/averages.hpp"
#include "output/checkpoint.hpp"
#include "parallel/shared_cells.hpp"

namespace knudsen::lbm {

/// What is averaged is made of these values of a node, in this order.
enum class AveragedSource { density_deviation, velocity_x, velocity_y, velocity_z, scalar };
inline constexpr int averaged_sources = 5;

/// The variables and pairs of a plan, as kernels read them.
struct AveragedNode {
  static constexpr int max = static_cast<int>(max_averaged);
  struct Variable {
    AveragedSource source = AveragedSource::density_deviation;
    Shown what = Shown::as_it_is;
    double offset = 0;  ///< of Shown::above_offset
    double unit = 1;    ///< likewise
    double factor = 1;
  };
  Variable variables[max];
  int count = 0;           ///< of variables
  int pair_row[max][max];  ///< of variables a <= b: their row; -1: none
};

/// The source of a component of a field, of either lattice.
template <class NodeQuantity>
AveragedSource averaged_source(const NodeField<NodeQuantity>& field, int component) {
  const NodeQuantity quantity = field.quantity(component);
  if (quantity == NodeQuantity::scalar) return AveragedSource::scalar;
  if (quantity == NodeQuantity::density_deviation) return AveragedSource::density_deviation;
  return static_cast<AveragedSource>(static_cast<int>(AveragedSource::velocity_x) +
                                     static_cast<int>(quantity) -
                                     static_cast<int>(NodeQuantity::velocity_x));
}

/// Rows of averages by node, and their update. See AveragePlan.
template <class ExecutionSpace>
class Averages {
 public:
  /// Nodes that a thread updates at a time. On the host the loops over them are vectorised.
  static constexpr int width = is_host_backend<ExecutionSpace> ? 64 : 1;
  /// Of `width` nodes: the variables.
  using Values = double[AveragedNode::max][width];

  Averages() = default;
  /// Zeros. node_field(name) is a NodeField that the plan's variables name.
  template <class FindField>
  Averages(const AveragePlan& plan, std::size_t nodes, const FindField& node_field)
      : rows_("averages", plan.rows() * nodes),
        nodes_(nodes),
        variables_(plan.variables.size()),
        pairs_(plan.pairs.size()) {
    for (const AveragePlan::Variable& each : plan.variables) {
      const auto field = node_field(each.field);
      of_.variables[of_.count++] = {averaged_source(field, each.component), field.what,
                                    field.offset, field.unit, each.factor};
    }
    for (auto& rows : of_.pair_row) {
      for (int& row : rows) row = -1;
    }
    for (std::size_t i = 0; i < pairs_; ++i) {
      of_.pair_row[plan.pairs[i][0]][plan.pairs[i][1]] = static_cast<int>(variables_ + i);
    }
  }

  /// Declares the kernel that adds a sample of so many fluid nodes, each with populations of so
  /// many bytes.
  void declare(KernelTimers& timers, double fluid_nodes, std::size_t population_bytes) {
    const std::size_t bytes = population_bytes + 2 * sizeof(double) * (variables_ + pairs_);
    kernel_ = timers.declare("statistics", fluid_nodes * static_cast<double>(bytes), 0);
  }
  /// Calls add(), which launches that kernel, for this sample, counted from 1.
  template <class Add>
  void sample(KernelTimers& timers, std::int64_t number, const Add& add) {
    share_ = 1 / static_cast<double>(number);
    remaining_ = static_cast<double>(number - 1) * share_;
    timers.call_rarely(kernel_, add);
  }

  /// Sets the variables of node i of a block, which has these values.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void evaluate(const Real (&sources)[averaged_sources], int i,
                                            Values& values) const {
    KNUDSEN_UNROLL
    for (int v = 0; v < AveragedNode::max; ++v) {
      if (v >= of_.count) continue;
      const AveragedNode::Variable& variable = of_.variables[v];
      Real value = sources[0];  // by comparisons, since registers have no index
      KNUDSEN_UNROLL
      for (int s = 1; s < averaged_sources; ++s) {
        if (static_cast<int>(variable.source) == s) value = sources[s];
      }
      // Rounded as fields are, to the precision of the method.
      value = shown(variable.what, value, variable.offset, variable.unit);
      values[v][i] = static_cast<double>(static_cast<Real>(double(value) * variable.factor));
    }
  }
  /// Nodes of a block where so many are left. A constant on a GPU, so that what belongs to a node
  /// stays in registers.
  KOKKOS_FORCEINLINE_FUNCTION static int count_in_block(std::size_t left) {
    return width == 1 || left >= width ? width : static_cast<int>(left);
  }
  /// Adds the variables of `count` nodes, which it overwrites.
  KOKKOS_FORCEINLINE_FUNCTION void add(std::size_t first_node, int count, Values& values) const {
    KNUDSEN_UNROLL
    for (int v = 0; v < AveragedNode::max; ++v) {
      if (v >= of_.count) continue;
      double* const mean = row_of(v, first_node);
      for (int i = 0; i < count; ++i) {
        const double deviation = values[v][i] - mean[i];
        mean[i] += deviation * share_;
        values[v][i] = deviation;
      }
    }
    KNUDSEN_UNROLL
    for (int a = 0; a < AveragedNode::max; ++a) {
      KNUDSEN_UNROLL
      for (int b = a; b < AveragedNode::max; ++b) {
        const int row = of_.pair_row[a][b];
        if (row < 0) continue;
        double* const sum = row_of(row, first_node);
        for (int i = 0; i < count; ++i) sum[i] += values[a][i] * values[b][i] * remaining_;
      }
    }
  }

  /// A row on the host, by node.
  HostView<const double*> on_host(std::size_t row) const {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), row_view(row));
  }
  static constexpr std::size_t none = ~std::size_t{0};
  /// Collective: sets all rows to those of a checkpoint. `nodes` are those of the owned cells that
  /// are fluid, in the order of these cells, and `none` for the others.
  void load(const CheckpointReader& checkpoint, const SharedCells& cells,
            const std::vector<std::size_t>& nodes) {
    const auto load_rows = [&](const char* key, std::size_t first, std::size_t count) {
      if (count == 0) return;
      const std::size_t size = cells.size();
      std::vector<double> row(nodes_);
      checkpoint.shared_array<double>(
          key, {count, size},
          [&](const auto& body) {
            for (std::size_t r = 0; r < count; ++r) {
              cells.for_runs(world().rank(), 0, size,
                             [&](std::size_t cell, std::size_t run, std::size_t own) {
                               body(r * size + cell, run, r * nodes.size() + own);
                             });
            }
          },
          [&](std::size_t place, std::size_t run, const double* values) {
            for_rows_of_piece(
                place, run, nodes.size(),
                [&](std::size_t r, std::size_t own, std::size_t in_row, std::size_t at) {
                  for (std::size_t i = 0; i < in_row; ++i) {
                    const std::size_t node = nodes[own + i];
                    if (node != none) row[node] = values[at + i];
                  }
                  if (own + in_row < nodes.size()) return;
                  Kokkos::deep_copy(row_view(first + r),
                                    HostView<const double*>(row.data(), row.size()));
                });
          });
    };
    load_rows(means_key, 0, variables_);
    load_rows(covariances_key, variables_, pairs_);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION double* row_of(int row, std::size_t node) const {
    return rows_.data() + static_cast<std::size_t>(row) * nodes_ + node;
  }
  View<double*, ExecutionSpace> row_view(std::size_t row) const {
    return Kokkos::subview(rows_, std::pair(row * nodes_, (row + 1) * nodes_));
  }

  AveragedNode of_;
  View<double*, ExecutionSpace> rows_;  ///< (row, node)
  std::size_t nodes_ = 0;
  std::size_t variables_ = 0, pairs_ = 0;
  std::size_t kernel_ = 0;  ///< its number among the timers
  double share_ = 0, remaining_ = 0;
};

}  // namespace knudsen::lbm
