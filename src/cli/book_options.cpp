#include "cli/book_options.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <variant>

#include "cli/error.hpp"
#include "cli/input/tensor_input.hpp"
#include "cli/input/text.hpp"
#include "cli/numbers.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::cli {
namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& place,
                         const std::string& found, const std::string& accepted) {
    throw InputError(option + ": " + place + (place.empty() ? "" : ": ") + "found " +
                     quoted(found) + "; accepted: " + accepted);
}

std::string element_place(std::size_t index) { return "element " + std::to_string(index + 1); }

// Between the commas, without the spaces around them.
std::vector<std::string> elements(const std::string& list) {
    std::vector<std::string> all;
    for (std::size_t start = 0;;) {
        const std::size_t comma = list.find(',', start);
        const std::string text = list.substr(start, comma - start);
        const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
        all.push_back(text.substr(first, text.find_last_not_of(' ') + 1 - first));
        if (comma == std::string::npos) return all;
        start = comma + 1;
    }
}

// The one place where a reader's number becomes a binary32 number.
float rounded(const std::string& option, const std::string& place, double value) {
    const auto result = static_cast<float>(value);
    if (!std::isfinite(result)) {
        refuse(option, place, numeric::shortest(value),
               "magnitudes that binary32 can hold, up to 3.4028234663852886e38");
    }
    return result;
}

std::uint64_t whole_value(const std::string& option, const std::string& place,
                          const std::string& text, std::uint64_t least, std::uint64_t most) {
    const std::string accepted =
        "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    if (text.empty()) refuse(option, place, text, accepted);
    std::uint64_t value = 0;
    for (const char digit : text) {
        if (digit < '0' || digit > '9') refuse(option, place, text, accepted);
        const auto units = static_cast<std::uint64_t>(digit - '0');
        // `most` is far below the largest 64-bit number, so nothing wraps before this.
        value = value * 10 + units;
        if (value > most) refuse(option, place, text, accepted);
    }
    if (has_spare_zeros(text)) refuse_number(option, place, text);
    if (value < least) refuse(option, place, text, accepted);
    return value;
}

void require_one_reader(const std::vector<std::optional<std::string>>& arguments) {
    if (std::count(arguments.begin(), arguments.end(), "-") > 1) {
        throw InputError(
            "standard input (-) is named more than once; accepted: once, since it can be read "
            "once only");
    }
}

}  // namespace

Option vector_option(std::string name, std::string help, std::string default_text,
                     std::optional<std::vector<float>>& target) {
    return {.names = name,
            .value_name = "VALUES",
            .help = std::move(help),
            .default_text = std::move(default_text),
            .accept = [name, &target](const std::string& argument) {
                target = binary32_values(name, argument, widest_book_vector);
            }};
}

std::vector<Option> with_one_reader(std::vector<Option> options) {
    const auto arguments = std::make_shared<std::vector<std::optional<std::string>>>();
    for (Option& option : options) {
        option.accept = [arguments, accept = option.accept](const std::string& argument) {
            arguments->emplace_back(argument);
            require_one_reader(*arguments);
            accept(argument);
        };
    }
    return options;
}

void require_width(const std::string& option, const std::optional<std::vector<float>>& values,
                   std::size_t width) {
    if (!values || values->size() == width) return;
    throw InputError(option + ": found " + std::to_string(values->size()) +
                     (values->size() == 1 ? " value" : " values") +
                     "; accepted: as many as the input has, " + std::to_string(width));
}

Option number_option(std::string name, std::string help, std::string default_text, Least least,
                     float& target) {
    return {.names = name,
            .value_name = "NUMBER",
            .help = std::move(help),
            .default_text = std::move(default_text),
            .accept = [name, least, &target](const std::string& argument) {
                const std::string accepted = least == Least::zero
                                                 ? "a decimal number of at least 0, and above 0 in "
                                                   "binary32 if it is above 0"
                                                 : "a decimal number above 0, also in binary32";
                const auto read = numeric::parse_decimal(argument);
                if (!read) refuse(name, "", argument, accepted);
                const float value = rounded(name, "", *read);
                const bool fits = value > 0 || (least == Least::zero && *read == 0);
                if (!fits) refuse(name, "", argument, accepted);
                target = value;
            }};
}

