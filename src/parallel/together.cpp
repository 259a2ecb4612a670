#include "parallel/together.hpp"

#include <algorithm>
#include <vector>

namespace knudsen {

void agree(const Outcome& own) {
  const Communicator& ranks = world();
  if (ranks.size() == 1) return;
  const std::vector<Outcome::Kind> kinds = ranks.concatenate(std::vector{own.kind});
  const auto failed = std::find_if(kinds.begin(), kinds.end(),
                                   [](auto kind) { return kind != Outcome::Kind::done; });
  if (failed == kinds.end()) return;
  const auto from = static_cast<int>(failed - kinds.begin());
  std::string message = from == 0 ? own.message : ranks.name() + ": " + own.message;
  ranks.broadcast(message, from);
  throw AllFailed(message, *failed == Outcome::Kind::bad_input);
}

void require_same_text(const std::string& text, const std::string& what) {
  std::string of_first = text;
  world().broadcast(of_first);
  together([&] {
    if (of_first != text) throw InputError(what);
  });
}

}  // namespace knudsen
