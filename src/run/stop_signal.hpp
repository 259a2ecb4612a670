#pragma once

#include <array>
#include <csignal>
#include <string>

namespace knudsen {

/// While an object of this class exists, SIGINT and SIGTERM are recorded and do not end the
/// program. There must be at most one at a time.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// The latest signal, or 0 if there was none.
  int received() const;

 private:
  struct sigaction old_interrupt_ = {}, old_terminate_ = {};
};

}  // namespace knudsen
