// The two ways in which a command gives up, each with a message of one line.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "evidence/words.hpp"

namespace rmsnorm::cli {

/// Why an input is refused. `origin` is the option and what it names (`--input @x.json`), `place`
/// is where in it (`line 3, column 7`; may be empty), `found` is quoted text or a description.
struct Refusal {
    std::string origin;
    std::string place;
    std::string found;
    std::string accepted;
};

/// Bad usage or bad input (exit code 2). The message names the option or file, the place in it,
/// what was found and what is accepted.
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
    explicit InputError(const Refusal& refusal);
};

/// Throws the InputError of a refusal.
[[noreturn]] void refuse(std::string_view origin, std::string place, std::string found,
                         std::string accepted);

/// Reading or writing failed (exit code 3). The message names the file and the system's reason.
class IoError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Whoever read standard output has gone away: no fault, and nobody to be told of one.
class ReaderGone : public IoError {
  public:
    using IoError::IoError;
};

/// `text` with each byte escaped (`\n`, `\x1b`) that belongs to no visible character of well-formed
/// UTF-8, so that a message stays one line and changes no terminal. What is printable stays as it
/// is.
std::string printable(std::string_view text);

/// `text` printable, in double quotes, cut after 40 bytes, never within a character.
std::string quoted(std::string_view text);
std::string quoted(const std::string& text);  // else argument-dependent lookup finds std::quoted

using evidence::listed;

}  // namespace rmsnorm::cli
