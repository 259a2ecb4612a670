#include "kinetic/case/initial_states.hpp"

#include "kinetic/case/gas_case.hpp"

namespace knudsen {

bool InitialStates::differ() const {
  return states[0].density != states[1].density || states[0].temperature != states[1].temperature ||
         states[0].velocity != states[1].velocity;
}

std::vector<NamedState> InitialStates::named() const {
  if (!differ()) return {{"initial", states[0]}};
  return {{"initial, lower x", states[0]}, {"initial, higher x", states[1]}};
}

void read_step_position(CaseNode& node, double size, InitialStates& initial) {
  initial.position =
      size * node.number_or("position", 0.5, "Position along x, as a fraction of the domain.",
                            Range::between(0, 1));
}

CaseNode::Alternative step_alternative(double size, const GasUnits& units, InitialStates& initial) {
  return {"step", "Two uniform states, separated by a plane across x.",
          [size, &units, &initial](CaseNode& node) {
            read_step_position(node, size, initial);
            node.require_object("left", "State at lower x.", [&](CaseNode& left) {
              initial.states[0] = read_gas_state(left, units, {});
            });
            node.require_object("right", "State at higher x.", [&](CaseNode& right) {
              initial.states[1] = read_gas_state(right, units, {});
            });
          }};
}

}  // namespace knudsen
