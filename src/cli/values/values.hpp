// Values that a reader of the program hands in, and the refusal of what is not such values.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/error.hpp"

namespace rmsnorm::cli {

/// Row-major; the product of `shape` is `elements.size()`. An empty shape holds one element.
struct Values {
    std::vector<std::size_t> shape;
    std::vector<double> elements;
};

/// What a reader of values takes.
struct Limits {
    std::size_t max_elements = std::size_t{1} << 22;
    bool empty_allowed = false;  ///< Whether a .npy may have an axis of zero.
    bool adjustable = true;      ///< Whether the command has `--max-elements`, for messages.
};

/// The most axes that any reader takes, which is also numpy's limit.
inline constexpr std::size_t max_rank = 64;

/// Why values are refused. `origin` is the option and what it names (`--input @x.json`), `place`
/// is where in it (`line 3, column 7`; may be empty), `found` is quoted text or a description.
struct Rejection {
    std::string origin;
    std::string place;
    std::string found;
    std::string accepted;
};

/// Bad input. `what()` is one printable line: `origin: place: found ...; accepted: ...`.
class ValuesError : public InputError {
  public:
    explicit ValuesError(Rejection rejection);
    const Rejection& rejection() const { return rejection_; }

  private:
    Rejection rejection_;
};

/// A shape as messages print it: `[1, 2]`.
std::string shape_text(std::span<const std::size_t> shape);

/// The product of the axes; nothing when the product of the nonzero ones exceeds `std::size_t`.
std::optional<std::size_t> element_count(std::span<const std::size_t> shape);

/// Throws the `ValuesError` for `token`, which `numeric::parse_decimal` refused.
[[noreturn]] void refuse_number(std::string_view origin, std::string place, std::string_view token);

/// Whether a number has redundant zeros in front, such as 000 or 00.5: what a thousands separator
/// leaves behind when a comma ends a number.
bool has_spare_zeros(std::string_view token);

/// Throws the `ValuesError` for such a `token`.
[[noreturn]] void refuse_spare_zeros(std::string_view origin, std::string place,
                                     std::string_view token);

/// Throws the `ValuesError` for more than `limits.max_elements` elements.
[[noreturn]] void refuse_count(std::string_view origin, std::string place, const Limits& limits);

/// "at most 2 values", and the option that sets the limit if there is one.
std::string accepted_count(const Limits& limits);

/// That option in brackets, or nothing.
std::string limit_hint(const Limits& limits);

/// Gives `values` another shape with as many elements, or throws `ValuesError`.
void reshape(std::string_view origin, Values& values, std::span<const std::size_t> shape);

}  // namespace rmsnorm::cli
