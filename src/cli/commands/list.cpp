// rmsnorm-fixture list: the fixtures and the subcommands.
#include <algorithm>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/fixtures.hpp"
#include "cli/output.hpp"

namespace rmsnorm::cli {
namespace {

std::string line(std::string_view name, std::string_view summary) {
    std::string text = "  " + std::string(name);
    text += std::string(24 - std::min<std::size_t>(text.size(), 22), ' ');
    return text.append(summary) + "\n";
}

std::string listing() {
    std::string text = "Fixtures\n";
    for (const Fixture& fixture : fixtures()) text += line(fixture.id, fixture.summary);
    std::string_view group;
    for (const Command& command : commands()) {
        if (command.group != group) {
            group = command.group;
            text.append("\n").append(group).append("\n");
        }
        text += line(command.name, command.summary);
    }
    return text;
}

}  // namespace

Invocation prepare_list() {
    return {.options = {path_option()}, .run = [](const auto& options) {
                write_output(output_path(options), listing());
                return done;
            }};
}

}  // namespace rmsnorm::cli
