#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace knudsen {

/// A formula of some variables, such as "1 + 0.2*sin(2*pi*x)".
///
/// Numbers, variables, pi, parentheses, + - * / ^ (or **), comparisons < <= > >= with the values 0
/// and 1, if(condition, value, other value), min, max, atan2, and functions of one argument: sin,
/// cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, log, log10, sqrt, abs, floor, erf. Powers
/// bind more tightly than signs, and from the right: -2^2 is -4, 2^3^2 is 512.
class Formula {
 public:
  /// Throws InputError "at character 5, ..., must be ..." if the text is no formula.
  Formula(const std::string& text, const std::vector<std::string>& variables);
  /// A formula that is one number.
  explicit Formula(double number);

  /// The value for values of the variables, in the order in which they were named.
  double operator()(std::span<const double> values) const;

  /// Whether the variable with this place among the variables occurs.
  bool uses(std::size_t variable) const;

  /// A function of its arguments, which lie side by side.
  using Function = double (*)(const double* arguments);

 private:
  friend class FormulaParser;
  /// Replaces the last values by one: calls `function`, or without one adds a variable or a number.
  struct Step {
    Function function = nullptr;
    std::size_t arguments = 0;
    double number = 0;
    int variable = -1;  ///< -1: `number`
  };
  std::vector<Step> steps_;
};

}  // namespace knudsen
