// The linear equations of the third correction of synthetic acceleration, in a lid-driven cavity of
// N^3 cells with order 1: solved by MacroscopicSolver, and by GMRES with the equations as a sparse
// matrix and the preconditioners of Kokkos-Kernels. Prints lines of a CSV file; times are the least
// of several. MacroscopicSolver has memory for 12 iterations; here it is called again where these
// are not enough.
//
//   benchmark_macroscopic_solver threads N rarefaction...

#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_gauss_seidel.hpp>
#include <KokkosSparse_spiluk.hpp>
#include <KokkosSparse_spmv.hpp>
#include <KokkosSparse_sptrsv.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device/backend.hpp"
#include "device/to_list.hpp"
#include "methods/shakhov/make_sweep_space.hpp"
#include "methods/shakhov/small_matrix.hpp"
#include "methods/shakhov/synthetic_acceleration.hpp"

namespace {

using namespace knudsen;
using namespace knudsen::shakhov;

using Execution = DeviceExecutionSpace;
using Level = MacroscopicLevel<Execution>;
using Integers = View<int*, Execution>;
using Values = View<float*, Execution>;
using Matrix = KokkosSparse::CrsMatrix<float, int, Values::device_type, void, int>;
using Handle = KokkosKernels::Experimental::KokkosKernelsHandle<
    int, int, float, Execution, Execution::memory_space, Execution::memory_space>;
using Range = Kokkos::RangePolicy<Execution, Kokkos::IndexType<std::int64_t>>;
/// Sets the second vector to the preconditioner times the first one.
using Preconditioner = std::function<void(const Values& from, const Values& to)>;

#if KOKKOS_VERSION >= 40600
namespace sparse = KokkosSparse;
#else
namespace sparse = KokkosSparse::Experimental;
#endif
/// How block_gauss_seidel_* takes its values: block by block, or row by row as an expanded matrix.
constexpr bool block_by_block = KOKKOS_VERSION >= 30600;

constexpr int size = conserved_count;
constexpr int restart = 30;
constexpr int most_iterations = 200;
/// A solver is given up after so many seconds, and not repeated after so many.
constexpr double patience = 15;
constexpr double enough = 1;

/// Seconds since its construction. With one thread they are those of the processor, which other
/// work on the machine does not lengthen.
class Watch {
 public:
  double seconds() const { return now() - start_; }

 private:
  static double now() {
    if (!has_device_backend && Execution().concurrency() == 1) {
      return double(std::clock()) / CLOCKS_PER_SEC;
    }
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(since).count();
  }

  double start_ = now();
};

std::int64_t bytes_now = 0;
int products = 0;  ///< kernels of MacroscopicSolver that form products with its basis

void count_memory_and_kernels() {
  namespace tools = Kokkos::Tools::Experimental;
  tools::set_allocate_data_callback(
      [](Kokkos::Tools::SpaceHandle, const char*, const void*, std::uint64_t bytes) {
        bytes_now += static_cast<std::int64_t>(bytes);
      });
  tools::set_deallocate_data_callback(
      [](Kokkos::Tools::SpaceHandle, const char*, const void*, std::uint64_t bytes) {
        bytes_now -= static_cast<std::int64_t>(bytes);
      });
  tools::set_begin_parallel_for_callback([](const char* name, std::uint32_t, std::uint64_t*) {
    products += std::strstr(name, "macroscopic_products") != nullptr ? 1 : 0;
  });
}

FlowGrid make_grid(int cells) {
  FlowGrid grid;
  for (std::size_t d = 0; d < 3; ++d) {
    grid.cells[d] = cells;
    grid.edges[d].clear();
    for (int i = 0; i <= cells; ++i) grid.edges[d].push_back(double(i) / cells);
    grid.velocities[d] = half_range_axis(8, 1);
    for (const std::size_t side : {2 * d, 2 * d + 1}) grid.sides[side].kind = SideKind::wall;
  }
  grid.sides[north].state.velocity = {0.1, 0, 0};
  return grid;
}

/// Acceleration of a cavity with the equations of the third correction.
SyntheticAcceleration<Execution, double> make_equations(const FlowGrid& grid, double rarefaction) {
  SweepContext<Execution> context;
  context.gas = {rarefaction, 0.81, 2.0 / 3};
  auto space = make_sweep_space<Execution, double>(grid, 1);
  const int blocks = space.octant_blocks();
  const auto storage = make_storage<Execution, double>(grid, default_tuning(3), 1, blocks);
  const auto batches = make_batches(grid, blocks, blocks);
  set_uniform(context, space, {});
  const double mass = total_mass(context, space);
  SyntheticAcceleration<Execution, double> acceleration(grid, context, space, true,
                                                        Acceleration::synthetic);
  for (int correction = 0;; ++correction) {
    acceleration.begin(context, space);
    begin_iteration(context, space);
    for (const Batch& batch : batches) sweep_batch(context, space, storage, batch);
    Changes changes = finish_iteration(context, space, mass);
    if (correction == 2) break;
    acceleration.correct(context, space, mass, changes);
  }
  acceleration.set_equations(context, space);
  context.execution.fence();
  return acceleration;
}

/// The equations of a level of cells between walls as a sparse matrix, whose blocks are those of a
/// cell and its neighbours, in the order of their numbers.
struct Assembled {
  Level level;
  Integers first;      ///< block of each cell, and the number of blocks
  Integers neighbour;  ///< cell that a block belongs to
  Integers row_map;
  Integers entries;
  Values values;
  bool sets_scaled = false;
  Values scaled;         ///< the same times the inverse of the block on the diagonal
  Values scaled_blocks;  ///< for block_gauss_seidel_*

