#include "cli/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "cli/error.hpp"

namespace rmsnorm::cli {
namespace {

class Descriptor {
  public:
    explicit Descriptor(const std::string& path)
        : owned_(path != "-"),
          number_(owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO) {}
    ~Descriptor() {
        if (owned_ && number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }

  private:
    bool owned_;
    int number_;
};

std::string name_of(const std::string& path) { return path == "-" ? "standard input" : path; }

}  // namespace

std::string read_file(const std::string& path, std::size_t most) {
    std::string bytes = read_start(path, most + 1);
    if (bytes.size() > most) {
        throw InputError(name_of(path) + ": found more than " + std::to_string(most) +
                         " bytes; accepted: at most as many");
    }
    return bytes;
}

std::string read_start(const std::string& path, std::size_t count) {
    const std::string name = name_of(path);
    const Descriptor file(path);
    if (file.number() < 0) throw IoError(name + ": reading failed: " + std::strerror(errno));
    std::string bytes;
    std::array<char, 65536> block{};
    while (bytes.size() < count) {
        const ssize_t got =
            ::read(file.number(), block.data(), std::min(block.size(), count - bytes.size()));
        if (got == 0) break;
        if (got < 0) {
            if (errno == EINTR) continue;
            throw IoError(name + ": reading failed: " + std::strerror(errno));
        }
        bytes.append(block.data(), static_cast<std::size_t>(got));
    }
    return bytes;
}

}  // namespace rmsnorm::cli
