// rmsnorm-fixture verify: golden files recomputed and compared.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "cli/choices.hpp"
#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/experiment_document.hpp"
#include "cli/fixtures.hpp"
#include "cli/golden.hpp"
#include "cli/golden_folder.hpp"
#include "cli/input/byte_stream.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "report/respelling.hpp"
#include "report/verdicts.hpp"

namespace rmsnorm::cli {
namespace {

using report::Outcome;
using report::Verdict;

struct Request {
    std::vector<std::string> paths;
    std::vector<std::string> required;  // ids of fixtures
    OutputOptions output;
    bool update = false;
    bool quiet = false;
};

int exit_code(Outcome outcome) {
    switch (outcome) {
        case Outcome::same:
        case Outcome::updated: return done;
        case Outcome::refused: return bad_input;
        case Outcome::unreadable: return io_failed;
        default: return check_failed;
    }
}

// A line of a difference, in which nothing is invisible and nothing changes a terminal.
std::string shown_line(std::string_view line) {
    const std::size_t kept = std::max<std::size_t>(line.find_last_not_of(' ') + 1, 1);
    std::string text = printable(line.substr(0, kept));
    for (std::size_t i = kept; i < line.size(); ++i) text += "\\x20";
    return text;
}

std::string shown(const Verdict& verdict) {
    const bool in_color = colored(Stream::output);
    std::string text = printable(report::text(verdict)) + "\n";
    for (std::string_view rest = verdict.difference; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string line = shown_line(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const char kind = in_color && !line.empty() ? line[0] : ' ';
        switch (kind) {
            case '+': text += styled(Stream::output, Style::green, line); break;
            case '-': text += styled(Stream::output, Style::red, line); break;
            case '@': text += styled(Stream::output, Style::cyan, line); break;
            default: text += line;
        }
        text += '\n';
    }
    return text;
}

// What the golden is against what the program computes now.
void compare(Verdict& verdict, std::string_view bytes, const Golden& golden,
             const std::string& computed) {
    verdict.place = report::first_difference(bytes, computed);
    if (!verdict.place) {
        verdict.outcome = Outcome::same;
        return;
    }
    verdict.spelling = golden.spelling;
    if (golden.text == computed) {
        verdict.outcome = Outcome::respelled;
        return;
    }
    if (golden.format == Format::json) {
        if (const auto layout = report::json_respelling(golden.text, computed)) {
            verdict.outcome = Outcome::respelled;
            verdict.spelling.insert(verdict.spelling.end(), layout->begin(), layout->end());
            return;
        }
    }
    verdict.outcome = Outcome::differs;
    verdict.difference = golden.rewritten
                             ? report::json_differences(golden.text, computed)
                             : report::unified_diff(verdict.file, bytes, "computed", computed);
}

FixtureReport computed_again(const Golden& golden) {
    const Fixture& fixture = *golden.fixture;
    return golden.format == Format::json && fixture.recompute != nullptr
               ? fixture.recompute(golden.text)
               : fixture.render(golden.format, false);
}

Verdict verified(const std::string& path, const std::string& bytes, bool update) {
    const auto golden = golden_in(bytes);
    if (!golden) {
        throw InputError((path == "-" ? "standard input" : path) + ": found " + described(bytes) +
                         "; accepted: a golden of this program (" + accepted_goldens() + ")");
    }
    Verdict verdict{.file = printable(path),
                    .outcome = Outcome::same,
                    .subject = golden->subject,
                    .format = format_name(golden->format)};
    const FixtureReport computed =
        golden->fixture == nullptr ? recomputed(path, golden->text) : computed_again(*golden);
    const bool checks_hold = exit_code_of(computed.checks) == done;
    compare(verdict, bytes, *golden, computed.bytes);
    if (verdict.outcome == Outcome::same) {
        if (!checks_hold) verdict.outcome = Outcome::check_failed;
    } else if (update && checks_hold) {
        write_file(path, computed.bytes, path, Overwritten::anything);
        verdict.outcome = Outcome::updated;
        verdict.place.reset();
        verdict.spelling.clear();
        verdict.difference.clear();
    }
    return verdict;
}

// A run over many files: each has its verdict, and the most serious exit code is the run's.
class Run {
  public:
    explicit Run(const Request& request)
        : request_(request), waiting_(request.quiet ? Waiting::Shown::no : Waiting::Shown::yes) {}

    int operator()() {
        for (const std::string& path : request_.paths) {
            std::error_code ignored;
            if (std::filesystem::is_directory(path, ignored)) {
                verify_folder(path);
            } else {
                verify(path);
            }
        }
        waiting_.end();
        for (const std::string& id : request_.required) {
            if (found_.count(id) > 0) continue;
            verdicts_.missing.push_back(id);
            print_error("--require: found no golden of " + id + "; accepted: one at least");
            note(check_failed);
        }
        if (!verdicts_.passed_over.empty() && !request_.quiet) {
            print_error(passed_over_text(verdicts_.passed_over));
        }
        if (request_.output.format == Format::json) say(report::json(verdicts_));
        if (request_.output.path != "-") write_output(request_.output.path, text_);
        return verdicts_.exit_code;
    }

  private:
    void note(int code) { verdicts_.exit_code = std::max(verdicts_.exit_code, code); }

    // At once, unless it goes to a file, which is whole or not there.
    void say(const std::string& text) {
        if (request_.output.path == "-") {
            waiting_.aside([&] { write_output("-", text); });
        } else {
            text_ += text;
        }
    }

    void complain(const std::string& path, const std::string& message, Outcome outcome) {
        waiting_.aside([&] { print_error(message); });
        note(exit_code(outcome));
        verdicts_.files.push_back(
            {.file = printable(path), .outcome = outcome, .message = printable(message)});
    }

    // Complains instead of throwing, so that what comes behind has its turn.
    template <class Action>
    void attempt(const std::string& path, Action action) {
        try {
            action();
        } catch (const InputError& error) {
            complain(path, error.what(), Outcome::refused);
        } catch (const IoError& error) {
            complain(path, error.what(), Outcome::unreadable);
        }
    }

    void verify_folder(const std::string& folder) {
        const GoldenFolder found = goldens_in(folder);
        for (const FolderFault& fault : found.faults) {
            complain(fault.path, fault.message,
                     fault.unreadable ? Outcome::unreadable : Outcome::refused);
        }
        for (const std::string& path : found.goldens) verify(path);
        verdicts_.passed_over.insert(verdicts_.passed_over.end(), found.passed_over.begin(),
                                     found.passed_over.end());
    }

    void verify(const std::string& path) {
        std::optional<Verdict> verdict;
        attempt(path, [&] {
            const std::string bytes =
                waiting_.aside([&] { return read_file(path, largest_golden); });
            verdict = verified(path, bytes, request_.update);
        });
        if (!verdict) return;
        found_.insert(verdict->subject);
        note(exit_code(verdict->outcome));
        const bool silent = request_.quiet && exit_code(verdict->outcome) == done;
        if (request_.output.format == Format::text && !silent) say(shown(*verdict));
        verdicts_.files.push_back(std::move(*verdict));
    }

    const Request& request_;
    Waiting waiting_;
    report::Verdicts verdicts_;
    std::set<std::string> found_;
    std::string text_;
};

// "all" stands for every fixture.
std::vector<std::string> requirable() {
    std::vector<std::string> accepted = fixture_ids();
    accepted.insert(accepted.begin(), "all");
    return accepted;
}

std::vector<std::string> required(const std::string& id) {
    std::vector<std::string> ids = fixture_ids();
    if (id == "all") return ids;
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) return {id};
    refuse_choice("--require", id, requirable());
}

Request requested(const std::vector<Option>& options) {
    Request request;
    require_one_reader(options, {"FILE"});
    request.paths = values_of(options, "FILE");
    for (const std::string& path : request.paths) {
        if (path.empty()) throw InputError("FILE: found \"\"; accepted: a golden, or a folder");
    }
    for (const std::string& id : values_of(options, "--require")) {
        for (std::string& one : required(id)) request.required.push_back(std::move(one));
    }
    request.output = requested_output(options);
    request.update = given(options, "--update");
    request.quiet = given(options, "--quiet");
    return request;
}

int run(const std::vector<Option>& options) {
    const Request request = requested(options);
    if (request.update &&
        std::find(request.paths.begin(), request.paths.end(), "-") != request.paths.end()) {
        throw InputError("--update: standard input cannot be rewritten; accepted: files");
    }
    return Run(request)();
}

}  // namespace

Invocation prepare_verify() {
    Invocation invocation;
    invocation.options = {
        {.names = "",
         .value_name = "FILE",
         .help = "a golden, the document of an experiment, or a folder with any of them",
         .default_text = "",
         .repeatable = true,
         .required = true},
        {.names = "--update",
         .value_name = "",
         .help = "rewrite what differs, unless a check fails",
         .default_text = ""},
        {.names = "--require",
         .value_name = "FIXTURE",
         .help = "fail if this fixture has no golden; all means every fixture",
         .default_text = "",
         .repeatable = true,
         .choices = requirable},
        {.names = "--quiet", .value_name = "", .help = "print failures only", .default_text = ""}};
    add_output_options(invocation.options, {Format::text, Format::json});
    invocation.options.push_back(force_option());
    invocation.run = run;
    return invocation;
}

}  // namespace rmsnorm::cli