  explicit Assembled(const Level& of) : level(of) {
    std::vector<int> starts{0}, cells, rows{0}, columns;
    for (std::int64_t cell = 0; cell < level.cell_count(); ++cell) {
      int at[3];
      level.place(cell, at);
      for (int place = -3; place <= 3; ++place) {
        const std::int64_t next = number(level, cell, at, place);
        if (next >= 0) cells.push_back(static_cast<int>(next));
      }
      for (int i = 0; i < size; ++i) {
        for (auto n = static_cast<std::size_t>(starts.back()); n < cells.size(); ++n) {
          for (int j = 0; j < size; ++j) columns.push_back(size * cells[n] + j);
        }
        rows.push_back(static_cast<int>(columns.size()));
      }
      starts.push_back(static_cast<int>(cells.size()));
    }
    const auto make = [](const std::vector<int>& list) {
      Integers view("graph", list.size());
      upload(view, list);
      return view;
    };
    first = make(starts);
    neighbour = make(cells);
    row_map = make(rows);
    entries = make(columns);
    values = Values("values", columns.size());
    scaled = Values("values", columns.size());
    scaled_blocks = block_by_block ? Values("values", columns.size()) : scaled;
  }
  /// The cell itself or its neighbour; place is +-(axis + 1).
  KOKKOS_INLINE_FUNCTION static std::int64_t number(const Level& level, std::int64_t cell,
                                                    const int (&at)[3], int place) {
    if (place == 0) return cell;
    return level.neighbour(cell, at, (place < 0 ? -place : place) - 1, place < 0 ? -1 : 1);
  }
  int rows() const { return static_cast<int>(row_map.extent(0)) - 1; }
  Matrix matrix() const {
    return {"equations", rows(),  rows(), static_cast<int>(values.extent(0)),
            values,      row_map, entries};
  }
  void set_values(bool with_scaled) {
    sets_scaled = with_scaled;
    Kokkos::parallel_for("knudsen/benchmark/assemble", Range(0, level.cell_count()), *this);
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    const LocalGas gas = level.gas_of(cell);
    int at[3];
    level.place(cell, at);
    SmallMatrix block[7];  // by place + 3; sums of fluxes out of the cell
    for (int place = -3; place <= 3; ++place) {
      const std::int64_t next = number(level, cell, at, place);
      if (place == 0 || next < 0) continue;
      const int axis = (place < 0 ? -place : place) - 1;
      const int step = place < 0 ? -1 : 1;
      const float area = level.face_area(cell, next, axis, step);
      const float diffusion = level.diffusion(cell, next, axis, at[axis], at[axis] + step);
      for (int j = 0; j < size; ++j) {
        float unit[size] = {};
        unit[j] = 1;
        const FluxChange here = flux_change(gas, unit, axis, level.prandtl);
        const FluxChange there = flux_change(level.gas_of(next), unit, axis, level.prandtl);
        for (int i = 0; i < size; ++i) {
          const float leaving = step > 0 ? here.forward[i] : -here.backward[i];
          const float entering = step > 0 ? there.backward[i] : -there.forward[i];
          block[3].value[i][j] += double(area * (leaving + diffusion * here.diffusive[i]));
          block[place + 3].value[i][j] = double(area * (entering - diffusion * there.diffusive[i]));
        }
      }
    }
    for (int i = 0; i < block_entries; ++i) {
      block[3].value[i / size][i % size] += double(level.wall(cell, i));
    }
    const SmallMatrix inverse = sets_scaled ? inverted(block[3]) : SmallMatrix{};
    const int begin = first(cell);
    const int count = first(cell + 1) - begin;
    int n = 0;
    for (int place = -3; place <= 3; ++place) {
      if (number(level, cell, at, place) < 0) continue;
      for (int i = 0; i < block_entries; ++i) {
        const int in_rows = block_entries * begin + size * (i / size * count + n) + i % size;
        values(in_rows) = static_cast<float>(block[place + 3].value[i / size][i % size]);
      }
      if (sets_scaled) {
        const SmallMatrix product = inverse * block[place + 3];
        for (int i = 0; i < block_entries; ++i) {
          const int in_rows = block_entries * begin + size * (i / size * count + n) + i % size;
          scaled(in_rows) = static_cast<float>(product.value[i / size][i % size]);
          if (block_by_block) scaled_blocks(block_entries * (begin + n) + i) = scaled(in_rows);
        }
      }
      ++n;
    }
  }
};

/// Sets the second vector to the inverse blocks on the diagonal times the first one.
void apply_inverse(const Level& level, const Values& from, const Values& to) {
  Kokkos::parallel_for(
      "knudsen/benchmark/inverse", Range(0, level.cell_count()), KOKKOS_LAMBDA(std::int64_t cell) {
        float vector[size];
        float sum[size] = {};
        for (int i = 0; i < size; ++i) vector[i] = from(size * cell + i);
        add_product(level.inverse, cell, vector, 1, sum);
        for (int i = 0; i < size; ++i) to(size * cell + i) = sum[i];
      });
}

double norm(const Values& vector) {
  double square = 0;
  Kokkos::parallel_reduce(
      "knudsen/benchmark/norm", Range(0, static_cast<std::int64_t>(vector.extent(0))),
      KOKKOS_LAMBDA(std::int64_t i, double& sum) { sum += double(vector(i)) * double(vector(i)); },
      square);
  return std::sqrt(square);
}

/// vector = right - matrix x vector; returns the norm.
double set_residual(const Matrix& matrix, const Values& right, const Values& solution,
                    const Values& result) {
  Kokkos::deep_copy(result, right);
  KokkosSparse::spmv("N", -1.0F, matrix, solution, 1.0F, result);
  return norm(result);
}

struct Outcome {
  int iterations = 0;
  double seconds = 0;
  double kernel_seconds = 0;  ///< of preconditioner and matrix
};

constexpr int chunk = 1280;  ///< values whose products are summed by one work item

struct Weights {
  float value[restart + 1];
};

/// Products of a vector with the first `count` of a basis, a chunk each.
struct Products {
  View<float**, Execution> basis;
  Values with;
  View<double**, Execution> sums;
  int count;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t work) const {
    const auto each = work % count;
    const auto begin = work / count * chunk;
    const auto all = static_cast<std::int64_t>(with.extent(0));
    const auto end = begin + chunk < all ? begin + chunk : all;
    double sum = 0;
    for (auto i = begin; i < end; ++i) sum += double(with(i)) * double(basis(each, i));
    sums(each, work / count) = sum;
  }
};
/// result = scale x (result - sum of weights x basis)
struct Combination {
  View<float**, Execution> basis;
  Values result;
  Weights weights;
  int count;
  float scale;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    float value = result(i);
    for (int n = 0; n < count; ++n) value -= weights.value[n] * basis(n, i);
    result(i) = scale * value;
  }
};

