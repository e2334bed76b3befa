// Where results go: standard output, or a file that is whole or not there.
#pragma once

#include <string>
#include <string_view>

namespace rmsnorm::cli {

/// The template of temporary files and folders, which stand beside what they will be.
constexpr std::string_view temporary_name = ".rmsnorm-fixture.XXXXXX";

/// Whether a file's name, without its folder, was made from it.
bool is_temporary_name(std::string_view name);

/// Writes all of `bytes` to a file descriptor. Throws IoError, which calls the stream `name`.
void write_all(int descriptor, std::string_view bytes, const std::string& name);

/// What may be written over: anything, or anything that the run has not read.
enum class Overwritten { no_input, anything };

/// `--force` for the whole run: from now on an input may be written over, too.
void allow_overwritten_inputs();

/// A file written beside its final name and renamed to it by `commit`; without a commit nothing
/// remains. A symbolic link is followed, an existing file keeps its mode. A device or a FIFO is
/// written to directly.
class OutputFile {
  public:
    /// Messages call the file `name`. Throws IoError, and InputError for an input of the run that
    /// may not be written over.
    OutputFile(const std::string& path, std::string name,
               Overwritten overwritten = Overwritten::no_input);
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

/// `path` is what `--output` names: a file, or "-" for standard output. Throws IoError, and
/// InputError for an input of the run.
void write_output(const std::string& path, std::string_view bytes);

/// A whole file at any path, which messages call `name`. Throws IoError, and InputError for an
/// input of the run that may not be written over.
void write_file(const std::string& path, std::string_view bytes, const std::string& name,
                Overwritten overwritten = Overwritten::no_input);

/// What messages call the file that `--output` names.
std::string output_name(const std::string& path);

/// One line on standard error, led by the program's name. Failures to write it are ignored: there
/// is nobody left to tell.
void print_error(const std::string& message);

}  // namespace rmsnorm::cli
