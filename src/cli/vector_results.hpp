// Results of somebody's program on test vectors, from a JSON file or a folder of .npy files.
#pragma once

#include <string>
#include <vector>

#include "cli/input/json.hpp"
#include "judge/vectors/check.hpp"

namespace rmsnorm::cli {

/// A file of results, read and not yet compared with its set.
struct VectorResults {
    judge::NumberFormat format;
    judge::vectors::Direction direction;
    JsonNode items;  // an array
};

std::vector<std::string> direction_names();

/// Throws InputError for another word.
judge::vectors::Direction direction_of(const std::string& origin, const std::string& text);

/// Reads
///
///     {"dtype": "f32", "direction": "forward",
///      "results": [{"id": 1, "output": ["3f800000", …]}, …]}
///
/// Throws InputError for anything else, and IoError.
VectorResults read_vector_results(const std::string& path);

/// The results on the set. Throws InputError where they are none of its tests or of another size.
std::vector<judge::vectors::Result> results_on(const judge::vectors::VectorSet& set,
                                               const VectorResults& read);

/// The files 1.npy, 2.npy, … of a folder, or backward 1.input_gradient.npy and
/// 1.gain_gradient.npy; a test without one has no result. Throws InputError and IoError.
std::vector<judge::vectors::Result> read_vector_folder(const std::string& folder,
                                                       const judge::vectors::VectorSet& set);

}  // namespace rmsnorm::cli