/// GMRES, preconditioned from the right, restarted after `restart` iterations. The basis is made
/// orthogonal as in MacroscopicSolver: all products in a kernel, all subtractions in another.
class Gmres {
 public:
  explicit Gmres(int rows)
      : basis_("basis", restart + 1, static_cast<std::size_t>(rows)),
        changed_("changed", static_cast<std::size_t>(rows)),
        sums_("sums", restart + 1, static_cast<std::size_t>((rows + chunk - 1) / chunk)) {}

  Outcome solve(const Matrix& matrix, const Preconditioner& precondition, const Values& right,
                const Values& solution, double tolerance) {
    Outcome outcome;
    const Watch watch;
    Kokkos::deep_copy(solution, 0.0F);
    const double all = norm(right);
    double rest = 1;
    while (rest > tolerance && outcome.iterations < most_iterations && watch.seconds() < patience) {
      const double before = set_residual(matrix, right, solution, vector(0));
      combine(vector(0), {}, 1 / before);
      std::vector<std::vector<double>> triangle;
      std::vector<double> cosines, sines, shares{before};
      do {
        const std::size_t n = triangle.size();
        const Values next = vector(n + 1);
        const Watch kernels;
        precondition(vector(n), changed_);
        KokkosSparse::spmv("N", 1.0F, matrix, changed_, 0.0F, next);
        Execution().fence();
        outcome.kernel_seconds += kernels.seconds();
        std::vector<double> column = dots(next, n + 1);
        combine(next, column, 1);
        column.push_back(norm(next));
        combine(next, {}, 1 / column.back());
        for (std::size_t i = 0; i < n; ++i) {
          const double a = column[i];
          column[i] = cosines[i] * a + sines[i] * column[i + 1];
          column[i + 1] = cosines[i] * column[i + 1] - sines[i] * a;
        }
        const double length = std::hypot(column[n], column[n + 1]);
        cosines.push_back(column[n] / length);
        sines.push_back(column[n + 1] / length);
        column[n] = length;
        triangle.push_back(column);
        shares.push_back(-sines[n] * shares[n]);
        shares[n] *= cosines[n];
        rest = std::abs(shares.back()) / all;
        ++outcome.iterations;
      } while (triangle.size() < restart && rest > tolerance);
      std::vector<double> weights(triangle.size());
      for (std::size_t i = weights.size(); i-- > 0;) {
        double sum = shares[i];
        for (std::size_t j = i + 1; j < weights.size(); ++j) sum -= triangle[j][i] * weights[j];
        weights[i] = sum / triangle[i][i];
      }
      for (double& weight : weights) weight = -weight;
      const Values sum = vector(weights.size());
      Kokkos::deep_copy(sum, 0.0F);
      combine(sum, weights, 1);
      precondition(sum, changed_);
      add(changed_, solution);
      if (!std::isfinite(rest)) break;
    }
    Execution().fence();
    outcome.seconds = watch.seconds();
    return outcome;
  }
  static void add(const Values& part, const Values& sum) {
    Kokkos::parallel_for(
        "knudsen/benchmark/add", Range(0, static_cast<std::int64_t>(sum.extent(0))),
        KOKKOS_LAMBDA(std::int64_t i) { sum(i) += part(i); });
  }

