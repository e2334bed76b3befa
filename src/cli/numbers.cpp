#include "cli/numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "cli/error.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::cli {
namespace {

// Whether a decimal number that reads as zero is written as another one.
bool underflows(std::string_view text) {
    return text.substr(0, text.find_first_of("eE")).find_first_of("123456789") !=
           std::string_view::npos;
}

// Whether `token` has the form of a decimal number, whatever its magnitude: with every digit
// replaced by zero it reads as zero.
bool is_decimal(std::string_view token) {
    std::string zeros(token);
    std::replace_if(
        zeros.begin(), zeros.end(), [](char c) { return c >= '0' && c <= '9'; }, '0');
    return numeric::parse_decimal(zeros).has_value();
}

std::string described_small(std::string_view text) {
    return quoted(text) + ", which is too small for binary64 and would be zero";
}

}  // namespace

double parse_number(const std::string& option, const std::string& text, Range range) {
    const auto value = numeric::parse_decimal(text);
    if (value && *value == 0 && underflows(text)) {
        throw InputError({option, "", described_small(text),
                          described(range) +
                              (range == Range::positive ? "" : ", 0 itself or a magnitude") +
                              " from 5e-324"});
    }
    if (!value || !within(*value, range)) {
        throw InputError(
            {option, "", quoted(text),
             described(range) + ", such as " + (range == Range::finite ? "1" : "1e-5")});
    }
    return *value;
}

std::size_t parse_count(const std::string& option, const std::string& text, std::uint64_t least,
                        std::uint64_t most) {
    const std::optional<std::size_t> value = whole_number(text);
    if (!value || *value < least || *value > most) {
        throw InputError(
            {option, "", quoted(text),
             "a whole number from " + std::to_string(least) + " to " + std::to_string(most)});
    }
    return *value;
}

std::optional<std::size_t> whole_number(std::string_view text) {
    std::size_t value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ptr != end || read.ec != std::errc{}) return std::nullopt;
    return value;
}

std::optional<double> decimal_number(std::string_view token) {
    const std::optional<double> value = numeric::parse_decimal(token);
    if (!value || has_spare_zeros(token) || (*value == 0 && underflows(token))) return std::nullopt;
    return value;
}

void refuse_number(std::string origin, std::string place, std::string_view token) {
    std::string found = quoted(token);
    std::string accepted = "a finite decimal number such as 1.5 or -2e-3";
    const bool ascii = std::all_of(token.begin(), token.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (!ascii) accepted += ", all of it ASCII (the minus sign is the hyphen)";
    if (is_decimal(token)) {
        const auto value = numeric::parse_decimal(token);
        if (!value) {
            accepted = "a magnitude of at most 1.7976931348623157e308";
        } else if (has_spare_zeros(token)) {
            accepted =
                "numbers without zeros in front of them; a comma ends a number and separates "
                "no thousands, so that a thousand is 1000";
        } else {
            found = described_small(token);
            accepted = "0 itself or a magnitude from 5e-324";
        }
    }
    throw InputError({std::move(origin), std::move(place), std::move(found), std::move(accepted)});
}

bool has_spare_zeros(std::string_view token) {
    if (token.starts_with('-') || token.starts_with('+')) token.remove_prefix(1);
    return token.size() > 1 && token[0] == '0' && token[1] >= '0' && token[1] <= '9';
}

}  // namespace rmsnorm::cli
