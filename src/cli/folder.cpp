#include "cli/folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "cli/error.hpp"
#include "cli/interruption.hpp"
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

// What stands at `path`, a link itself where it is one; nothing for nothing.
std::optional<struct stat> status_of(const std::string& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) == 0) return status;
    if (errno != ENOENT) fail(path, "finding the folder", errno);
    return std::nullopt;
}

bool exists(const std::string& path) { return status_of(path).has_value(); }

bool is_folder(const std::string& path) {
    const auto status = status_of(path);
    return status && S_ISDIR(status->st_mode);
}

// The files of the folder in the order of their names; not the program's own temporary ones.
std::vector<std::string> entries(const std::string& path) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator at(path, error); !error && at != fs::directory_iterator();
         at.increment(error)) {
        std::string name = at->path().filename().string();
        if (!is_temporary_name(name)) names.push_back(std::move(name));
    }
    if (error == std::errc::not_a_directory) {
        throw IoError(path + ": is no folder; accepted: a folder, or a name that is not taken");
    }
    if (error) fail(path, "reading the folder", error.value());
    std::sort(names.begin(), names.end());
    return names;
}

bool names_one_of(const std::vector<report::BundleFile>& files, const std::string& name) {
    return std::any_of(files.begin(), files.end(),
                       [&](const report::BundleFile& file) { return file.name == name; });
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
        const bool known = names_one_of(files, name) || name == report::provenance_name;
        if (known && !is_folder(path + "/" + name)) continue;
        throw InputError("--force: found " + quoted(name) + " in the folder " + quoted(path) +
                         ", which does not belong to a bundle; accepted: a folder that holds a "
                         "bundle and nothing else");
    }
}

void refuse_files_in_the_way(const std::string& path, const std::vector<std::string>& found,
                             const std::vector<report::BundleFile>& files, Existing existing) {
    for (const std::string& name : found) {
        if (!names_one_of(files, name)) continue;
        if (is_folder(path + "/" + name)) {
            throw IoError(path + "/" + name + ": is a folder; accepted: a file or none");
        }
        if (existing == Existing::kept) {
            throw InputError("DIR: found " + quoted(name) + " in the folder " + quoted(path) +
                             "; accepted: a folder without files of these names, or "
                             "--force to replace them");
        }
    }
}

// A folder open under a lock that ends with the process, however that ends. Nobody clears a locked
// folder away. Where the system has no locks, or the folder may not be read, it is held by nobody.
class FolderLock {
  public:
    enum class Wait { no, yes };

    FolderLock(const std::string& path, Wait wait)
        : folder_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) {
        held_ = folder_ >= 0 && ::flock(folder_, LOCK_EX | (wait == Wait::no ? LOCK_NB : 0)) == 0;
        taken_ = !held_ && (errno == EWOULDBLOCK || errno == ENOENT);
    }
    ~FolderLock() {
        if (folder_ >= 0) ::close(folder_);
    }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    bool held() const { return held_; }

    // Whether another run has the folder, or has cleared it away.
    bool taken() const { return taken_; }

    // Whether the folder that is locked is still the one at `path`.
    bool stands_at(const std::string& path) const {
        struct stat locked {};
        const auto there = status_of(path);
        return ::fstat(folder_, &locked) == 0 && there && there->st_ino == locked.st_ino &&
               there->st_dev == locked.st_dev;
    }

  private:
    int folder_;
    bool held_ = false;
    bool taken_ = false;
};

// Folders under a temporary name that no run holds any more: a killed one has left them.
void clear_leftovers(const std::string& folder) {
    std::error_code ignored;
    for (fs::directory_iterator at(folder, ignored); !ignored && at != fs::directory_iterator();
         at.increment(ignored)) {
        if (!is_temporary_name(at->path().filename().string())) continue;
        const FolderLock lock(at->path().string(), FolderLock::Wait::no);
        std::error_code kept;
        if (lock.held()) fs::remove_all(at->path(), kept);
    }
}

