// rmsnorm-fixture vectors: test vectors for implementers, and what results on them tell.
#include "report/vectors.hpp"

#include <filesystem>
#include <optional>

#include "cli/choices.hpp"
#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/folder.hpp"
#include "cli/output.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "cli/vector_results.hpp"
#include "report/vectors_text.hpp"

namespace rmsnorm::cli {
namespace {

using judge::vectors::Direction;
using judge::vectors::VectorSet;

struct Request {
    std::optional<std::string> folder;
    std::optional<judge::NumberFormat> format;
    std::optional<Direction> direction;
    std::optional<std::string> results;  // a file or a folder
    bool force = false;
    std::string output = "-";
};

// The set that the options name; without them the one of binary32, forward.
VectorSet set_of(const Request& request) {
    return judge::vectors::vector_set(request.format.value_or(judge::NumberFormat::binary32),
                                      request.direction.value_or(Direction::forward));
}

int write_folder(const Request& request) {
    Waiting waiting;
    std::vector<report::BundleFile> files;
    for (const judge::NumberFormat format : numeric::number_formats) {
        if (request.format && *request.format != format) continue;
        for (const Direction direction : judge::vectors::directions) {
            if (request.direction && *request.direction != direction) continue;
            files.push_back({report::vectors_file_name(format, direction),
                             report::json(judge::vectors::vector_set(format, direction))});
        }
    }
    waiting.end();
    write_among_others(*request.folder, files, request.force ? Existing::replaced : Existing::kept);
    return done;
}

int check_results(Request request) {
    const std::string& path = *request.results;
    std::error_code ignored;
    std::optional<VectorResults> file;
    if (!std::filesystem::is_directory(path, ignored)) {
        file = read_vector_results(path);
        const bool other = (request.format && *request.format != file->format) ||
                           (request.direction && *request.direction != file->direction);
        if (other) {
            throw InputError(path + ": found results of " +
                             report::vectors_name(file->format, file->direction) +
                             "; accepted: those that --dtype and --direction ask for");
        }
        request.format = file->format;
        request.direction = file->direction;
    }
    Waiting waiting;
    const VectorSet set = set_of(request);
    const auto results = file ? results_on(set, *file) : read_vector_folder(path, set);
    const judge::vectors::Checked checked = judge::vectors::check(set, results);
    waiting.end();
    write_output(request.output, report::text(checked, set));
    return checked.failed == 0 ? done : check_failed;
}

std::optional<std::string> name_in(const std::vector<Option>& options, const std::string& option) {
    std::optional<std::string> name = value_of(options, option);
    if (name && name->empty()) throw InputError(option + ": found \"\"; accepted: a name");
    return name;
}

Request requested(const std::vector<Option>& options) {
    Request request;
    request.folder = name_in(options, "DIR");
    request.results = name_in(options, "--check");
    if (const auto name = value_of(options, "--dtype")) {
        request.format = dtype_named("--dtype", *name);
    }
    if (const auto name = value_of(options, "--direction")) {
        request.direction = direction_of("--direction", *name);
    }
    request.force = given(options, "--force");
    request.output = output_path(options);
    if (request.folder && (request.results || given(options, "--output"))) {
        throw InputError(std::string("vectors: found DIR and ") +
                         (request.results ? "--check" : "--output") + "; accepted: one of them");
    }
    if (request.force && !request.folder) {
        throw InputError(
            "--force: found no DIR; accepted: with the folder whose files it replaces");
    }
    return request;
}

int run(const std::vector<Option>& options) {
    const Request request = requested(options);
    if (request.results) return check_results(request);
    if (request.folder) return write_folder(request);
    Waiting waiting;
    const std::string bytes = report::json(set_of(request));
    waiting.end();
    write_output(request.output, bytes);
    return done;
}

}  // namespace

Invocation prepare_vectors() {
    Invocation invocation;
    invocation.options = {
        {.names = "",
         .value_name = "DIR",
         .help =
             "a folder, created if missing, for a file of each format and direction, or of those "
             "that the options below choose; all files are written, or none",
         .default_text = ""},
        {.names = "--dtype",
         .value_name = "FORMAT",
         .help = "f64, f32, f16 or bf16; without it f32, or all of them into a folder",
         .default_text = "",
         .choices = dtype_names},
        {.names = "--direction",
         .value_name = "DIRECTION",
         .help = "forward: outputs; backward: both gradients; without it forward, or both into a "
                 "folder",
         .default_text = "",
         .choices = direction_names},
        {.names = "--check",
         .value_name = "RESULTS",
         .help = "check a program's results, a JSON file or a folder of .npy files: name the tests "
                 "that fail, and the mistake that explains them",
         .default_text = ""},
        {.names = "--force",
         .value_name = "",
         .help = "replace earlier files in the folder; other files are left alone",
         .default_text = ""},
        path_option()};
    invocation.run = run;
    return invocation;
}

}  // namespace rmsnorm::cli
