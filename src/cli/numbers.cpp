#include "cli/numbers.hpp"

#include <charconv>
#include <cmath>

#include "cli/error.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::cli {

namespace {

// Whether a decimal number that reads as zero is written as another one.
bool underflows(const std::string& text) {
    return text.substr(0, text.find_first_of("eE")).find_first_of("123456789") != std::string::npos;
}

}  // namespace

double parse_number(const std::string& option, const std::string& text, Range range) {
    const auto value = numeric::parse_decimal(text);
    if (value && *value == 0 && underflows(text)) {
        throw InputError(
            option + ": found " + quoted(text) +
            ", which is too small for binary64 and would be zero; accepted: " + described(range) +
            (range == Range::positive ? "" : ", 0 itself or a magnitude") + " from 5e-324");
    }
    if (!value || !within(*value, range)) {
        throw InputError(option + ": found " + quoted(text) + "; accepted: " + described(range) +
                         ", such as 1e-5");
    }
    return *value;
}

std::size_t parse_count(const std::string& option, const std::string& text, std::size_t least,
                        std::size_t most) {
    std::size_t value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ptr != end || read.ec != std::errc{} || value < least || value > most) {
        throw InputError(option + ": found " + quoted(text) + "; accepted: a whole number from " +
                         std::to_string(least) + " to " + std::to_string(most));
    }
    return value;
}

std::string described(Range range) {
    switch (range) {
        case Range::finite: return "a finite number";
        case Range::nonnegative: return "a finite number from 0";
        case Range::positive: return "a finite number above 0";
    }
    return "a number";
}

bool within(double value, Range range) {
    switch (range) {
        case Range::finite: return std::isfinite(value);
        case Range::nonnegative: return std::isfinite(value) && value >= 0;
        case Range::positive: return std::isfinite(value) && value > 0;
    }
    return false;
}

}  // namespace rmsnorm::cli