 private:
  Values vector(std::size_t number) const { return Kokkos::subview(basis_, number, Kokkos::ALL()); }
  std::vector<double> dots(const Values& with, std::size_t count) const {
    Products work{basis_, with, sums_, static_cast<int>(count)};
    Kokkos::parallel_for("knudsen/benchmark/dots",
                         Range(0, static_cast<std::int64_t>(sums_.extent(1) * count)), work);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums_);
    std::vector<double> found(count, 0);
    for (std::size_t n = 0; n < count; ++n) {
      for (std::size_t i = 0; i < host.extent(1); ++i) found[n] += host(n, i);
    }
    return found;
  }
  void combine(const Values& result, const std::vector<double>& weights, double scale) const {
    Combination work{
        basis_, result, {}, static_cast<int>(weights.size()), static_cast<float>(scale)};
    for (std::size_t n = 0; n < weights.size(); ++n) {
      work.weights.value[n] = static_cast<float>(weights[n]);
    }
    Kokkos::parallel_for("knudsen/benchmark/combine",
                         Range(0, static_cast<std::int64_t>(result.extent(0))), work);
  }

  View<float**, Execution> basis_;
  Values changed_;
  View<double**, Execution> sums_;
};

/// A preconditioner of Kokkos-Kernels.
struct Candidate {
  std::string name;
  std::function<void()> analyse;  ///< once for a graph
  std::function<void()> factor;   ///< for each correction, after the values are set
  Preconditioner apply;
};

