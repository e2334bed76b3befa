// rmsnorm-fixture completions: the script by which a shell completes the command line.
#include "cli/completions.hpp"

#include <memory>

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
    throw InputError("completions: found " + quoted(name) + "; accepted: " + listed(names()));
}

}  // namespace

Invocation prepare_completions() {
    const auto path = std::make_shared<std::string>("-");
    const auto chosen = std::make_shared<const Shell*>(nullptr);
    Invocation invocation;
    invocation.options = {
        {.names = "",
         .value_name = "SHELL",
         .help = "one of: " + listed(names()),
         .default_text = "",
         .accept = [chosen](const std::string& name) { *chosen = &shell_named(name); },
         .required = true,
         .choices = names},
        path_option(*path)};
    invocation.run = [path, chosen](const auto&) {
        write_output(*path, (*chosen)->script());
        return done;
    };
    return invocation;
}

}  // namespace rmsnorm::cli
