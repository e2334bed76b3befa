// The exhibit as a manifest, its files, and text (docs/exhibit.md).
#pragma once

#include <string>
#include <vector>

#include "experiments/exhibit/exhibit.hpp"
#include "report/figures.hpp"

namespace rmsnorm::report {

/// A file of the exhibit's bundle.
struct BundleFile {
    std::string name;
    std::string bytes;
};

/// The files that the manifest lists: the graph, the model, the script that runs it, what that
/// needs, and the picture.
std::vector<BundleFile> exhibit_files(const experiments::Exhibit& evidence);

/// The manifest, which a website loads: version 1 of its own schema, in JSON.
std::string exhibit_manifest(const experiments::Exhibit& evidence);

/// The JSON Schema (draft 2020-12) of the manifest.
std::string exhibit_schema();

/// The three vectors as bars under both norms.
std::string exhibit_svg(const experiments::Exhibit& evidence);

/// Tables, every number as the shortest decimal that reads back to the same bits.
std::string exhibit_text(const experiments::Exhibit& evidence);

}  // namespace rmsnorm::report
