// Files that belong together, written into a folder all of them or none.
//
// A new folder is filled beside the old one, and the two are exchanged in one step. Where that
// cannot be done, the folder is filled where it stands: the files are written inside of it under
// another name, and renamed once the last one is whole. That is so for a folder in which the
// program was started, that holds folders, that is a mount point or stands in a folder that may
// not be written to, and on a system that exchanges no names or has no hard links. Then only a
// SIGKILL or a failed rename between two files can leave new and old ones together.
//
// SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU end the program with everything cleared away; what
// a SIGKILL leaves, the next call clears away.
#pragma once

#include <string>
#include <vector>

#include "report/exhibit.hpp"

namespace rmsnorm::cli {

/// What becomes of earlier files in the way.
enum class Existing { kept, replaced };

/// A folder that holds the files and nothing else; the one around it must be there. An empty folder
/// may be there before. One that holds something is refused; with `replaced`, one that holds
/// anything but files of the same names and a provenance.json, which stays. Throws InputError for a
/// refusal and IoError.
void write_bundle_folder(const std::string& path, const std::vector<report::BundleFile>& files,
                         Existing existing);

/// A folder, made with those around it when it is not there, in which other files are left alone.
/// Files of the same names are refused unless they are to be replaced. Throws InputError for a
/// refusal and IoError; folders that were made are then gone.
void write_among_others(const std::string& path, const std::vector<report::BundleFile>& files,
                        Existing existing);

}  // namespace rmsnorm::cli
