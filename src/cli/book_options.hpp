// What the subcommands of the fixture 23-normalization accept: binary32 values and whole numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "autodiff/gradient_check.hpp"
#include "cli/option.hpp"
#include "experiments/normalization/probes.hpp"

namespace rmsnorm::cli {

/// The widest vector of the fixture: central differences take work that grows with its square.
inline constexpr std::size_t widest_book_vector = 4096;

/// A vector, or nothing when the option is not given.
Option vector_option(std::string name, std::string help, std::string default_text,
                     std::optional<std::vector<float>>& target);

/// The options, of which one alone may name standard input: the next one throws InputError.
std::vector<Option> with_one_reader(std::vector<Option> options);

/// Throws InputError, which names `option`, when the values were given and are not as many as the
/// input's `width`.
void require_width(const std::string& option, const std::optional<std::vector<float>>& values,
                   std::size_t width);

/// A finite number of at least zero, or above zero. Zero is a number that is written as zero: one
/// that becomes zero in binary32 is refused by both.
enum class Least { zero, above_zero };
Option number_option(std::string name, std::string help, std::string default_text, Least least,
                     float& target);

/// The options and after them `--step` and `--tolerance` of central differences.
std::vector<Option> with_probe_options(std::vector<Option> options,
                                       experiments::normalization::ProbeChoice& choice);

/// Throws what a reader can do about a step that was refused: InputError for one that moves
/// nothing or too far, else `error` itself.
[[noreturn]] void refuse_step(const autodiff::GradientCheckError& error);

/// A whole number from `least` to `most`.
Option whole_option(std::string name, std::string help, std::uint64_t least, std::uint64_t most,
                    std::string default_text, std::optional<std::uint64_t>& target);

/// A list of different whole numbers, at most 64 of them.
Option whole_list_option(std::string name, std::string help, std::uint64_t least,
                         std::uint64_t most, std::string default_text,
                         std::vector<std::size_t>& target);

/// `--epsilon`.
Option epsilon_option(std::string default_text, float& target);

/// One vector from a list, `@FILE` or `-`. Each number becomes binary64 as the readers give it, and
/// is then rounded to binary32. Throws InputError, for more than `widest` numbers and for one that
/// binary32 cannot hold too, and IoError.
std::vector<float> binary32_values(const std::string& option, const std::string& argument,
                                   std::size_t widest);

}  // namespace rmsnorm::cli
