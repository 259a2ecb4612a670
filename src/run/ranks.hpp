#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/method.hpp"
#include "run/shared_field.hpp"

namespace knudsen {

/// The first rank leads: it alone runs the loop, reads the clock and writes files. The other ranks
/// hold their parts of the method and do what the leader tells them, function by function.
///
/// Returns a method whose functions first tell the other ranks to call the same function of their
/// parts, then call that of the first rank's part. With one rank it is `part` itself. Destroying it
/// ends `follow` on the other ranks; where a function throws, the ranks must be aborted
/// (Communicator::abort), as others may wait for messages.
std::unique_ptr<Method> lead(std::unique_ptr<Method> part);

/// On the first rank: a field of a method that `lead` returned, which must not be used before this
/// is destroyed.
std::unique_ptr<SharedField> read_field(Method& method, const std::string& name,
                                        const Problem& problem);
/// The same of rows of averages as the components of a field.
std::unique_ptr<SharedField> read_averages(Method& method, const std::vector<std::size_t>& rows,
                                           const Quantity& quantity, const Problem& problem);

/// Rows of averages as an array of a checkpoint.
struct AveragesArray {
  std::string key;           ///< its name
  std::size_t first, count;  ///< rows
};
/// On the first rank: writes rows of averages of all ranks, if there are any.
void save_averages(Method& method, CheckpointWriter& checkpoint, const AveragesArray& array,
                   const Problem& problem);

/// How a rank spent the time of the steps, in seconds.
struct RankTimes {
  double seconds = 0;   ///< in all
  double kernels = 0;   ///< in kernels: their calls times the mean of the timed ones
  double exchange = 0;  ///< waiting for messages within steps
  double barrier = 0;   ///< waiting for other ranks at the end of batches of steps
  std::int64_t bytes = 0, messages = 0;  ///< sent
};

/// Whether what a method times as a kernel is its exchange, by the name.
bool is_exchange(const std::string& kernel);

/// On the first rank: the times of all ranks, by a method that `lead` returned; empty with one
/// rank.
std::vector<RankTimes> rank_times(Method& method);

/// Collective: the sum of the copy bandwidths of all ranks, measured at the same time; on ranks
/// other than the first one 0.
double copy_bandwidth_of_all(Backend backend);
/// The same while the others follow.
double copy_bandwidth_after(Backend backend);

/// On the other ranks: calls functions of `part` as the leader says, until it ends the run. `given`
/// are the fields with which the leader may initialise.
void follow(Method& part, GivenFields given, const Problem& problem);

}  // namespace knudsen