// A folder under a temporary name, removed with all that is in it unless it was given away.
class TemporaryFolder {
  public:
    // In `folder`. Where none can be made there, `path` is empty and `error` says why.
    explicit TemporaryFolder(const std::string& folder) {
        // Until it is locked, another run may take it for left over.
        for (int attempt = 0; attempt < 100; ++attempt) {
            path_ = folder + "/" + std::string(temporary_name);
            if (::mkdtemp(path_.data()) == nullptr) {
                error_ = errno;
                path_.clear();
                return;
            }
            lock_.emplace(path_, FolderLock::Wait::no);
            if (lock_->taken()) continue;
            if (!lock_->held() || lock_->stands_at(path_)) break;
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
    int error() const { return error_; }
    void give_away() { path_.clear(); }

  private:
    std::string path_;
    int error_ = 0;
    std::optional<FolderLock> lock_;
};

// Messages call the folder `name`. Between two files a signal ends it.
void write_all_files(const std::string& folder, const std::vector<report::BundleFile>& files,
                     const std::string& name, const HeldSignals& signals) {
    for (const report::BundleFile& file : files) {
        const std::string file_name = name + "/" + file.name;
        const int descriptor = ::open((folder + "/" + file.name).c_str(),
                                      O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0) fail(file_name, "opening for writing", errno);
        try {
            write_all(descriptor, file.bytes, file_name);
        } catch (const IoError&) {
            ::close(descriptor);
            throw;
        }
        if (::close(descriptor) != 0) fail(file_name, "writing", errno);
        signals.refuse_pending(name);
    }
}

bool exchange_names(const std::string& a, const std::string& b) {
#if defined(SYS_renameat2) && defined(RENAME_EXCHANGE)
    return ::syscall(SYS_renameat2, AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
#else
    return a == b;
#endif
}

// A second name in `to` for each file of `from`; false where the system has none for one of them.
bool link_all(const std::string& from, const std::string& to,
              const std::vector<std::string>& names) {
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        return ::linkat(AT_FDCWD, (from + "/" + name).c_str(), AT_FDCWD, (to + "/" + name).c_str(),
                        0) == 0;
    });
}

// Fills a new folder beside `target` and exchanges the two in one step. False, and nothing has
// changed, where that cannot be done: the folder around it may not be written, the target is a
// mount point or holds a folder, or somebody stands in it.
bool exchanged(const std::string& target, const std::vector<report::BundleFile>& files,
               const std::string& name, const HeldSignals& signals) {
    std::error_code ignored;
    if (fs::equivalent(".", target, ignored)) return false;
    std::vector<std::string> others = entries(target);
    std::erase_if(others, [&](const auto& other) { return names_one_of(files, other); });
    for (const std::string& other : others) {
        if (is_folder(target + "/" + other)) return false;
    }
    TemporaryFolder made(fs::path(target).parent_path().string());
    if (made.path().empty()) return false;
    write_all_files(made.path(), files, name, signals);
    if (!link_all(target, made.path(), others)) return false;
    const auto status = status_of(target);
    if (!status) return false;
    // Only the superuser can give the new folder to the old one's owner, and only they need to.
    if (::chown(made.path().c_str(), status->st_uid, status->st_gid) != 0) errno = 0;
    ::chmod(made.path().c_str(), status->st_mode & 07777);
    signals.refuse_pending(name);
    if (!exchange_names(made.path(), target)) return false;
    // From here on the temporary name is the old folder's. What came into it meanwhile is kept.
    for (const std::string& late : entries(made.path())) {
        if (!exists(target + "/" + late)) {
            ::rename((made.path() + "/" + late).c_str(), (target + "/" + late).c_str());
        }
    }
    return true;
}

// Fills the folder where it stands: the files are written inside of it under another name, and
// renamed once the last one is whole. When a rename fails, new files are taken back, but a file
// that was replaced before is not restored.
void fill(const std::string& target, const std::vector<report::BundleFile>& files,
          const std::string& name, const HeldSignals& signals) {
    const TemporaryFolder made(target);
    if (made.path().empty()) fail(name, "making a folder for its files", made.error());
    write_all_files(made.path(), files, name, signals);
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

// The folder `path` and those around it, made where they are not there; those that stay empty go
// again.
class MadeFolders {
  public:
    MadeFolders(const std::string& path, const std::string& name) {
        std::vector<std::string> missing;
        for (fs::path part = path; !part.empty() && !exists(part.string());
             part = part.parent_path()) {
            missing.push_back(part.string());
        }
        for (auto folder = missing.rbegin(); folder != missing.rend(); ++folder) {
            if (::mkdir(folder->c_str(), 0777) != 0 && errno != EEXIST) {
                const int error = errno;
                remove_empty();
                fail(name, "making the folder", error);
            }
            made_.push_back(*folder);
        }
    }
    ~MadeFolders() { remove_empty(); }
    MadeFolders(const MadeFolders&) = delete;
    MadeFolders& operator=(const MadeFolders&) = delete;

  private:
    void remove_empty() const {
        for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) {
            ::rmdir(folder->c_str());
        }
    }

    std::vector<std::string> made_;
};

// Makes the folder with the files in one step; false where somebody else has made it meanwhile.
bool created(const std::string& target, const std::vector<report::BundleFile>& files,
             const std::string& name, const HeldSignals& signals) {
    TemporaryFolder made(fs::path(target).parent_path().string());
    if (made.path().empty()) fail(name, "making the folder", made.error());
    write_all_files(made.path(), files, name, signals);
    if (::rename(made.path().c_str(), target.c_str()) == 0) {
        made.give_away();
        return true;
    }
    if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) {
        fail(name, "renaming into", errno);
    }
    return false;
}

// What the two kinds of folders differ in.
struct Kind {
    void (*refuse)(const std::string& path, const std::vector<std::string>& found,
                   const std::vector<report::BundleFile>& files, Existing existing);
    bool makes_parents;
};

// Whether the folder is written; not where it was another run's turn, and things have changed.
bool written(const std::string& path, const std::vector<report::BundleFile>& files,
             Existing existing, const Kind& kind) {
    const std::string target = resolved(path);
    const std::string around = fs::path(target).parent_path().string();
    if (!exists(target)) {
        const HeldSignals signals;
        const MadeFolders made(kind.makes_parents ? around : "", path);
        clear_leftovers(around);
        return created(target, files, path, signals);
    }
    const FolderLock turn(target, FolderLock::Wait::yes);
    if (turn.held() && !turn.stands_at(target)) return false;
    const HeldSignals signals;
    clear_leftovers(around);
    clear_leftovers(target);
    kind.refuse(path, entries(target), files, existing);
    if (!exchanged(target, files, path, signals)) fill(target, files, path, signals);
    return true;
}

}  // namespace

void write_bundle_folder(const std::string& path, const std::vector<report::BundleFile>& files,
                         Existing existing) {
    while (!written(path, files, existing, {refuse_other_contents, false})) continue;
}

void write_among_others(const std::string& path, const std::vector<report::BundleFile>& files,
                        Existing existing) {
    while (!written(path, files, existing, {refuse_files_in_the_way, true})) continue;
}

}  // namespace rmsnorm::cli
