// Where results go: standard output, or a file that is whole or not there.
#pragma once

#include <string>
#include <string_view>

namespace rmsnorm::cli {

/// Writes all of `bytes` to a file descriptor. Throws IoError, which calls the stream `name`.
void write_all(int descriptor, std::string_view bytes, const std::string& name);

/// A file written beside its final name and renamed to it by `commit`; without a commit nothing
/// remains. A symbolic link is followed, an existing file keeps its mode. A device or a FIFO is
/// written to directly.
class OutputFile {
  public:
    /// Messages call the file `name`. Throws IoError.
    OutputFile(const std::string& path, std::string name);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view bytes);
    void commit();

  private:
    std::string name_;       // as messages call it
    std::string path_;       // links resolved
    std::string temporary_;  // empty when written to directly
    int descriptor_ = -1;
};

/// `path` is what `--output` names: a file, or "-" for standard output. Throws IoError.
void write_output(const std::string& path, std::string_view bytes);

/// A whole file at any path, which messages call `name`. Throws IoError.
void write_file(const std::string& path, std::string_view bytes, const std::string& name);

/// What messages call the file that `--output` names.
std::string output_name(const std::string& path);

/// One line on standard error, led by the program's name. Failures to write it are ignored: there
/// is nobody left to tell.
void print_error(const std::string& message);

}  // namespace rmsnorm::cli
