#include "cli/run.hpp"

#include <csignal>
#include <new>
#include <stdexcept>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/help.hpp"
#include "cli/manual_page.hpp"
#include "cli/output.hpp"
#include "cli/parse.hpp"
#include "cli/terminal.hpp"

namespace rmsnorm::cli {
namespace {

Color color_named(const std::string& name) {
    if (name == "auto") return Color::automatic;
    if (name == "always") return Color::always;
    if (name == "never") return Color::never;
    throw InputError("--color: found " + quoted(name) + "; accepted: auto, always, never");
}

// Takes --color out of the words, which is the one option that every subcommand has, and reads
// -help as what was meant.
std::vector<std::string> without_color(const std::vector<std::string>& words) {
    std::vector<std::string> rest;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--") {
            rest.insert(rest.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
            break;
        }
        if (words[i] == "-help") {
            rest.emplace_back("--help");
        } else if (words[i] == "--color") {
            if (i + 1 == words.size()) {
                throw InputError("--color needs a value; accepted: auto, always, never");
            }
            set_color(color_named(words[++i]));
        } else if (words[i].rfind("--color=", 0) == 0) {
            set_color(color_named(words[i].substr(8)));
        } else {
            rest.push_back(words[i]);
        }
    }
    return rest;
}

const Command& command_named(const std::string& name) {
    std::vector<std::string> names;
    for (const Command& command : commands()) {
        if (command.name == name) return command;
        names.emplace_back(command.name);
    }
    if (name.size() > 1 && name[0] == '-') {
        throw InputError(
            "unknown option " + quoted(name) +
            " before the subcommand; accepted there: --help, --version, --color, --man");
    }
    const std::string near = nearest(name, names);
    throw InputError("unknown subcommand " + quoted(name) +
                     (near.empty() ? "" : ", did you mean " + near + "?") +
                     "; accepted: " + listed(names));
}

void refuse_more_than(const std::vector<std::string>& words, std::size_t most) {
    if (words.size() > most) {
        throw InputError("unexpected argument " + quoted(words[most]) + " after " +
                         quoted(words[most - 1]));
    }
}

bool is_help(const std::string& word) { return word == "--help" || word == "-h" || word == "help"; }

int run_words(const std::vector<std::string>& words) {
    if (words.empty()) {
        throw InputError("a subcommand is missing; try: rmsnorm-fixture report, or --help");
    }
    const std::string& first = words.front();
    if (first == "--version") {
        refuse_more_than(words, 1);
        write_output("-", version_line());
        return done;
    }
    if (first == "--man") {
        refuse_more_than(words, 1);
        write_output("-", manual_page());
        return done;
    }
    const bool asks_help = is_help(first);
    if (asks_help && words.size() > 1) {
        refuse_more_than(words, words[1].starts_with('-') && !is_help(words[1]) ? 1 : 2);
    }
    if (asks_help && (words.size() == 1 || is_help(words[1]))) {
        write_output("-", general_help());
        return done;
    }
    const Command& command = command_named(asks_help ? words[1] : first);
    Invocation invocation = command.prepared();
    const std::vector<std::string> arguments(words.begin() + 1, words.end());
    const Parsed parsed =
        asks_help ? Parsed::help : parse(std::string(command.name), invocation.options, arguments);
    switch (parsed) {
        case Parsed::help: write_output("-", command_help(command, invocation.options)); break;
        case Parsed::version: write_output("-", version_line()); break;
        case Parsed::run: return invocation.run(invocation.options);
    }
    return done;
}

int refused(const std::exception& error, ExitCode code) {
    print_error(error.what());
    return code;
}

// The command line as it was given, since any of its values may be too many.
std::string without_memory(const std::vector<std::string>& words) {
    constexpr std::size_t most = 200;
    std::string line;
    for (const std::string& word : words) line.append(line.empty() ? "" : " ").append(word);
    if (line.size() > most) line = line.substr(0, most) + "...";
    return "not enough memory for the values of: " + printable(line) +
           "; accepted: fewer values than fit, as --max-elements can bound them";
}

}  // namespace

int run(const std::vector<std::string>& words) {
    // A reader that went away and a file at its size limit are failed writes, not silent ends.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        return run_words(without_color(words));
    } catch (const ReaderGone&) {
        // As quietly as the system would have ended it, and as visibly to the shell.
        std::signal(SIGPIPE, SIG_DFL);
        std::raise(SIGPIPE);
        return io_failed;
    } catch (const IoError& error) {
        return refused(error, io_failed);
    } catch (const std::runtime_error& error) {
        // An InputError, or a floor's own typed rejection of the values that it was given.
        return refused(error, bad_input);
    } catch (const std::bad_alloc&) {
        print_error(without_memory(words));
        return bad_input;
    } catch (const std::length_error&) {
        print_error(without_memory(words));
        return bad_input;
    }
}

}  // namespace rmsnorm::cli
