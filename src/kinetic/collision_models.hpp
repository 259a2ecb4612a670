#pragma once

#include <array>
#include <tuple>

#include "kinetic/models/bgk.hpp"
#include "kinetic/models/es_bgk.hpp"
#include "kinetic/models/shakhov.hpp"

// The list of collision models of the gas methods. A file kinetic/models/x.hpp defines the model
// CollisionModel::x; the build makes one object of kernels for each.

namespace knudsen {

/// The collision models, in the order of CollisionModels.
enum class CollisionModel { bgk, shakhov, es_bgk };

template <class... Models>
struct ModelList {
  using Types = std::tuple<Models...>;
  static constexpr std::array<const char*, sizeof...(Models)> names{Models::name...};

  /// Calls `body` with an object of the model.
  template <class Body>
  static void dispatch(CollisionModel model, const Body& body) {
    int number = 0;
    ((static_cast<int>(model) == number++ ? void(body(Models{})) : void()), ...);
  }
};

/// All collision models, in the order in which a case lists them.
using CollisionModels = ModelList<BgkModel, ShakhovModel, EsBgkModel>;

/// The model of an enumerator.
template <CollisionModel Model>
using ModelOf = std::tuple_element_t<static_cast<std::size_t>(Model), CollisionModels::Types>;

/// Calls body(Model{}) for the model of an enumerator.
template <class Body>
void dispatch_model(CollisionModel model, const Body& body) {
  CollisionModels::dispatch(model, body);
}

/// A constant of a model by its enumerator, for instance
/// model_constant(model, [](auto m) { return m.is_maxwellian; }).
template <class Constant>
auto model_constant(CollisionModel model, const Constant& constant) {
  decltype(constant(BgkModel{})) result{};
  dispatch_model(model, [&](auto m) { result = constant(m); });
  return result;
}

}  // namespace knudsen
