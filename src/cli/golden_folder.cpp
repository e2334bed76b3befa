#include "cli/golden_folder.hpp"

#include <algorithm>
#include <filesystem>

#include "cli/error.hpp"
#include "cli/golden.hpp"
#include "cli/input/byte_stream.hpp"
#include "cli/output.hpp"

namespace rmsnorm::cli {
namespace {

namespace fs = std::filesystem;

// Most files tell by their start that they are no goldens.
constexpr std::size_t start_bytes = 4096;

bool is_or_was_golden(const std::string& path) {
    const std::string start = read_start(path, start_bytes);
    if (golden_in(start) || resembles_golden(start)) return true;
    if (start.find('{') == std::string::npos) return false;
    const std::string bytes = read_start(path, largest_golden + 1);
    return bytes.size() <= largest_golden && golden_in(bytes);
}

class Walk {
  public:
    explicit Walk(GoldenFolder& found) : found_(found) {}

    void operator()(const std::string& folder) {
        std::vector<fs::directory_entry> entries;
        std::error_code error;
        for (fs::directory_iterator entry(folder, error);
             !error && entry != fs::directory_iterator(); entry.increment(error)) {
            if (!is_temporary_name(entry->path().filename().string())) entries.push_back(*entry);
        }
        if (error) fail_reading(folder, error.message());
        std::sort(entries.begin(), entries.end());
        for (const fs::directory_entry& entry : entries) look_at(entry);
    }

  private:
    void fail_reading(const std::string& path, const std::string& reason) {
        found_.faults.push_back({path, path + ": reading failed: " + reason, true});
    }

    void look_at(const fs::directory_entry& entry) {
        const std::string path = entry.path().string();
        const bool expected = named_like_golden(entry.path().filename().string());
        std::error_code error;
        const fs::file_status status = entry.status(error);
        const bool is_link = entry.is_symlink(error);
        if (fs::is_regular_file(status)) {
            look_into(path, expected);
        } else if (expected && (status.type() == fs::file_type::not_found ||
                                status.type() == fs::file_type::none)) {
            fail_reading(path, "a link that leads nowhere");
        } else if (expected) {
            const std::string what = fs::is_directory(status) ? "a folder" : "a pipe or a device";
            found_.faults.push_back(
                {path, path + ": found " + what + "; accepted: a golden under this name", false});
        }
        // A link to a folder may lead back up.
        if (fs::is_directory(status) && !is_link) {
            (*this)(path);
        } else if (!expected && !fs::is_regular_file(status)) {
            found_.passed_over.push_back(path);
        }
    }

    void look_into(const std::string& path, bool expected) {
        try {
            const bool golden = expected || is_or_was_golden(path);
            (golden ? found_.goldens : found_.passed_over).push_back(path);
        } catch (const IoError& error) {
            found_.faults.push_back({path, error.what(), true});
        }
    }

    GoldenFolder& found_;
};

}  // namespace

GoldenFolder goldens_in(const std::string& folder) {
    GoldenFolder found;
    Walk walk(found);
    walk(folder);
    if (found.goldens.empty() && found.faults.empty()) {
        found.faults.push_back(
            {folder, folder + ": found no golden in this folder; accepted: " + accepted_goldens(),
             false});
    }
    return found;
}

std::string passed_over_text(const std::vector<std::string>& paths) {
    constexpr std::size_t most = 20;
    std::string text =
        "passed over " + std::to_string(paths.size()) +
        (paths.size() == 1 ? " file that is not a golden: " : " files that are not goldens: ") +
        listed(std::vector<std::string>(
            paths.begin(),
            paths.begin() + static_cast<std::ptrdiff_t>(std::min(paths.size(), most))));
    if (paths.size() > most) text += " and " + std::to_string(paths.size() - most) + " more";
    return text;
}

}  // namespace rmsnorm::cli
