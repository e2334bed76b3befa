// Files that belong together, written into a folder all of them or none.
//
// A folder that is there is filled where it stands: the files are written inside of it under
// another name, and renamed once the last one is whole. When a rename fails, new files are taken
// back, but a file that was replaced before is not restored.
#pragma once

#include <string>
#include <vector>

#include "report/exhibit.hpp"

namespace rmsnorm::cli {

/// What becomes of earlier files in the way.
enum class Existing { kept, replaced };

/// A folder that holds the files and nothing else; the one around it must be there. An empty folder
/// may be there before. One that holds something is refused; with `replaced`, one that holds
/// anything but files of the same names. Throws InputError for a refusal and IoError.
void write_bundle_folder(const std::string& path, const std::vector<report::BundleFile>& files,
                         Existing existing);

/// A folder, made with those around it when it is not there, in which other files are left alone.
/// Files of the same names are refused unless they are to be replaced. Throws InputError for a
/// refusal and IoError; folders that were made are then gone.
void write_among_others(const std::string& path, const std::vector<report::BundleFile>& files,
                        Existing existing);

}  // namespace rmsnorm::cli
