// The options of every command that prints evidence: which format, where to, and how much.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/option.hpp"
#include "evidence/check.hpp"
#include "report/figures.hpp"

namespace rmsnorm::cli {

enum class Format { text, trace, json, html };

std::string format_name(Format format);

/// What the help of `--output` says of the formats with these names.
std::string ending_help(const std::vector<std::string>& formats);

/// The format of that name; without one that which the ending of the output's path asks for
/// (.json, .html, .txt), and else the first. Nothing for a name of none. Throws InputError for an
/// ending that asks for another.
std::optional<Format> format_among(const std::vector<Format>& offered,
                                   const std::optional<std::string>& name, const std::string& path);

struct OutputOptions {
    Format format = Format::text;
    bool format_given = false;
    std::string path = "-";
    report::Extent extent = report::Extent::abridged;
    bool checks = false;
    bool certify = false;
};

/// Whether a command writes arrays: only then may its output be a .npy file.
enum class Arrays { none, written };

/// `--format` with the accepted formats (the first one is the default) and `-o`.
void add_output_options(std::vector<Option>& options, const std::vector<Format>& formats,
                        Arrays arrays = Arrays::none);

/// `-o,--output`.
Option path_option(Arrays arrays = Arrays::none);

/// What `-o` names; without it standard output, "-".
std::string output_path(const std::vector<Option>& options);

/// `--force`, for commands that read files.
Option force_option();

Option full_option();
Option checks_option();
Option certify_option();

/// What was asked for with these options, of which a command need not have all. `--force` holds
/// from here on.
OutputOptions requested_output(const std::vector<Option>& options);

/// Names each failed check on standard error; the ExitCode that the checks deserve.
int exit_code_of(const std::vector<evidence::Check>& checks);

}  // namespace rmsnorm::cli
