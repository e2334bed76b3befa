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
    TemporaryFolder(const std::string& sibling, const std::string& name)
        : path_(sibling + ".XXXXXX") {
        if (::mkdtemp(path_.data()) == nullptr) {
            const int error = errno;
            path_.clear();
            fail(name, "making a folder beside it", error);
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

}  // namespace

void write_folder(const std::string& path, const std::vector<report::BundleFile>& files,
                  Existing existing) {
    const std::string target = resolved(path);
    const bool replaces = exists(target);
    if (replaces) refuse_other_contents(path, entries(target), files, existing);
    TemporaryFolder made(target, path);
    for (const report::BundleFile& file : files) {
        write_file(made.path() + "/" + file.name, file.bytes, path + "/" + file.name);
    }
    if (!replaces || entries(target).empty()) {
        if (::rename(made.path().c_str(), target.c_str()) != 0) fail(path, "renaming into", errno);
        made.give_away();
        return;
    }
    // A folder that holds files cannot be renamed over: it steps aside, and back on a failure.
    TemporaryFolder aside(target, path);
    const std::string old = aside.path() + "/old";
    if (::rename(target.c_str(), old.c_str()) != 0) fail(path, "moving aside", errno);
    if (::rename(made.path().c_str(), target.c_str()) != 0) {
        const int error = errno;
        if (::rename(old.c_str(), target.c_str()) != 0) aside.give_away();
        fail(path, "renaming into", error);
    }
    made.give_away();
}

}  // namespace rmsnorm::cli
