#pragma once

#include <exception>
#include <string>

#include "core/error.hpp"
#include "parallel/communicator.hpp"

namespace knudsen {

/// What ranks other than the first throw where any rank has failed and the first one says so. They
/// end with the same exit code and say nothing.
class FailedElsewhere : public std::exception {
 public:
  explicit FailedElsewhere(bool bad_input) : bad_input_(bad_input) {}
  bool bad_input() const { return bad_input_; }
  const char* what() const noexcept override { return "another rank has failed"; }

 private:
  bool bad_input_;
};

/// How a rank has fared.
struct Outcome {
  enum class Kind : int { done, bad_input, failed } kind = Kind::done;
  std::string message{};
};

/// Collective: returns if all ranks are done. Else the first rank throws InputError or RunError
/// with the message of the first rank that has failed, and the others throw FailedElsewhere.
void agree(const Outcome& own);

/// Collective: each rank calls work(), which may throw and must not be collective itself. Throws on
/// all ranks if it throws on one, so that an error is told once and no rank waits for another. With
/// one rank, what it throws is passed on.
template <class Work>
void together(const Work& work) {
  if (world().size() == 1) {
    work();
    return;
  }
  Outcome own;
  try {
    work();
  } catch (const InputError& error) {
    own = {Outcome::Kind::bad_input, error.what()};
  } catch (const std::exception& error) {
    own = {Outcome::Kind::failed, error_text(error)};
  }
  agree(own);
}

/// Collective: calls work() on the first rank only. If it throws, all ranks throw as by
/// `together`.
template <class Work>
void on_first_rank(const Work& work) {
  together([&] {
    if (world().is_first()) work();
  });
}

/// Collective: throws as `together` if `text` is not the same on all ranks. `what` begins the
/// message: "case.json: rank 1 on node2 <what>".
void require_same_text(const std::string& text, const std::string& what);

}  // namespace knudsen
