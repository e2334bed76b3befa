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
Invocation prepare_stats();
Invocation prepare_layer_norm();
Invocation prepare_rms_norm();
Invocation prepare_depth();
Invocation prepare_layer_norm_backward();
Invocation prepare_constant();
Invocation prepare_rms_norm_backward();
Invocation prepare_dense_stack();
Invocation prepare_cost();
Invocation prepare_closed_form();
Invocation prepare_exhibit();

}  // namespace rmsnorm::cli