Candidate gauss_seidel(const Assembled& a, const Values& values, int sweeps) {
  const auto handle = std::make_shared<Handle>();
  const int n = a.rows();
  return {
      "gauss-seidel " + std::to_string(sweeps),
      [=] {
        handle->create_gs_handle(KokkosSparse::GS_DEFAULT);
        sparse::gauss_seidel_symbolic(handle.get(), n, n, a.row_map, a.entries, true);
      },
      [=] { sparse::gauss_seidel_numeric(handle.get(), n, n, a.row_map, a.entries, values, true); },
      [=](const Values& from, const Values& to) {
        sparse::symmetric_gauss_seidel_apply(handle.get(), n, n, a.row_map, a.entries, values, to,
                                             from, true, true, 1.0F, sweeps);
      }};
}

Candidate block_gauss_seidel(const Assembled& a, int sweeps) {
  const auto handle = std::make_shared<Handle>();
  const int n = static_cast<int>(a.level.cell_count());
  const Values values = a.scaled_blocks;
  return {
      "block gauss-seidel " + std::to_string(sweeps),
      [=] {
        handle->create_gs_handle(KokkosSparse::GS_DEFAULT);
        sparse::block_gauss_seidel_symbolic(handle.get(), n, n, size, a.first, a.neighbour, true);
      },
      [=] {
        sparse::block_gauss_seidel_numeric(handle.get(), n, n, size, a.first, a.neighbour, values,
                                           true);
      },
      [=](const Values& from, const Values& to) {
        sparse::symmetric_block_gauss_seidel_apply(handle.get(), n, n, size, a.first, a.neighbour,
                                                   values, to, from, true, true, 1.0F, sweeps);
      }};
}

/// A preconditioner of the equations times the inverse blocks on the diagonal, as one of the
/// equations themselves. Sweeps over single unknowns of these are sweeps over blocks.
Candidate scaled(const Assembled& a, const Candidate& candidate) {
  const Values changed("changed", static_cast<std::size_t>(a.rows()));
  return {"scaled " + candidate.name, candidate.analyse, candidate.factor,
          [=](const Values& from, const Values& to) {
            apply_inverse(a.level, from, changed);
            candidate.apply(changed, to);
          }};
}

struct Factors {
  Handle factors;
  Handle solve_lower;
  Handle solve_upper;
  Integers lower_map, lower_entries, upper_map, upper_entries;
  Values lower, upper;
  Values between;
};

