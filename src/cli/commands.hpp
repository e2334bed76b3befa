// All subcommands, in the order in which the help lists them.
#pragma once

#include <span>

#include "cli/command.hpp"

namespace rmsnorm::cli {

std::span<const Command> commands();

// One file each in cli/commands/.
Invocation prepare_report();
Invocation prepare_verify();
Invocation prepare_site();
Invocation prepare_list();
Invocation prepare_schema();
Invocation prepare_selftest();
Invocation prepare_judge();
Invocation prepare_vectors();
Invocation prepare_predict();
Invocation prepare_exhibit();
Invocation prepare_completions();
Invocation prepare_explore();

}  // namespace rmsnorm::cli
