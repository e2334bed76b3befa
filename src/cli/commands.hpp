// All subcommands, in the order in which the help lists them.
#pragma once

#include <vector>

#include "cli/command.hpp"

namespace rmsnorm::cli {

const std::vector<Command>& commands();

// One file each in cli/commands/.
Invocation prepare_report();
Invocation prepare_verify();
Invocation prepare_list();
Invocation prepare_schema();
Invocation prepare_selftest();
Invocation prepare_forward();
Invocation prepare_backward();
Invocation prepare_scale();
Invocation prepare_sweep();
Invocation prepare_zero();
Invocation prepare_batch();
Invocation prepare_history();
Invocation prepare_boundaries();
Invocation prepare_gradcheck();
Invocation prepare_parameters();
Invocation prepare_replay();
Invocation prepare_exhibit();
Invocation prepare_compare();

}  // namespace rmsnorm::cli
