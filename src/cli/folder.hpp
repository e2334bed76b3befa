// A folder of files that is whole or not there.
#pragma once

#include <string>
#include <vector>

#include "report/exhibit.hpp"

namespace rmsnorm::cli {

/// What becomes of an earlier bundle in the folder's place.
enum class Existing { kept, replaced };

/// Writes the files into a folder beside `path` and renames that to `path`. An empty folder may be
/// there before. One that holds something is refused, or replaced as a whole, and then only when it
/// holds nothing but files of the same names. Throws InputError for a refusal and IoError; `path`
/// is then as it was.
void write_folder(const std::string& path, const std::vector<report::BundleFile>& files,
                  Existing existing);

}  // namespace rmsnorm::cli
