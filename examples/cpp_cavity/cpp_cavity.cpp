// The lid-driven cavity, advanced from C++ until its velocity stands still.

#include <iostream>
#include <knudsen/knudsen.hpp>

int main() {
  const knudsen::Session session;
  const auto cavity = knudsen::Case::from_text(R"({
    "method": "lbm_d2q9",
    "domain": {"nodes": [48, 48]},
    "fluid": {"reynolds": 100, "velocity": 0.1},
    "boundaries": {"north": {"type": "wall", "velocity": [1, 0]}, "south": {"type": "wall"},
                   "west": {"type": "wall"}, "east": {"type": "wall"}},
    "stop": {"steps": 20000, "check_every": 500}
  })");
  try {
    knudsen::Simulation simulation(cavity);
    simulation.advance(
        20000, 500, [](knudsen::Simulation& now) { return now.monitor("velocity_change") < 1e-6; });
    const knudsen::FieldData velocity = simulation.field("velocity");
    std::cout << "steady at step " << simulation.step() << ", velocity in the middle "
              << velocity.at(24, 24) / 0.1 << " of the lid's\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
