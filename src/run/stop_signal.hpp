#pragma once

#include <array>
#include <csignal>
#include <string>

namespace knudsen {

/// While one exists, SIGINT and SIGTERM do not end the program but are noted. Only one at a time.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// The signal that arrived last, 0 for none.
  int received() const;

 private:
  struct sigaction old_interrupt_ = {}, old_terminate_ = {};
};

}  // namespace knudsen
