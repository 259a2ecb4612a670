#include "kinetic/case/check_cells.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/sides.hpp"
#include "core/text.hpp"
#include "kinetic/case/gas_case.hpp"

namespace knudsen {

double added_viscosity(const std::vector<double>& widths, double rarefaction,
                       const std::function<double(double)>& share) {
  double length = 0;
  double fluidity = 0;  // integral of the gas's own viscosity over that with what is added
  for (const double width : widths) {
    const double added = share(width) * rarefaction * width / std::sqrt(std::numbers::pi);
    length += width;
    fluidity += width / (1 + added);
  }
  return fluidity > 0 ? length / fluidity - 1 : 0;
}

void warn_of_added_viscosity(const std::array<double, 3>& added,
                             std::vector<std::string>& warnings) {
  constexpr double warning_share = 0.1;
  std::string axes;
  double largest = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    if (!(added[d] > warning_share)) continue;
    axes += (axes.empty() ? "" : ", ") + axis_names[d];
    largest = std::max(largest, added[d]);
  }
  if (axes.empty()) return;
  warnings.push_back(
      "propagation.order: on cells as wide as these differences of first order make the gas "
      "about " +
      number_text(rounded(100 * largest)) + " % more viscous and conducting (along " + axes +
      "); set \"order\" 2 or take more cells");
}

}  // namespace knudsen
