// rmsnorm-fixture verify: golden files recomputed and compared.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/fixtures.hpp"
#include "cli/input/byte_stream.hpp"
#include "cli/output.hpp"
#include "cli/parse.hpp"
#include "cli/terminal.hpp"
#include "report/diff.hpp"

namespace rmsnorm::cli {
namespace {

// Far above any golden, far below what would be felt.
constexpr std::size_t largest_golden = 16U << 20;
// A golden says in its first bytes what it is.
constexpr std::size_t header_bytes = 512;
// Damage may have put something before them, such as one side of a conflict.
constexpr std::size_t damaged_header_bytes = 4096;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

struct Request {
    std::vector<std::string> paths;
    bool update = false;
};

struct Golden {
    const Fixture* fixture;
    Format format;
};

std::string accepted_goldens() {
    std::vector<std::string> names;
    for (const Fixture& fixture : fixtures()) {
        for (const Format format : formats(fixture)) {
            names.push_back(std::string(fixture.id) + " " + format_name(format));
        }
    }
    return listed(names);
}

std::optional<Golden> recognized(std::string_view bytes) {
    const std::string_view header = bytes.substr(0, header_bytes);
    for (const Fixture& fixture : fixtures()) {
        for (const Rendering& rendering : fixture.renderings) {
            if (header.substr(0, rendering.start.size()) == rendering.start &&
                header.find(rendering.mark) != std::string_view::npos) {
                return Golden{&fixture, rendering.format};
            }
        }
    }
    return std::nullopt;
}

// What a tool on the way may have put into a golden: a byte-order mark, carriage returns, the NUL
// bytes of UTF-16.
std::string without_additions(std::string_view bytes) {
    if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
    std::string rest;
    for (const char c : bytes) {
        if (c != '\r' && c != '\0') rest += c;
    }
    return rest;
}

// Whether the bytes were a golden once: they hold what marks one, or nearly its first line.
bool resembles_golden(std::string_view bytes) {
    const std::string header = without_additions(bytes.substr(0, damaged_header_bytes));
    std::vector<std::string> first_lines;
    for (const Fixture& fixture : fixtures()) {
        for (const Rendering& rendering : fixture.renderings) {
            const bool line_alone = rendering.mark.empty();
            if (header.find(line_alone ? rendering.start : rendering.mark) != std::string::npos) {
                return true;
            }
            if (line_alone) first_lines.emplace_back(rendering.start);
        }
    }
    return !nearest(header.substr(0, header.find('\n') + 1), first_lines).empty();
}

// The document that an experiment's JSON holds, for messages; empty for other bytes.
std::string experiment_in(std::string_view bytes) {
    constexpr std::string_view key = "\"experiment\": \"";
    const std::string_view header = bytes.substr(0, header_bytes);
    const std::size_t at = header.find(key);
    if (!header.starts_with('{') || at == std::string_view::npos) return "";
    const std::size_t start = at + key.size();
    return std::string(header.substr(start, header.find('"', start) - start));
}

std::string described(std::string_view bytes) {
    if (bytes.empty()) return "an empty file";
    const std::string_view header = bytes.substr(0, header_bytes);
    if (header.find('\0') != std::string_view::npos) return "a binary file";
    if (const std::string name = experiment_in(bytes); !name.empty()) {
        return "the document of the experiment " + quoted(name);
    }
    const std::string line = quoted(bytes.substr(0, bytes.find('\n')));
    if (!resembles_golden(bytes)) return line;
    if (bytes.starts_with(byte_order_mark)) {
        return "a golden behind a byte-order mark, which starts with " + line;
    }
    if (header.find("<<<<<<< ") != std::string_view::npos) {
        return "a golden with a conflict marker, which starts with " + line;
    }
    if (header.find("\r\n") != std::string_view::npos) {
        return "a golden with carriage returns, which starts with " + line;
    }
    return "a damaged golden, which starts with " + line;
}

// Whether a golden is expected under this file's name: a damaged one is not recognized, and must
// not be passed over.
bool named_like_golden(const std::string& name) {
    for (const Fixture& fixture : fixtures()) {
        for (const Rendering& rendering : fixture.renderings) {
            if (rendering.golden_name == name) return true;
        }
    }
    return false;
}

// A run over many files: each is reported, and the most serious exit code is the run's.
struct Run {
    int code = done;
    std::size_t passed_over = 0;

