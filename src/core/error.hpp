#pragma once

#include <stdexcept>
#include <string>

namespace knudsen {

/// The user's input is wrong: case file, option, geometry or checkpoint. Exit code 2.
/// The message needs no context: file, path in the file, what was found, what is allowed.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A valid run failed, because it diverged or the disk is full. Exit code 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One sentence for the user about any exception. What the standard library, Kokkos and the JSON
/// library throw by themselves should have been caught where it arose; here it at least loses the
/// parts that only a developer understands.
std::string error_text(const std::exception& error);

}  // namespace knudsen
