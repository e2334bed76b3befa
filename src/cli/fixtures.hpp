// The fixtures that the program computes: reports of them are goldens.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output_options.hpp"
#include "report/document.hpp"

namespace rmsnorm::cli {

/// A report in one format, and how a file is recognised to be one: it starts with `start`, and
/// `mark` stands in its first bytes.
struct Rendering {
    Format format;
    std::string_view start;
    std::string_view mark;
    std::string_view golden_name;  // its file in fixtures/<fixture id>/
};

struct FixtureReport {
    std::string bytes;
    std::vector<evidence::Check> checks;
    std::optional<evidence::Certification> certification = {};  // where it was asked for
};

struct Fixture {
    std::string_view id;
    std::string_view summary;
    std::string_view page_title;        // empty where there is no page
    std::vector<Rendering> renderings;  // the first one is the default
    /// With `certify` the same and what the digits are worth, with the check of that.
    std::function<FixtureReport(Format format, bool certify)> render;
    report::Document (*document)();
    // Null where the JSON holds nothing that is not computed; else the JSON around what this one
    // holds of it.
    FixtureReport (*recompute)(std::string_view golden) = nullptr;
};

const std::vector<Fixture>& fixtures();

std::vector<std::string> fixture_ids();

/// The sets of test vectors, one for each number format and direction: goldens as well, but no
/// reports.
const std::vector<Fixture>& vector_fixtures();

/// Throws InputError, which names the known ones.
const Fixture& fixture(const std::string& id);

std::vector<Format> formats(const Fixture& fixture);

}  // namespace rmsnorm::cli
