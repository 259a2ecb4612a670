#include "run/stop_signal.hpp"

#include <unistd.h>

#include <cstring>

#include "parallel/communicator.hpp"

namespace knudsen {
namespace {

volatile std::sig_atomic_t received_signal = 0;
volatile std::sig_atomic_t in_set_up = 0;
std::array<char, 4096> file_to_delete{};

// Only calls functions that are safe in a signal handler.
extern "C" void note_signal(int signal) {
  received_signal = signal;
  if (in_set_up == 0) return;
  constexpr char text[] = "knudsen: stopped by a signal before the first step\n";
  if (may_speak_of_signal()) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text, sizeof text - 1);
  }
  if (file_to_delete[0] != '\0') unlink(file_to_delete.data());
  _exit(128 + signal);
}

}  // namespace

StopSignal::StopSignal(Phase phase) {
  world();  // exists from here on: the handler must not allocate it
  received_signal = 0;
  file_to_delete[0] = '\0';
  in_set_up = phase == Phase::set_up ? 1 : 0;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  // SA_RESTART: a system call that the signal interrupts, such as a write, continues.
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i], &action, &old_[i]);
    if (signals[i] == SIGHUP && old_[i].sa_handler == SIG_IGN) {
      sigaction(SIGHUP, &old_[i], nullptr);
    }
  }
}

StopSignal::~StopSignal() {
  in_set_up = 0;
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &old_[i], nullptr);
}

void StopSignal::begin_stepping() { in_set_up = 0; }

void StopSignal::delete_on_exit(const std::filesystem::path& file) {
  const std::string name = std::filesystem::absolute(file).string();
  file_to_delete[0] = '\0';
  if (name.size() >= file_to_delete.size()) return;
  // The first byte last, so that a signal in between sees no part of the name.
  std::memcpy(file_to_delete.data() + 1, name.c_str() + 1, name.size());
  file_to_delete[0] = name[0];
}

int StopSignal::received() const { return received_signal; }

std::string signal_name(int signal) {
  switch (signal) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    case SIGXCPU:
      return "SIGXCPU";
    default:
      return "signal " + std::to_string(signal);
  }
}

}  // namespace knudsen
