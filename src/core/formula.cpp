#include "core/formula.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <string_view>

#include "core/error.hpp"
#include "core/text.hpp"

namespace knudsen {
namespace {

struct NamedFunction {
  const char* name;
  std::size_t arguments;
  Formula::Function function;
};

constexpr NamedFunction functions[] = {
    {"sin", 1, [](const double* a) { return std::sin(a[0]); }},
    {"cos", 1, [](const double* a) { return std::cos(a[0]); }},
    {"tan", 1, [](const double* a) { return std::tan(a[0]); }},
    {"asin", 1, [](const double* a) { return std::asin(a[0]); }},
    {"acos", 1, [](const double* a) { return std::acos(a[0]); }},
    {"atan", 1, [](const double* a) { return std::atan(a[0]); }},
    {"sinh", 1, [](const double* a) { return std::sinh(a[0]); }},
    {"cosh", 1, [](const double* a) { return std::cosh(a[0]); }},
    {"tanh", 1, [](const double* a) { return std::tanh(a[0]); }},
    {"exp", 1, [](const double* a) { return std::exp(a[0]); }},
    {"log", 1, [](const double* a) { return std::log(a[0]); }},
    {"log10", 1, [](const double* a) { return std::log10(a[0]); }},
    {"sqrt", 1, [](const double* a) { return std::sqrt(a[0]); }},
    {"abs", 1, [](const double* a) { return std::abs(a[0]); }},
    {"floor", 1, [](const double* a) { return std::floor(a[0]); }},
    {"erf", 1, [](const double* a) { return std::erf(a[0]); }},
    {"min", 2, [](const double* a) { return std::fmin(a[0], a[1]); }},
    {"max", 2, [](const double* a) { return std::fmax(a[0], a[1]); }},
    {"atan2", 2, [](const double* a) { return std::atan2(a[0], a[1]); }},
    {"if", 3, [](const double* a) { return a[0] != 0 ? a[1] : a[2]; }}};

double plus(const double* a) { return a[0] + a[1]; }
double minus(const double* a) { return a[0] - a[1]; }
double times(const double* a) { return a[0] * a[1]; }
double over(const double* a) { return a[0] / a[1]; }
double power(const double* a) { return std::pow(a[0], a[1]); }
double negated(const double* a) { return -a[0]; }
double less(const double* a) { return a[0] < a[1] ? 1 : 0; }
double at_most(const double* a) { return a[0] <= a[1] ? 1 : 0; }
double greater(const double* a) { return a[0] > a[1] ? 1 : 0; }
double at_least(const double* a) { return a[0] >= a[1] ? 1 : 0; }

/// Most values that wait for an operation at a time, and most nested parts.
constexpr std::size_t max_depth = 64;

bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }
bool is_letter(char letter) {
  return std::isalpha(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

}  // namespace

/// Translates a text into steps by recursive descent.
class FormulaParser {
 public:
  FormulaParser(const std::string& text, const std::vector<std::string>& variables,
                std::vector<Formula::Step>& steps)
      : text_(text), variables_(variables), steps_(steps) {}

  void parse() {
    comparison();
    skip_blanks();
    if (place_ < text_.size()) refuse("must be an operator, or the end of the formula");
  }

 private:
  /// Counts nested parts, so that no text exhausts the program's stack.
  class Nested {
   public:
    explicit Nested(FormulaParser& parser) : depth_(parser.depth_) {
      if (++depth_ > max_depth) parser.refuse("is nested too deeply");
    }
    ~Nested() { --depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    std::size_t& depth_;
  };

  [[noreturn]] void refuse(const std::string& rule) const {
    std::string found = "the end";
    if (place_ < text_.size()) {
      std::size_t end = place_ + 1;
      while (is_letter(text_[place_]) && end < text_.size() &&
             (is_letter(text_[end]) || is_digit(text_[end]))) {
        ++end;
      }
      found = quote(text_.substr(place_, end - place_));
    }
    throw InputError("at character " + std::to_string(place_ + 1) + ": found " + found + ", " +
                     rule);
  }

  void skip_blanks() {
    while (place_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[place_])) != 0) {
      ++place_;
    }
  }
  /// Whether these characters are next; they are then passed.
  bool take(std::string_view symbol) {
    skip_blanks();
    if (std::string_view(text_).substr(place_, symbol.size()) != symbol) return false;
    place_ += symbol.size();
    return true;
  }

  void add(const Formula::Step& step) {
    waiting_ = waiting_ - step.arguments + 1;
    if (waiting_ > max_depth) refuse("is nested too deeply");
    steps_.push_back(step);
  }
  void call(Formula::Function function, std::size_t arguments) { add({function, arguments}); }

  struct Operator {
    const char* symbol;
    Formula::Function function;
  };
  /// Whether one of these operators is next; it is then passed, with its second operand.
  bool operation(std::initializer_list<Operator> operators, void (FormulaParser::*operand)()) {
    for (const Operator& each : operators) {
      if (!take(each.symbol)) continue;
      (this->*operand)();
      call(each.function, 2);
      return true;
    }
    return false;
  }

  void comparison() {
    const Nested nested(*this);
    sum();
    // The longer symbols first.
    operation({{"<=", at_most}, {">=", at_least}, {"<", less}, {">", greater}},
              &FormulaParser::sum);
  }
  void sum() {
    product();
    while (operation({{"+", plus}, {"-", minus}}, &FormulaParser::product)) {
    }
  }
  void product() {
    signed_power();
    while (operation({{"*", times}, {"/", over}}, &FormulaParser::signed_power)) {
    }
  }

  void signed_power() {
    const Nested nested(*this);
    if (take("-")) {
      signed_power();
      call(negated, 1);
    } else if (take("+")) {
      signed_power();
    } else {
      operand();
      operation({{"^", power}, {"**", power}}, &FormulaParser::signed_power);
    }
  }

  void operand() {
    skip_blanks();
    if (take("(")) {
      comparison();
      if (!take(")")) refuse("must be an operator or \")\"");
      return;
    }
    const char next = place_ < text_.size() ? text_[place_] : '\0';
    if (is_digit(next) || next == '.') {
      number();
    } else if (is_letter(next)) {
      name();
    } else {
      refuse("must be a number, a variable (" + join(variables_, ", ") +
             "), pi, a function or \"(\"");
    }
  }

  void number() {
    double value = 0;
    const char* begin = text_.data() + place_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc()) refuse("must be a number");
    place_ += static_cast<std::size_t>(end - begin);
    add({nullptr, 0, value});
  }