Candidate ilu(const Assembled& a, const Values& of) {
  const auto f = std::make_shared<Factors>();
  const auto n = static_cast<std::size_t>(a.rows());
  const int rows = a.rows();
  return {"ilu(0)",
          [=] {
            using Factorisation = KokkosSparse::Experimental::SPILUKAlgorithm;
            using Solution = KokkosSparse::Experimental::SPTRSVAlgorithm;
            const std::size_t most = a.values.extent(0);
            f->factors.create_spiluk_handle(Factorisation::SEQLVLSCHD_TP1, rows,
                                            static_cast<int>(most), static_cast<int>(most));
            f->lower_map = Integers("lower map", n + 1);
            f->upper_map = Integers("upper map", n + 1);
            f->lower_entries = Integers("lower entries", most);
            f->upper_entries = Integers("upper entries", most);
            auto map = a.row_map;
            auto entries = a.entries;
            sparse::spiluk_symbolic(&f->factors, 0, map, entries, f->lower_map, f->lower_entries,
                                    f->upper_map, f->upper_entries);
            const auto* found = f->factors.get_spiluk_handle();
            Kokkos::resize(f->lower_entries, static_cast<std::size_t>(found->get_nnzL()));
            Kokkos::resize(f->upper_entries, static_cast<std::size_t>(found->get_nnzU()));
            f->lower = Values("lower", f->lower_entries.extent(0));
            f->upper = Values("upper", f->upper_entries.extent(0));
            f->between = Values("between", n);
            f->solve_lower.create_sptrsv_handle(Solution::SEQLVLSCHD_TP1, rows, true);
            f->solve_upper.create_sptrsv_handle(Solution::SEQLVLSCHD_TP1, rows, false);
            sparse::sptrsv_symbolic(&f->solve_lower, f->lower_map, f->lower_entries);
            sparse::sptrsv_symbolic(&f->solve_upper, f->upper_map, f->upper_entries);
          },
          [=] {
            auto map = a.row_map;
            auto entries = a.entries;
            auto values = of;
            sparse::spiluk_numeric(&f->factors, 0, map, entries, values, f->lower_map,
                                   f->lower_entries, f->lower, f->upper_map, f->upper_entries,
                                   f->upper);
          },
          [=](const Values& from, const Values& to) {
            sparse::sptrsv_solve(&f->solve_lower, f->lower_map, f->lower_entries, f->lower, from,
                                 f->between);
            sparse::sptrsv_solve(&f->solve_upper, f->upper_map, f->upper_entries, f->upper,
                                 f->between, to);
          }};
}

/// A number that tells whether two solutions are the same bit for bit.
std::uint32_t digest(const Values& solution) {
  std::uint32_t found = 2166136261U;
  for (const float value : to_list(solution)) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    found = (found ^ bits) * 16777619U;
  }
  return found;
}

/// A line of the file.
struct Line {
  int cells;
  double rarefaction;
  std::string solver;
  double once = 0;   ///< seconds: allocation and analysis of the graph
  double setup = 0;  ///< for each correction
  std::int64_t bytes = 0;

  void print(double tolerance, const Outcome& solve, double residual,
             const Values& solution) const {
    std::printf("%d,%d,%g,%g,%s,%.2f,%.2f,%.2f,%.2f,%d,%.2e,%.1f,%08x\n", Execution().concurrency(),
                cells, rarefaction, tolerance, solver.c_str(), 1e3 * once, 1e3 * setup,
                1e3 * solve.seconds, 1e3 * solve.kernel_seconds, solve.iterations, residual,
                1e-6 * double(bytes), digest(solution));
    std::fflush(stdout);
  }
};

/// The fastest of several runs, which are repeated for a while.
Outcome fastest(const std::function<Outcome()>& run) {
  const Watch all;
  Outcome best = run();
  while (all.seconds() < enough) {
    const Outcome found = run();
    if (found.seconds < best.seconds) best = found;
  }
  return best;
}

double least_seconds(const std::function<void()>& work) {
  return fastest([&] {
           const Watch watch;
           work();
           Execution().fence();
           return Outcome{0, watch.seconds(), 0};
         })
      .seconds;
}

Outcome solve_own(MacroscopicSolver<Execution>& solver, const Matrix& matrix, const Values& right,
                  const Values& solution, double tolerance) {
  const Level& level = solver.finest();
  const Values rest(level.right.data(), level.right.span());
  const Values part(level.solution.data(), level.solution.span());
  products = 0;
  const Watch watch;
  Kokkos::deep_copy(rest, right);
  Kokkos::deep_copy(solution, 0.0F);
  double residual = 1;
  int calls = 0;
  while (residual > tolerance && calls < most_iterations / solver.max_iterations) {
    if (calls > 0) set_residual(matrix, right, solution, rest);
    residual *= solver.solve({}, tolerance / residual);
    Gmres::add(part, solution);
    ++calls;
  }
  Execution().fence();
  // A call forms products for its right side, and for each iteration twice.
  return {(products - calls) / 2, watch.seconds(), 0};
}

