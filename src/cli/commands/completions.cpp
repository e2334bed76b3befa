// rmsnorm-fixture completions: the script by which a shell completes the command line.
#include "cli/completions.hpp"

#include "cli/choices.hpp"
#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "cli/output_options.hpp"

namespace rmsnorm::cli {
namespace {

struct Shell {
    std::string_view name;
    std::string (*script)();
};

constexpr Shell shells[] = {
    {"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const Shell& shell : shells) all.emplace_back(shell.name);
    return all;
}

const Shell& shell_named(const std::string& name) {
    for (const Shell& shell : shells) {
        if (shell.name == name) return shell;
    }
    refuse_choice("completions", name, names());
}

}  // namespace

Invocation prepare_completions() {
    Invocation invocation;
    invocation.options = {{.names = "",
                           .value_name = "SHELL",
                           .help = "one of: " + listed(names()),
                           .default_text = "",
                           .required = true,
                           .choices = names},
                          path_option()};
    invocation.run = [](const auto& options) {
        write_output(output_path(options), shell_named(*value_of(options, "SHELL")).script());
        return done;
    };
    return invocation;
}

}  // namespace rmsnorm::cli
