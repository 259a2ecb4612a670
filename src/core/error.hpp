#pragma once

#include <stdexcept>
#include <string>

namespace knudsen {

/// The user's input is wrong (case file, option, geometry, checkpoint). Exit code 2.
/// The message is complete as it stands: file, path in the file, what was found, what is allowed.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A run that was set up properly failed (diverged, disk full). Exit code 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace knudsen
