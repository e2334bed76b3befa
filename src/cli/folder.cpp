#include "cli/folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/error.hpp"
#include "cli/output.hpp"

namespace rmsnorm::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& name, const std::string& action, int error) {
    throw IoError(name + ": " + action + " failed: " + std::strerror(error));
}

// Links resolved, without a slash at the end, so that a sibling's name can be made from it.
std::string resolved(const std::string& path) {
    std::error_code error;
    fs::path real = fs::weakly_canonical(path, error);
    if (error) fail(path, "finding the folder", error.value());
    if (!real.has_filename()) real = real.parent_path();
    return real.string();
}

bool exists(const std::string& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) == 0) return true;
    if (errno != ENOENT) fail(path, "finding the folder", errno);
    return false;
}

std::vector<std::string> entries(const std::string& path) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator at(path, error); !error && at != fs::directory_iterator();
         at.increment(error)) {
        names.push_back(at->path().filename().string());
    }
    if (error) fail(path, "reading the folder", error.value());
    std::sort(names.begin(), names.end());
    return names;
}

void refuse_other_contents(const std::string& path, const std::vector<std::string>& found,
                           const std::vector<report::BundleFile>& files, Existing existing) {
    if (found.empty()) return;
    if (existing == Existing::kept) {
        throw InputError("--bundle: found the folder " + quoted(path) + ", which holds " +
                         quoted(found.front()) +
                         "; accepted: an empty folder or none, or with --force a bundle");
    }
    for (const std::string& name : found) {
        const bool known = std::any_of(files.begin(), files.end(), [&](const auto& file) {
            return file.name == name && !fs::is_directory(fs::path(path) / name);
        });
        if (!known) {
            throw InputError("--force: found " + quoted(name) + " in the folder " + quoted(path) +
                             ", which is no file of a bundle; accepted: a folder that holds a "
                             "bundle and nothing else");
        }
    }
}

// A folder under a name of its own, removed with all that is in it unless it was given away.
class TemporaryFolder {
  public:
    TemporaryFolder(const std::string& start, const std::string& name) : path_(start + ".XXXXXX") {
        if (::mkdtemp(path_.data()) == nullptr) {
            const int error = errno;
            path_.clear();
            fail(name, "making a folder for its files", error);
        }
        const mode_t mask = ::umask(0);
        ::umask(mask);
        ::chmod(path_.c_str(), 0777 & ~mask);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::string& path() const { return path_; }
    void give_away() { path_.clear(); }

  private:
    std::string path_;
};

// Messages call the folder `name`.
void write_all_files(const std::string& folder, const std::vector<report::BundleFile>& files,
                     const std::string& name) {
    for (const report::BundleFile& file : files) {
        write_file(folder + "/" + file.name, file.bytes, name + "/" + file.name);
    }
}

// The folder itself stays: a shell may stand in it, and a mount point cannot be renamed over. The
// files are all written before the first takes its place.
void fill(const std::string& target, const std::vector<report::BundleFile>& files,
          const std::string& name) {
    const TemporaryFolder made(target + "/.rmsnorm-fixture", name);
    write_all_files(made.path(), files, name);
    std::vector<std::string> placed;
    for (const report::BundleFile& file : files) {
        const std::string place = target + "/" + file.name;
        const bool is_new = !exists(place);
        if (::rename((made.path() + "/" + file.name).c_str(), place.c_str()) != 0) {
            const int error = errno;
            for (const std::string& earlier : placed) ::unlink(earlier.c_str());
            fail(name + "/" + file.name, "renaming into", error);
        }
        if (is_new) placed.push_back(place);
    }
}

// The parts of `path` that are not there, outermost first.
std::vector<std::string> missing_folders(const std::string& path) {
    std::vector<std::string> missing;
    for (fs::path part = path; !part.empty() && !exists(part.string()); part = part.parent_path()) {
        missing.insert(missing.begin(), part.string());
    }
    return missing;
}

void make_folders(const std::vector<std::string>& folders, const std::string& name) {
    for (const std::string& folder : folders) {
        if (::mkdir(folder.c_str(), 0777) != 0) fail(name, "making the folder", errno);
    }
}

// Those that are empty.
void remove_folders(const std::vector<std::string>& folders) {
    for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
        ::rmdir(folder->c_str());
    }
}

}  // namespace

void write_bundle_folder(const std::string& path, const std::vector<report::BundleFile>& files,
                         Existing existing) {
    const std::string target = resolved(path);
    if (exists(target)) {
        refuse_other_contents(path, entries(target), files, existing);
        fill(target, files, path);
        return;
    }
    TemporaryFolder made(target, path);
    write_all_files(made.path(), files, path);
    if (::rename(made.path().c_str(), target.c_str()) != 0) fail(path, "renaming into", errno);
    made.give_away();
}

void write_among_others(const std::string& path, const std::vector<report::BundleFile>& files,
                        Existing existing) {
    const std::string target = resolved(path);
    const std::vector<std::string> missing = missing_folders(target);
    if (missing.empty()) {
        const std::vector<std::string> found = entries(target);
        for (const report::BundleFile& file : files) {
            const bool there = std::find(found.begin(), found.end(), file.name) != found.end();
            if (!there) continue;
            if (fs::is_directory(fs::path(target) / file.name)) {
                throw IoError(path + "/" + file.name + ": is a folder; accepted: a file or none");
            }
            if (existing == Existing::kept) {
                throw InputError("DIR: found " + quoted(file.name) + " in the folder " +
                                 quoted(path) +
                                 "; accepted: a folder without files of the site's names, or "
                                 "--force to replace them");
            }
        }
    }
    try {
        make_folders(missing, path);
        fill(target, files, path);
    } catch (const IoError&) {
        remove_folders(missing);
        throw;
    }
}

}  // namespace rmsnorm::cli
