#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "run/run.hpp"
#include "run/settings.hpp"

namespace knudsen {

/// Heading of a run in two lines: case, method, sizes and machine.
std::string run_heading(const ResolvedCase& resolved, Backend backend);

/// Summary of a finished run: why it stopped, times and rate, results, differences from references,
/// files and, last, warnings.
std::string run_summary(const ResolvedCase& resolved, const RunResult& result);

/// What `knudsen validate` shows of a case: parameters as given and derived, and the memory needed
/// on the backend and on the host (which may be the same).
std::string case_summary(const ResolvedCase& resolved, const BackendInfo& backend,
                         const BackendInfo& host);

/// The same as an object for other programs, with the model of the traffic and all fields and
/// monitors of the case. `info` is that of `backend`.
nlohmann::json case_json(const ResolvedCase& resolved, const BackendInfo& info, Backend backend);

}  // namespace knudsen
