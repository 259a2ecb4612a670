#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "core/error.hpp"
#include "parallel/communicator.hpp"

namespace knudsen {

/// Thrown on all ranks where one has failed: all end by themselves, with the same exit code, and
/// the first one tells the message.
class AllFailed : public std::runtime_error {
 public:
  AllFailed(const std::string& message, bool bad_input)
      : std::runtime_error(message), bad_input_(bad_input) {}
  bool bad_input() const { return bad_input_; }

 private:
  bool bad_input_;
};

/// How a rank has fared.
struct Outcome {
  enum class Kind : int { done, bad_input, failed } kind = Kind::done;
  std::string message{};
};

/// Collective: returns if all ranks are done. Else throws AllFailed with the message of the first
/// rank that has failed.
void agree(const Outcome& own);

/// Collective: each rank calls work(), which may throw. Throws AllFailed on all ranks if it throws
/// on one, so that an error is told once and no rank waits for another. With one rank, what it
/// throws is passed on. Collective functions in `work` must follow a call of meet() with nothing
/// between that may fail on some ranks only.
template <class Work>
void together(const Work& work) {
  if (world().size() == 1) {
    work();
    return;
  }
  Outcome own;
  try {
    work();
  } catch (const AllFailed&) {
    throw;  // of meet()
  } catch (const InputError& error) {
    own = {Outcome::Kind::bad_input, error.what()};
  } catch (const std::exception& error) {
    own = {Outcome::Kind::failed, error_text(error)};
  }
  agree(own);
}

/// Collective, within the work of `together`: goes on if all ranks have come so far. Else throws
/// AllFailed, and so does `together`.
inline void meet() { agree({}); }

/// Collective: calls work() on the first rank only. If it throws, all ranks throw as by
/// `together`.
template <class Work>
void on_first_rank(const Work& work) {
  together([&] {
    if (world().is_first()) work();
  });
}

/// Collective: throws as `together` if `text` is not the same on all ranks. `what` is the message
/// about a rank with another text than the first one's; the name of the rank comes before it.
void require_same_text(const std::string& text, const std::string& what);

}  // namespace knudsen
