#pragma once

#include <array>
#include <csignal>
#include <filesystem>
#include <string>

namespace knudsen {

/// While an object of this class exists, SIGINT, SIGTERM, SIGHUP and SIGXCPU do not kill the
/// program as they usually do. A SIGHUP that was ignored before (nohup) stays ignored. There must
/// be at most one object at a time.
class StopSignal {
 public:
  enum class Phase {
    set_up,   ///< a signal ends the program at once, with the exit code 128 plus its number
    stepping  ///< a signal is recorded
  };

  explicit StopSignal(Phase phase = Phase::stepping);
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// From here on signals are recorded.
  static void begin_stepping();
  /// A file that a signal during the set-up deletes.
  static void delete_on_exit(const std::filesystem::path& file);
  /// The latest signal, or 0 if there was none.
  int received() const;

 private:
  static constexpr std::array<int, 4> signals{SIGINT, SIGTERM, SIGHUP, SIGXCPU};
  std::array<struct sigaction, signals.size()> old_ = {};
};

/// "SIGINT"
std::string signal_name(int signal);

}  // namespace knudsen
