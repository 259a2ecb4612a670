#include "run/host_averages.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <variant>

#include "device/host_parallel.hpp"
#include "output/checkpoint.hpp"
#include "parallel/communicator.hpp"
#include "parallel/shared_cells.hpp"
#include "run/shared_field.hpp"

namespace knudsen {
namespace {

/// The cells that a thread updates at a time: their deviations stay in its cache.
constexpr std::size_t block_cells = 2048;

}  // namespace

void HostAverages::allocate(std::size_t cells) {
  cells_ = cells;
  rows_.resize(plan_.rows() * cells);
}

void HostAverages::add_to_averages(std::int64_t sample) {
  std::map<std::string, Field> fields;
  for (const AveragePlan::Variable& each : plan_.variables) {
    if (!fields.contains(each.field)) fields.emplace(each.field, method().field(each.field));
  }
  std::vector<const Field*> sources;
  for (const AveragePlan::Variable& each : plan_.variables) {
    sources.push_back(&fields.at(each.field));
  }
  const Field& first = *sources.front();
  allocate(first.size() / static_cast<std::size_t>(first.quantity.components));
  const double share = 1 / static_cast<double>(sample);
  const double remaining = static_cast<double>(sample - 1) * share;
  const std::size_t variables = sources.size();
  const std::size_t blocks = (cells_ + block_cells - 1) / block_cells;
  parallel_for_host(
      "knudsen/run/statistics", static_cast<std::int64_t>(blocks), [&](std::int64_t block) {
        const std::size_t begin = static_cast<std::size_t>(block) * block_cells;
        const std::size_t count = std::min(block_cells, cells_ - begin);
        std::vector<double> deviations(variables * block_cells);
        for (std::size_t v = 0; v < variables; ++v) {
          double* const mean = &rows_[v * cells_ + begin];
          double* const deviation = &deviations[v * block_cells];
          std::visit(
              [&](const auto& values) {
                const auto stride = static_cast<std::size_t>(sources[v]->quantity.components);
                const auto* const value =
                    &values[begin * stride +
                            static_cast<std::size_t>(plan_.variables[v].component)];
                for (std::size_t i = 0; i < count; ++i) {
                  deviation[i] = static_cast<double>(value[i * stride]) - mean[i];
                  mean[i] += deviation[i] * share;
                }
              },
              sources[v]->values);
        }
        for (std::size_t p = 0; p < plan_.pairs.size(); ++p) {
          double* const sum = &rows_[(variables + p) * cells_ + begin];
          const double* const a = &deviations[plan_.pairs[p][0] * block_cells];
          const double* const b = &deviations[plan_.pairs[p][1] * block_cells];
          for (std::size_t i = 0; i < count; ++i) sum[i] += a[i] * b[i] * remaining;
        }
      });
}

std::vector<double> HostAverages::averages(std::size_t row) {
  const double* const begin = rows_.data() + row * cells_;
  return {begin, begin + cells_};
}

void HostAverages::load_averages(const CheckpointReader& checkpoint) {
  const SharedCells cells(problem_.grid.cells, planes_or_all(own_planes(), problem_));
  allocate(cells.own_size());
  const std::size_t variables = plan_.variables.size();
  const auto load_rows = [&](const char* key, std::size_t first, std::size_t count) {
    if (count == 0) return;
    checkpoint.shared_array<double>(
        key, {count, cells.size()},
        [&](const auto& body) {
          for (std::size_t row = 0; row < count; ++row) {
            cells.for_runs(world().rank(), 0, cells.size(),
                           [&](std::size_t cell, std::size_t n, std::size_t own) {
                             body(row * cells.size() + cell, n, row * cells_ + own);
                           });
          }
        },
        [&](std::size_t place, std::size_t n, const double* from) {
          std::copy_n(from, n, &rows_[first * cells_ + place]);
        });
  };
  load_rows(means_key, 0, variables);
  load_rows(covariances_key, variables, plan_.pairs.size());
}

}  // namespace knudsen
