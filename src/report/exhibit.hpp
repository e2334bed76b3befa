// The exhibit as a manifest, its files, and text (docs/exhibit.md).
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/exhibit/exhibit.hpp"
#include "report/figures.hpp"

namespace rmsnorm::report {

/// What the manifest and the page say of the exhibit.
namespace exhibit_words {
inline constexpr std::string_view title = "The length, not the mean";
inline constexpr std::string_view question =
    "Which part of a token vector does each norm throw away?";
inline constexpr std::string_view description =
    "Eight features go through LayerNorm and through RMSNorm: as they are, with 5 added to each, "
    "and ten times as large. What the outputs keep shows what each norm ignores.";
inline constexpr std::string_view limitations =
    "It compares two formulas on one vector. Where in a network a norm stands, how training goes "
    "and how fast it runs are other questions. The recorded vectors are binary64, the seeded "
    "forward is binary32.";
inline constexpr std::string_view opening_step = "rms";
}  // namespace exhibit_words

/// A file of the exhibit's bundle.
struct BundleFile {
    std::string name;
    std::string bytes;
};

/// The files that the manifest lists: the graph, the model, the script that runs it, what that
/// needs, and the picture.
std::vector<BundleFile> exhibit_files(const experiments::Exhibit& evidence);

/// Where the bundle's run.py notes what ran.
inline constexpr std::string_view provenance_name = "provenance.json";

/// A run of the bundle's model in PyTorch, as its run.py notes it.
struct CapturedRun {
    std::string captured_at;
    std::string python;
    std::string torch;
};

class CapturedRunError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The run that a provenance.json notes. Throws CapturedRunError when it is none, or one of another
/// model.py; its message is "found …; accepted: …".
CapturedRun captured_run(std::string_view json_text);

/// The run that a manifest names; nothing where it names none.
std::optional<CapturedRun> captured_run_in(std::string_view manifest);

/// The manifest, which a website loads: version 1 of its own schema, in JSON. Without a captured
/// run its keys name what did run: this program.
std::string exhibit_manifest(const experiments::Exhibit& evidence,
                             const std::optional<CapturedRun>& captured = std::nullopt);

/// The JSON Schema (draft 2020-12) of the manifest.
std::string exhibit_schema();

/// The three vectors as bars under both norms.
std::string exhibit_svg(const experiments::Exhibit& evidence);

/// Tables, every number as the shortest decimal that reads back to the same bits.
std::string exhibit_text(const experiments::Exhibit& evidence);

}  // namespace rmsnorm::report
