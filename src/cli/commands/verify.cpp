// rmsnorm-fixture verify: golden files recomputed and compared.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/file.hpp"
#include "cli/fixtures.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "report/diff.hpp"

namespace rmsnorm::cli {
namespace {

// Far above any golden, far below what would be felt.
constexpr std::size_t largest_golden = 16U << 20;
// A golden says in its first bytes what it is.
constexpr std::size_t header_bytes = 512;

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

std::string described(std::string_view bytes) {
    if (bytes.empty()) return "an empty file";
    const bool binary = std::any_of(
        bytes.begin(),
        bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), header_bytes)),
        [](char c) { return static_cast<unsigned char>(c) == 0; });
    if (binary) return "a binary file";
    return quoted(std::string(bytes.substr(0, bytes.find('\n'))));
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

// The goldens in a folder and below it, in the order of their names.
std::vector<std::string> goldens_in(const std::string& folder) {
    std::vector<std::string> paths;
    try {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (!entry.is_regular_file()) continue;
            const std::string path = entry.path().string();
            if (named_like_golden(entry.path().filename().string()) ||
                recognized(read_start(path, header_bytes))) {
                paths.push_back(path);
            }
        }
    } catch (const std::filesystem::filesystem_error& error) {
        throw IoError(folder + ": reading failed: " + error.code().message());
    }
    if (paths.empty()) {
        throw InputError(folder +
                         ": found no golden in this folder; accepted: " + accepted_goldens());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
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

// Whether the golden is what the program computes now, or was made so.
bool verify(const std::string& path, bool update) {
    const std::string bytes = read_file(path, largest_golden);
    const auto golden = recognized(bytes);
    if (!golden) {
        throw InputError(path + ": found " + described(bytes) +
                         "; accepted: a golden of this program (" + accepted_goldens() + ")");
    }
    const std::string name = one_line(path);
    const FixtureReport computed = golden->fixture->render(golden->format);
    const bool checks_hold = exit_code_of(computed.checks) == done;
    const std::string what = std::string(golden->fixture->id) + " " + format_name(golden->format);
    const auto place = report::first_difference(bytes, computed.bytes);
    if (!place) {
        write_output("-", name + ": same (" + what + ")\n");
        return checks_hold;
    }
    if (update && checks_hold) {
        write_output(path, computed.bytes);
        write_output("-", name + ": updated (" + what + ")\n");
        return true;
    }
    write_output("-",
                 name + ": differs (" + what + ") from line " + std::to_string(place->line) +
                     ", column " + std::to_string(place->column) + " on\n" +
                     colored_diff(report::unified_diff(name, bytes, "computed", computed.bytes)));
    return false;
}

int verify_all(const Request& request) {
    std::vector<std::string> files;
    for (const std::string& path : request.paths) {
        if (request.update && path == "-") {
            throw InputError("--update: standard input cannot be rewritten; accepted: files");
        }
        std::error_code ignored;
        if (std::filesystem::is_directory(path, ignored)) {
            const auto found = goldens_in(path);
            files.insert(files.end(), found.begin(), found.end());
        } else {
            files.push_back(path);
        }
    }
    bool all_same = true;
    for (const std::string& file : files) all_same = verify(file, request.update) && all_same;
    return all_same ? done : check_failed;
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
         .accept = [request](const std::string& path) { request->paths.push_back(path); },
         .repeatable = true,
         .required = true},
        {.names = "--update",
         .value_name = "",
         .help = "rewrite what differs, unless a check fails",
         .default_text = "",
         .accept = [request](const std::string&) { request->update = true; }}};
    invocation.run = [request] { return verify_all(*request); };
    return invocation;
}

}  // namespace rmsnorm::cli
