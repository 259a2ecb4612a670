#pragma once

#include <memory>

#include "model/method.hpp"

namespace knudsen {

/// The first rank leads: it alone runs the loop, reads the clock and writes files. The other ranks
/// hold their parts of the method and do what the leader tells them, function by function.
///
/// Returns a method whose functions first tell the other ranks to call the same function of their
/// parts, then call that of the first rank's part. With one rank it is `part` itself. Destroying it
/// ends `follow` on the other ranks; where a function throws, the ranks must be aborted
/// (Communicator::abort), as others may wait for messages.
std::unique_ptr<Method> lead(std::unique_ptr<Method> part);

/// On the other ranks: calls functions of `part` as the leader says, until it ends the run.
void follow(Method& part);

}  // namespace knudsen