    void note(int other) { code = std::max(code, other); }
    void complain(const std::exception& error, ExitCode other) {
        print_error(error.what());
        note(other);
    }
};

// The files in a folder and below it, in the order of their names. A folder that cannot be read is
// complained of, and the others are gone through.
std::vector<std::string> files_below(const std::string& folder, Run& run) {
    namespace fs = std::filesystem;
    std::vector<std::string> paths;
    std::vector<std::string> folders{folder};
    while (!folders.empty()) {
        const std::string at = std::move(folders.back());
        folders.pop_back();
        std::error_code error;
        for (fs::directory_iterator entry(at, error); !error && entry != fs::directory_iterator();
             entry.increment(error)) {
            std::error_code ignored;  // of a file that is gone, or a link to nowhere
            if (entry->is_regular_file(ignored)) paths.push_back(entry->path().string());
            // A link to a folder may lead back up.
            if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
                folders.push_back(entry->path().string());
            }
        }
        if (error) run.complain(IoError(at + ": reading failed: " + error.message()), io_failed);
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

// The files to verify in a folder and below it.
std::vector<std::string> goldens_in(const std::string& folder, Run& run) {
    std::vector<std::string> goldens;
    std::size_t unread = 0;
    const std::vector<std::string> paths = files_below(folder, run);
    for (const std::string& path : paths) {
        try {
            if (named_like_golden(std::filesystem::path(path).filename().string())) {
                goldens.push_back(path);
                continue;
            }
            const std::string start = read_start(path, damaged_header_bytes);
            if (recognized(start) || resembles_golden(start)) goldens.push_back(path);
        } catch (const IoError& error) {
            ++unread;
            run.complain(error, io_failed);
        }
    }
    if (goldens.empty() && unread == 0) {
        throw InputError(folder +
                         ": found no golden in this folder; accepted: " + accepted_goldens());
    }
    run.passed_over += paths.size() - goldens.size() - unread;
    return goldens;
}

std::string colored_diff(std::string diff) {
    if (!colored(Stream::output)) return diff;
    std::string text;
    for (std::size_t start = 0; start < diff.size();) {
        const std::size_t end = std::min(diff.find('\n', start), diff.size() - 1);
        const std::string line = diff.substr(start, end - start);
        start = end + 1;
        const bool added = line.rfind('+', 0) == 0;
        const bool removed = line.rfind('-', 0) == 0;
        if (added || removed) {
            text += styled(Stream::output, added ? Style::green : Style::red, line) + "\n";
        } else {
            text += (line.rfind("@@", 0) == 0 ? styled(Stream::output, Style::cyan, line) : line) +
                    "\n";
        }
    }
    return text;
}

struct Outcome {
    std::string text;
    int code = done;
};

// What the golden is against what the program computes now; `update` makes it that.
Outcome verify(const std::string& path, bool update) {
    const std::string bytes = read_file(path, largest_golden);
    const auto golden = recognized(bytes);
    const std::string name = printable(path);
    if (!golden) {
        throw InputError((path == "-" ? "standard input" : path) + ": found " + described(bytes) +
                         "; accepted: a golden of this program (" + accepted_goldens() + ")");
    }
    const FixtureReport computed = golden->fixture->render(golden->format);
    const bool checks_hold = exit_code_of(computed.checks) == done;
    const std::string what = std::string(golden->fixture->id) + " " + format_name(golden->format);
    const auto place = report::first_difference(bytes, computed.bytes);
    if (!place) return {name + ": same (" + what + ")\n", checks_hold ? done : check_failed};
    if (update && checks_hold) {
        write_file(path, computed.bytes, path);
        return {name + ": updated (" + what + ")\n", done};
    }
    return {name + ": differs (" + what + ") from line " + std::to_string(place->line) +
                ", column " + std::to_string(place->column) + " on\n" +
                colored_diff(report::unified_diff(name, bytes, "computed", computed.bytes)),
            check_failed};
}

// Complains instead of throwing, so that the files behind this one have their turn.
template <class Action>
void attempt(Run& run, Action action) {
    try {
        action();
    } catch (const InputError& error) {
        run.complain(error, bad_input);
    } catch (const IoError& error) {
        run.complain(error, io_failed);
    }
}

int verify_all(const Request& request) {
    if (request.update &&
        std::find(request.paths.begin(), request.paths.end(), "-") != request.paths.end()) {
        throw InputError("--update: standard input cannot be rewritten; accepted: files");
    }
    Run run;
    std::vector<std::string> files;
    for (const std::string& path : request.paths) {
        std::error_code ignored;
        if (!std::filesystem::is_directory(path, ignored)) {
            files.push_back(path);
            continue;
        }
        attempt(run, [&] {
            const auto found = goldens_in(path, run);
            files.insert(files.end(), found.begin(), found.end());
        });
    }
    for (const std::string& file : files) {
        Outcome outcome;
        attempt(run, [&] {
            outcome = verify(file, request.update);
            run.note(outcome.code);
        });
        // Outside: when standard output is gone, there is no use in going on.
        write_output("-", outcome.text);
    }
    if (run.passed_over > 0) {
        print_error(
            "passed over " + std::to_string(run.passed_over) +
            (run.passed_over == 1 ? " file that is no golden" : " files that are no goldens"));
    }
    return run.code;
}

}  // namespace

Invocation prepare_verify() {
    const auto request = std::make_shared<Request>();
    Invocation invocation;
    invocation.options = {
        {.names = "",
         .value_name = "FILE",
         .help = "a golden, or a folder: all goldens in it",
         .default_text = "",
         .accept =
             [request](const std::string& path) {
                 if (path.empty()) {
                     throw InputError("FILE: found \"\"; accepted: a golden, or a folder");
                 }
                 request->paths.push_back(path);
             },
         .repeatable = true,
         .required = true},
        {.names = "--update",
         .value_name = "",
         .help = "rewrite what differs, unless a check fails",
         .default_text = "",
         .accept = [request](const std::string&) { request->update = true; }}};
    invocation.run = [request](const auto&) { return verify_all(*request); };
    return invocation;
}

}  // namespace rmsnorm::cli
