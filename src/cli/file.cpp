#include "cli/file.hpp"

#include <fcntl.h>
#include <unistd.h>

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

}  // namespace

std::string read_file(const std::string& path, std::size_t most) {
    const std::string name = path == "-" ? "standard input" : path;
    const Descriptor file(path);
    if (file.number() < 0) throw IoError(name + ": reading failed: " + std::strerror(errno));
    std::string bytes;
    std::array<char, 65536> block{};
    for (;;) {
        const ssize_t count = ::read(file.number(), block.data(), block.size());
        if (count == 0) return bytes;
        if (count < 0) {
            if (errno == EINTR) continue;
            throw IoError(name + ": reading failed: " + std::strerror(errno));
        }
        bytes.append(block.data(), static_cast<std::size_t>(count));
        if (bytes.size() > most) {
            throw InputError(name + ": found more than " + std::to_string(most) +
                             " bytes; accepted: at most as many");
        }
    }
}

}  // namespace rmsnorm::cli
