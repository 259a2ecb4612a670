#include "run/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "report/text.hpp"

namespace knudsen {
namespace {

constexpr double seconds_between_redraws = 0.2;
constexpr double seconds_between_lines = 10;

std::size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

std::string rate_text(double updates_per_second, const std::string& update_unit) {
  std::string text = with_prefix(updates_per_second, "");
  if (text.back() != ' ') text += ' ';
  return text + update_unit + " updates/s";
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::llround(seconds));
  char text[32];
  if (whole < 3600) {
    std::snprintf(text, sizeof text, "%lld:%02lld", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60,
                  whole % 60);
  }
  return text;
}

std::string progress_text(const ProgressState& state) {
  char share[16];
  // Rounded down, so that 100 % means done.
  const double thousandths =
      std::floor(1000 * static_cast<double>(state.step) / static_cast<double>(state.last_step));
  std::snprintf(share, sizeof share, "%5.1f %%", thousandths / 10);
  std::string text = std::string(share) + "  step " + std::to_string(state.step) + " of " +
                     std::to_string(state.last_step) + "  " +
                     rate_text(state.updates_per_second, state.update_unit);
  if (state.seconds_left >= 0) text += "  " + duration_text(state.seconds_left) + " left";
  if (!state.residual.empty()) text += "  " + state.residual;
  return text;
}

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (line_open_) std::fputc('\n', stderr);
}

void Progress::update(const ProgressState& state, bool check) {
  if (quiet_ || (!terminal_ && !check)) return;
  const double since = clock_.seconds() - last_shown_;
  if (since >= (terminal_ ? seconds_between_redraws : seconds_between_lines)) draw(state);
}

void Progress::finish(const ProgressState& state) {
  if (!quiet_ && terminal_) draw(state);
}

void Progress::draw(const ProgressState& state) {
  last_shown_ = clock_.seconds();
  const std::string text = progress_text(state);
  if (terminal_) {
    // Cut to the terminal's width, since a wrapped line cannot be overwritten. \033[K clears the
    // rest of the line.
    std::fprintf(stderr, "\r%.*s\033[K",
                 static_cast<int>(std::min(text.size(), terminal_width() - 1)), text.c_str());
    line_open_ = true;
  } else {
    std::fprintf(stderr, "%s\n", text.c_str());
  }
  std::fflush(stderr);
}

}  // namespace knudsen
