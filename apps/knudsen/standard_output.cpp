#include "standard_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

#include "core/error.hpp"

namespace knudsen {

void prepare_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // For reading only, so that writing to it is still an error. open() returns the lowest number.
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != stream) return;
  }
}

void flush_standard_output() {
  errno = 0;
  std::cout.flush();
  const bool flushed = std::fflush(stdout) == 0;
  int reason = errno;
  if (std::cout && flushed && std::ferror(stdout) == 0) return;
  // An earlier write may have failed, whose reason is not kept; that of a pipe can be found again.
  pollfd state{STDOUT_FILENO, POLLOUT, 0};
  if (reason == 0 && poll(&state, 1, 0) == 1 && (state.revents & POLLERR) != 0) reason = EPIPE;
  throw RunError("standard output: cannot be written" +
                 (reason == 0 ? "" : ": " + std::string(std::strerror(reason))));
}

namespace {

/// Bytes of the UTF-8 character that begins at text[i], which is not ASCII; 0 if none does.
std::size_t utf8_length(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const unsigned first = byte(i);
  const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0U) != 0x80U) return 0;
  }
  // Longer than needed, surrogates, and beyond the last code point.
  const unsigned second = byte(i + 1);
  const bool outside = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                       (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
  return outside ? 0 : length;
}

}  // namespace

std::string one_line(const std::string& text) {
  constexpr std::size_t longest = 1900;
  constexpr const char* digits = "0123456789abcdef";
  std::string line;
  std::size_t i = 0;
  while (i < text.size() && line.size() < longest) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t length = c < 0x80 ? 1 : utf8_length(text, i);
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\t') {
      line += "\\t";
    } else if (c < 0x20 || c == 0x7f || length == 0) {
      line.append("\\x").append(1, digits[c / 16]).append(1, digits[c % 16]);
    } else {
      line.append(text, i, length);
    }
    i += std::max<std::size_t>(length, 1);
  }
  return i < text.size() ? line + " ..." : line;
}

}  // namespace knudsen
