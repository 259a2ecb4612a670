#pragma once

#include <string>

#include "run/run.hpp"
#include "run/settings.hpp"

namespace knudsen {

/// What is run, in two lines, for the top of the screen.
std::string run_heading(const ResolvedCase& resolved, Backend backend);

/// What came of a run, for the screen: why it stopped, times and rate, results, differences to
/// references, files; last what is wrong with the results.
std::string run_summary(const ResolvedCase& resolved, const RunResult& result);

/// What `knudsen validate` shows of a case: parameters as given and derived, and the memory needed.
std::string case_summary(const ResolvedCase& resolved, const BackendInfo& backend);

}  // namespace knudsen
