#include "standard_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

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

}  // namespace knudsen