  void name() {
    std::size_t end = place_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const std::string found = text_.substr(place_, end - place_);
    const auto variable = std::find(variables_.begin(), variables_.end(), found);
    if (variable != variables_.end()) {
      place_ = end;
      add({nullptr, 0, 0, static_cast<int>(variable - variables_.begin())});
      return;
    }
    if (found == "pi") {
      place_ = end;
      add({nullptr, 0, std::numbers::pi});
      return;
    }
    const auto* function = std::find_if(std::begin(functions), std::end(functions),
                                        [&](const NamedFunction& f) { return found == f.name; });
    if (function == std::end(functions)) refuse_name(found);
    place_ = end;
    arguments(*function);
  }

  [[noreturn]] void refuse_name(const std::string& found) const {
    std::vector<std::string> known = variables_;
    known.emplace_back("pi");
    for (const NamedFunction& each : functions) known.emplace_back(each.name);
    const std::string near = nearest(found, known);
    refuse((near.empty() ? "" : "did you mean " + quote(near) + "? ") + "must be one of " +
           join(known, ", "));
  }

  void arguments(const NamedFunction& function) {
    if (!take("(")) refuse("must be \"(\" after the function " + std::string(function.name));
    std::size_t count = 0;
    do {
      comparison();
      ++count;
    } while (count < function.arguments && take(","));
    if (count < function.arguments || !take(")")) {
      refuse("must be " + std::string(count < function.arguments ? "\",\"" : "\")\"") + ", since " +
             function.name + " has " + std::to_string(function.arguments) +
             (function.arguments == 1 ? " argument" : " arguments"));
    }
    call(function.function, function.arguments);
  }

  const std::string& text_;
  const std::vector<std::string>& variables_;
  std::vector<Formula::Step>& steps_;
  std::size_t place_ = 0;    ///< of the next character
  std::size_t depth_ = 0;    ///< of nested parts
  std::size_t waiting_ = 0;  ///< values at this point of an evaluation
};

Formula::Formula(const std::string& text, const std::vector<std::string>& variables) {
  FormulaParser(text, variables, steps_).parse();
}

Formula::Formula(double number) : steps_{{nullptr, 0, number}} {}

double Formula::operator()(std::span<const double> values) const {
  std::array<double, max_depth> waiting{};
  std::size_t count = 0;
  for (const Step& step : steps_) {
    count -= step.arguments;
    waiting[count] = step.function != nullptr ? step.function(waiting.data() + count)
                     : step.variable < 0      ? step.number
                                              : values[static_cast<std::size_t>(step.variable)];
    ++count;
  }
  return waiting[0];
}

bool Formula::uses(std::size_t variable) const {
  return std::any_of(steps_.begin(), steps_.end(),
                     [&](const Step& step) { return step.variable == static_cast<int>(variable); });
}

}  // namespace knudsen