void measure(int cells, double rarefaction) {
  const FlowGrid grid = make_grid(cells);
  auto acceleration = make_equations(grid, rarefaction);
  auto& solver = acceleration.solver();
  const Level& level = solver.finest();
  std::vector<float> list = to_list(Values(level.right.data(), level.right.span()));
  double source = 0;  // of mass, which no flow in a closed box can balance
  for (std::size_t i = 0; i < list.size(); i += size) source += double(list[i]);
  for (std::size_t i = 0; i < list.size(); i += size) {
    list[i] -= static_cast<float>(source * size / double(list.size()));
  }
  const Values right("right", list.size()), solution("solution", list.size());
  const Values residual("residual", list.size());
  upload(right, list);
  const double all = norm(right);

  const std::int64_t none = bytes_now;
  const Watch graph;
  Assembled assembled(level);
  const double graph_seconds = graph.seconds();
  const std::int64_t matrix_bytes = bytes_now - none;
  // Of the values, which all have the same number.
  const auto unused_bytes = static_cast<std::int64_t>(assembled.values.span() * sizeof(float));
  const Matrix matrix = assembled.matrix();
  const double assembly_with_scaled = least_seconds([&] { assembled.set_values(true); });
  const double assembly = least_seconds([&] { assembled.set_values(false); });

  Line own{cells, rarefaction, "own"};
  {
    const std::int64_t before = bytes_now;
    const Watch watch;
    const MacroscopicSolver<Execution> another(grid, 1, Gas{1, 1, 2.0 / 3}, true);
    own.once = watch.seconds();
    own.bytes = bytes_now - before;
  }
  own.setup = least_seconds([&] { solver.prepare({}); });
  for (const double tolerance : {0.05, 1e-3}) {
    const Outcome outcome =
        fastest([&] { return solve_own(solver, matrix, right, solution, tolerance); });
    own.print(tolerance, outcome, set_residual(matrix, right, solution, residual) / all, solution);
  }

  const std::int64_t before = bytes_now;
  Gmres gmres(assembled.rows());
  const std::int64_t workspace = bytes_now - before;
  const auto try_candidate = [&](const Candidate& candidate, bool is_scaled) {
    const std::int64_t start = bytes_now;
    Line line{cells, rarefaction, candidate.name};
    const Watch watch;
    candidate.analyse();
    line.once = graph_seconds + watch.seconds();
    line.setup = (is_scaled ? assembly_with_scaled : assembly) + least_seconds(candidate.factor);
    for (const double tolerance : {0.05, 1e-3}) {
      const Outcome outcome =
          fastest([&] { return gmres.solve(matrix, candidate.apply, right, solution, tolerance); });
      line.bytes = matrix_bytes - (is_scaled ? 0 : unused_bytes) + workspace + bytes_now - start;
      line.print(tolerance, outcome, set_residual(matrix, right, solution, residual) / all,
                 solution);
    }
  };
  for (const int sweeps : {1, 2, 4}) {
    if (cells > 32 && sweeps > 1) continue;  // minutes each
    if (cells <= 16) try_candidate(gauss_seidel(assembled, assembled.values, sweeps), false);
    try_candidate(scaled(assembled, gauss_seidel(assembled, assembled.scaled, sweeps)), true);
    try_candidate(scaled(assembled, block_gauss_seidel(assembled, sweeps)), true);
  }
  if (cells > 32) return;  // the factorisation takes a temporary array that grows as N^5
  try_candidate(ilu(assembled, assembled.values), false);
  try_candidate(scaled(assembled, ilu(assembled, assembled.scaled)), true);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::puts("benchmark_macroscopic_solver threads cells rarefaction...");
    return 2;
  }
  const KokkosSession session(std::stoi(argv[1]));
  count_memory_and_kernels();
  std::printf("# %s, Kokkos %s, commit %s\n", compiler_version().c_str(), kokkos_version().c_str(),
              git_commit().c_str());
  std::printf(
      "threads,cells,rarefaction,tolerance,solver,once_ms,setup_ms,solve_ms,kernels_ms,iterations,"
      "residual,megabytes,digest\n");
  for (int i = 3; i < argc; ++i) measure(std::stoi(argv[2]), std::stod(argv[i]));
  return 0;
}
