#include "model/time_factor.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.hpp"
#include "output/csv.hpp"

namespace knudsen {

TimeFactor::TimeFactor(CaseNode& node, const std::string& unit_name) {
  formula_ = node.formula("factor", {"t"}, "The factor. Give this or `file`.");
  const auto file = node.file(
      "file",
      "CSV file with the columns t and factor. Times must grow. Between them the factor is "
      "interpolated linearly; before the first and after the last one it stays as it is there, "
      "unless there is a `period`. Lines that start with # are comments.");
  period_ = node.number("period",
                        "Time after which the series of `file` begins again. From its last time "
                        "to the end of the period the factor goes back to the first one.",
                        Range::positive());
  unit_ = node.number_or("unit", 1, "Unit of t, of `file` and of `period`, in " + unit_name + ".",
                         Range::positive());
  if (node.describing()) return;
  if (formula_ && file) node.fail("factor", "cannot be combined with \"file\"; leave one out");
  if (!formula_ && !file) node.fail("", "must give \"factor\" or \"file\"");
  if (period_ && !file) node.fail("period", "belongs to \"file\"; a formula repeats by itself");
  where_ = node.message("factor", "");
  if (!file) return;
  read_series(file->string());
  if (period_ && !(times_.front() >= 0 && times_.back() <= *period_)) {
    node.fail("period", "the times of " + file->string() + " go from " +
                            number_text(times_.front()) + " to " + number_text(times_.back()) +
                            ", must be from 0 to the period");
  }
}

void TimeFactor::read_series(const std::string& file) {
  const CsvTable csv(file);
  std::vector<std::string> names = csv.names();
  std::sort(names.begin(), names.end());
  if (names != std::vector<std::string>{"factor", "t"}) {
    throw InputError(file + ": found the columns " + quote_list(csv.names()) + ", must be " +
                     quote_list({"t", "factor"}));
  }
  times_ = csv.column("t");
  factors_ = csv.column("factor");
  if (times_.empty()) throw InputError(file + ": has no rows");
  for (std::size_t row = 0; row < times_.size(); ++row) {
    if (!std::isfinite(times_[row]) || !std::isfinite(factors_[row])) {
      throw InputError(file + ": found t = " + number_text(times_[row]) +
                       " and factor = " + number_text(factors_[row]) + ", must be finite");
    }
    if (row > 0 && times_[row] <= times_[row - 1]) {
      throw InputError(file + ": found t = " + number_text(times_[row]) + " after " +
                       number_text(times_[row - 1]) + ", times must grow from row to row");
    }
  }
}

double TimeFactor::operator()(double time) const {
  const double t = time / unit_;
  if (!formula_) return of_series(t);
  const double factor = (*formula_)(std::array{t});
  if (std::isfinite(factor)) return factor;
  throw InputError(where_ + "is " + number_text(factor) + " at t = " + number_text(t) +
                   ", must be finite");
}

double TimeFactor::of_series(double t) const {
  if (period_) t -= std::floor(t / *period_) * *period_;
  const auto between = [t](double t0, double f0, double t1, double f1) {
    return t1 > t0 ? f0 + (t - t0) / (t1 - t0) * (f1 - f0) : f1;
  };
  const auto above = std::upper_bound(times_.begin(), times_.end(), t) - times_.begin();
  const auto i = static_cast<std::size_t>(above);
  if (i > 0 && i < times_.size()) {
    return between(times_[i - 1], factors_[i - 1], times_[i], factors_[i]);
  }
  if (!period_) return i == 0 ? factors_.front() : factors_.back();
  const double shift = i == 0 ? *period_ : 0;
  return between(times_.back() - shift, factors_.back(), times_.front() + *period_ - shift,
                 factors_.front());
}

std::optional<double> TimeFactor::largest() const {
  if (formula_) return {};
  double most = 0;
  for (const double factor : factors_) most = std::max(most, std::abs(factor));
  return most;
}

}  // namespace knudsen
