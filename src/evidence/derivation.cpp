#include "evidence/derivation.hpp"

#include <cmath>
#include <utility>

#include "evidence/number_text.hpp"
#include "evidence/record.hpp"
#include "numeric/decimal.hpp"
#include "numeric/elementary.hpp"

namespace rmsnorm::evidence {
namespace {

using numeric::Rounded64;

constexpr int usual_significant = 7;

double read(const std::string& text) { return numeric::parse_decimal(text).value_or(0); }

struct Decimal {
    std::string text;
    double half_unit;  // of its last digit
};

// A decimal is off by half a unit of binary64 once it is read, save one that binary64 holds.
Rounded64 number(const std::string& text) {
    constexpr double largest = 0x1p20;
    const double value = read(text);
    const bool exact = std::fabs(value) < largest && std::nearbyint(value * 16) == value * 16;
    return Rounded64(value, exact ? 0 : std::fabs(value) * 0x1p-53 + 0x1p-1074);
}

std::string trimmed(std::string text) {
    if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
    text.resize(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}

// `figure_text` with more digits, or fewer, and with its zeros; the shortest decimal where that is
// all there is to show.
Decimal with_digits(double value, int more) {
    const auto half_of = [](int exponent) { return 0.5 * read("1e" + std::to_string(exponent)); };
    if (value == 0) return {"0", 0};
    const std::string usual = figure_text(value);
    const std::size_t mark = usual.find('e');
    if (mark != std::string::npos) {
        const int digits = std::clamp(usual_significant + more, 1, 17);
        const int decade = static_cast<int>(read(usual.substr(mark + 1)));
        return {given_text(numeric::rounded(value, digits)), half_of(decade - digits + 1)};
    }
    const int decimals = std::max(0, difference_decimals(value).count + more);
    const std::string text = numeric::fixed(value, decimals);
    const std::string shortest = given_text(value);
    const bool all = more > 0 && text.size() > shortest.size() && read(text) == value;
    return {all ? shortest : text, half_of(-decimals)};
}

std::string computed_text(double value, int more) {
    return more == 0 ? figure_text(value) : trimmed(with_digits(value, more).text);
}

// Binary32 numbers as binary32 reads them.
std::string as_given(double value) {
    const auto narrow = static_cast<float>(value);
    return static_cast<double>(narrow) == value ? given_text(narrow) : given_text(value);
}

template <class Text>
Worked single(double value, Text text) {
    Worked worked{text(value), {}};
    worked.values.push_back(number(worked.text));
    return worked;
}

Worked term(const Worked& worked) {
    return worked.text.starts_with('-') ? in_brackets(worked) : worked;
}

template <class Text>
Worked list(std::span<const double> values, Extent extent, Text text) {
    Worked worked{"", {}, true};
    const std::size_t most =
        extent == Extent::full ? values.size() : std::min(values.size(), Written::most_terms);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string one = text(values[i]);
        worked.values.push_back(number(one));
        if (i < most) worked.text.append(i == 0 ? "" : ", ").append(one);
    }
    if (most < values.size()) {
        worked.text += ", ... of " + std::to_string(values.size()) + " values";
    }
    worked.text = "[" + worked.text + "]";
    return worked;
}

template <class Operation>
Worked place_by_place(const Worked& a, const char* sign, const Worked& b, Operation operation) {
    Worked worked{a.text + sign + b.text, {}, a.is_list || b.is_list};
    const std::size_t count = std::max(a.values.size(), b.values.size());
    for (std::size_t i = 0; i < count; ++i) {
        worked.values.push_back(
            operation(a.values[a.is_list ? i : 0], b.values[b.is_list ? i : 0]));
    }
    return worked;
}

template <class Function>
Worked called(const char* name, const Worked& argument, Function function) {
    Worked worked{std::string(name) + "(" + argument.text + ")", {}, argument.is_list};
    for (const Rounded64& value : argument.values) worked.values.push_back(function(value));
    return worked;
}

// Whether a reader who computes `own` and rounds it as `text` is rounded gets that.
bool gives(const Rounded64& own, const Decimal& shown) {
    const double distance = std::fabs(own.value() - read(shown.text));
    if (shown.text == "0") return distance <= own.error();
    return distance + own.error() <= shown.half_unit;
}

struct ResultText {
    std::string text;
    bool rounding;  // no digit of it follows from the numbers
};

ResultText result_text(const Rounded64& own, double result) {
    if (gives(own, with_digits(result, 0))) return {figure_text(result), false};
    for (int fewer = 1; fewer < usual_significant; ++fewer) {
        const Decimal shown = with_digits(result, -fewer);
        // At least three digits.
        const bool telling = std::fabs(read(shown.text) - result) <= 0.005 * std::fabs(result);
        if (telling && gives(own, shown)) return {shown.text, false};
    }
    return {figure_text(result), true};
}

}  // namespace

Worked operator+(const Worked& a, const Worked& b) {
    return place_by_place(a, " + ", b, [](Rounded64 x, Rounded64 y) { return x + y; });
}

Worked operator-(const Worked& a, const Worked& b) {
    return place_by_place(a, " - ", b, [](Rounded64 x, Rounded64 y) { return x - y; });
}

Worked operator*(const Worked& a, const Worked& b) {
    return place_by_place(a, " * ", b, [](Rounded64 x, Rounded64 y) { return x * y; });
}

Worked operator/(const Worked& a, const Worked& b) {
    return place_by_place(a, " / ", b, [](Rounded64 x, Rounded64 y) { return x / y; });
}

Worked in_brackets(Worked worked) {
    worked.text = "(" + worked.text + ")";
    return worked;
}

Worked power(Worked base, int exponent) {
    for (Rounded64& value : base.values) {
        const Rounded64 factor = value;
        for (int i = 1; i < exponent; ++i) value = value * factor;
    }
    base.text += "^" + std::to_string(exponent);
    return base;
}

Worked sqrt(const Worked& worked) {
    return called("sqrt", worked, [](Rounded64 x) { return sqrt(x); });
}

Worked power_of_e(const Worked& exponent) {
    return called("exp", exponent, [](Rounded64 x) {
        const double power = numeric::exp(x.value());
        return Rounded64(power, power * (x.error() + x.error() * x.error() + 0x1p-52));
    });
}

Worked Written::given(double value) const { return single(value, as_given); }

Worked Written::computed(double value) const {
    return single(value, [this](double v) { return computed_text(v, more_digits_); });
}

Worked Written::given_term(double value) const { return term(given(value)); }
Worked Written::computed_term(double value) const { return term(computed(value)); }

Worked Written::given_list(std::span<const double> values) const {
    return evidence::list(values, extent_, as_given);
}

Worked Written::computed_list(std::span<const double> values) const {
    return evidence::list(values, extent_,
                          [this](double v) { return computed_text(v, more_digits_); });
}

void Derivation::heading(const std::string& text) {
    text_ += (text_.empty() ? "" : "\n") + text + "\n";
    count_ = 0;
}

void Derivation::note(const std::string& text) { text_ += text + "\n"; }

void Derivation::notes(const std::vector<std::string>& notes) {
    for (const std::string& one : notes) note("Note: " + one + ".");
}

std::string Derivation::list(std::span<const double> values) const {
    return Written(extent_, 0).given_list(values).text;
}

std::string Derivation::results_of(const Worked& worked, std::span<const double> result) const {
    const std::size_t most = shown(result.size(), Written::most_terms);
    std::string results;
    bool rounding = false;
    for (std::size_t i = 0; i < most; ++i) {
        const ResultText one = result_text(worked.values[i], result[i]);
        results.append(i == 0 ? "" : ", ").append(one.text);
        rounding = rounding || one.rounding;
    }
    if (most < result.size()) results += ", ... of " + std::to_string(result.size()) + " values";
    if (worked.is_list) results = "[" + results + "]";
    return results + (rounding ? " (rounding decides)" : "");
}

void Derivation::add_step(const std::string& name, const std::string& formula,
                          const std::string& line) {
    text_ +=
        "  " + std::to_string(++count_) + ". " + name + ": " + formula + "\n     " + line + "\n";
}

}  // namespace rmsnorm::evidence