Option chosen_number_option(std::string name, std::string help, std::string default_text,
                            std::optional<float>& target) {
    // Shared by the copies of `accept`.
    const auto number = std::make_shared<float>(0.0F);
    Option option = number_option(std::move(name), std::move(help), std::move(default_text),
                                  Least::above_zero, *number);
    option.accept = [number, &target, accept = option.accept](const std::string& argument) {
        accept(argument);
        target = *number;
    };
    return option;
}

std::vector<Option> with_probe_options(std::vector<Option> options,
                                       experiments::normalization::ProbeChoice& choice) {
    options.push_back(chosen_number_option(
        "--step", "by which central differences move a value",
        "1e-4 where it fits the values, else 2^-14 of their size", choice.step));
    options.push_back(chosen_number_option("--tolerance", "under which a difference matches",
                                           "what rounding and the step allow", choice.tolerance));
    return options;
}

void refuse_step(const autodiff::GradientCheckError& error) {
    if (const auto* e = std::get_if<autodiff::UnchangedProbe>(&error.rejection())) {
        throw InputError("--step: found " + numeric::shortest(e->step) +
                         ", which does not change element " + std::to_string(e->index + 1) +
                         " with value " + numeric::shortest(e->value) +
                         " in binary32; accepted: a larger step, or none for one that fits the "
                         "values");
    }
    if (const auto* e = std::get_if<autodiff::NonFiniteProbe>(&error.rejection())) {
        throw InputError("--step: found one by which the loss overflows at element " +
                         std::to_string(e->index + 1) +
                         "; accepted: a smaller step, or none for one that fits the values");
    }
    throw error;
}

Option whole_option(std::string name, std::string help, std::uint64_t least, std::uint64_t most,
                    std::string default_text, std::optional<std::uint64_t>& target) {
    return {.names = name,
            .value_name = "COUNT",
            .help = std::move(help),
            .default_text = std::move(default_text),
            .accept = [name, least, most, &target](const std::string& argument) {
                target = whole_value(name, "", argument, least, most);
            }};
}

Option whole_list_option(std::string name, std::string help, std::uint64_t least,
                         std::uint64_t most, std::string default_text,
                         std::vector<std::size_t>& target) {
    constexpr std::size_t longest = 64;
    return {.names = name,
            .value_name = "LIST",
            .help = std::move(help),
            .default_text = std::move(default_text),
            .accept = [name, least, most, &target](const std::string& argument) {
                const std::vector<std::string> texts = elements(without_brackets(argument));
                if (texts.size() > longest) {
                    throw InputError(name + ": found " + std::to_string(texts.size()) +
                                     " elements; accepted: at most " + std::to_string(longest));
                }
                std::vector<std::size_t> values;
                for (std::size_t i = 0; i < texts.size(); ++i) {
                    const auto value = static_cast<std::size_t>(
                        whole_value(name, element_place(i), texts[i], least, most));
                    if (std::find(values.begin(), values.end(), value) != values.end()) {
                        refuse(name, element_place(i), texts[i], "each number once");
                    }
                    values.push_back(value);
                }
                target = std::move(values);
            }};
}

Option epsilon_option(std::string default_text, float& target) {
    return number_option("--epsilon", "added under the root, rounded to binary32",
                         std::move(default_text), Least::zero, target);
}

std::vector<float> binary32_values(const std::string& option, const std::string& argument,
                                   std::size_t widest) {
    const tensor::Tensor read =
        read_tensor(option, argument, {.max_elements = widest, .adjustable = false});
    const auto rows = std::count_if(read.shape().begin(), read.shape().end(),
                                    [](std::size_t axis) { return axis != 1; });
    if (rows > 1) {
        throw InputError({option, "", "the shape " + tensor::to_text(read.shape()), "one vector"});
    }
    std::vector<float> values;
    values.reserve(read.size());
    for (const double value : read.values()) {
        const std::string place = element_place(values.size());
        values.push_back(rounded(option, place, value));
        if (values.back() == 0 && value != 0) {
            refuse(option, place, numeric::shortest(value),
                   "0, or magnitudes that binary32 can hold, from 1.4e-45");
        }
    }
    return values;
}

}  // namespace rmsnorm::cli
