// The goldens in a folder and below it.
#pragma once

#include <string>
#include <vector>

namespace rmsnorm::cli {

/// What keeps a folder, or a file that is expected to be a golden, from being looked into.
struct FolderFault {
    std::string path;
    std::string message;
    bool unreadable;  // else it is bad input
};

struct GoldenFolder {
    std::vector<std::string> goldens;      // sorted, as are the others
    std::vector<std::string> passed_over;  // what is no golden and never was one
    std::vector<FolderFault> faults;
};

/// Links to folders are not followed; the program's own temporary files are not there. A folder
/// without a golden is a fault.
GoldenFolder goldens_in(const std::string& folder);

/// "passed over 2 files that are not goldens: a/notes.md, b.md".
std::string passed_over_text(const std::vector<std::string>& paths);

}  // namespace rmsnorm::cli
