#include "evidence/record.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "numeric/bits.hpp"

namespace rmsnorm::evidence {
namespace {

using Difference = std::optional<std::string>;

Difference under(const std::string& key, const Difference& inner) {
    if (!inner) return std::nullopt;
    return inner->empty() ? key : key + "/" + *inner;
}

Difference differ(bool different) {
    if (different) return std::string();
    return std::nullopt;
}

Difference difference(const Datum& a, const Datum& b);

Difference difference(bool a, bool b) { return differ(a != b); }
Difference difference(Decision a, Decision b) { return differ(a != b); }
Difference difference(std::uint64_t a, std::uint64_t b) { return differ(a != b); }
Difference difference(const std::string& a, const std::string& b) { return differ(a != b); }

Difference difference(const Scalar& a, const Scalar& b) {
    return differ(a.precision != b.precision || !numeric::same_bits(a.value, b.value));
}

Difference difference(const TensorFigure& a, const TensorFigure& b) {
    if (a.precision != b.precision || a.tensor.shape() != b.tensor.shape()) return std::string();
    for (std::size_t i = 0; i < a.tensor.size(); ++i) {
        if (!numeric::same_bits(a.tensor[i], b.tensor[i])) return std::to_string(i);
    }
    return std::nullopt;
}

Difference difference(const Record& a, const Record& b) {
    const std::size_t count = std::min(a.fields.size(), b.fields.size());
    for (std::size_t i = 0; i < count; ++i) {
        const Field& left = a.fields[i];
        const Field& right = b.fields[i];
        if (left.key != right.key || left.presence != right.presence) return left.key;
        if (left.presence == Presence::absent) continue;
        if (const auto inner = difference(left.datum, right.datum)) return under(left.key, inner);
    }
    if (a.fields.size() == b.fields.size()) return std::nullopt;
    return a.fields.size() > count ? a.fields[count].key : b.fields[count].key;
}

Difference difference(const Array& a, const Array& b) {
    const std::size_t count = std::min(a.items.size(), b.items.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (const auto inner = difference(a.items[i], b.items[i])) {
            return under(std::to_string(i), inner);
        }
    }
    return a.items.size() == b.items.size() ? std::nullopt : Difference(std::to_string(count));
}

Difference difference(const Datum& a, const Datum& b) {
    if (a.value.index() != b.value.index()) return std::string();
    return std::visit(
        [&](const auto& left) {
            return difference(left, std::get<std::decay_t<decltype(left)>>(b.value));
        },
        a.value);
}

Decimals enough(Decimals decimals, double magnitude) {
    double shown = magnitude;
    for (int i = 0; i < decimals.count; ++i) shown *= 10;
    if (shown >= 1) return decimals;
    constexpr int most = 60;
    for (; shown > 0 && shown < 100 && decimals.count < most; shown *= 10) ++decimals.count;
    return decimals;
}

}  // namespace

Record& Record::add(std::string_view key, Datum&& datum, Presence presence) & {
    constexpr std::size_t usual_fields = 8;
    if (fields.empty()) fields.reserve(usual_fields);
    fields.emplace_back(key, std::move(datum), presence);
    return *this;
}

Record&& Record::add(std::string_view key, Datum&& datum, Presence presence) && {
    return std::move(add(key, std::move(datum), presence));
}

Datum::Datum(bool truth) : value(truth) {}
Datum::Datum(Decision decision) : value(decision) {}
Datum::Datum(double figure) : value(Scalar{figure}) {}
Datum::Datum(const tensor::Tensor& figures) : value(TensorFigure{figures}) {}
Datum::Datum(std::string text) : value(std::move(text)) {}
Datum::Datum(const char* text) : value(std::string(text)) {}
Datum::Datum(Scalar scalar) : value(scalar) {}
Datum::Datum(TensorFigure figures) : value(std::move(figures)) {}
Datum::Datum(Record record) : value(std::move(record)) {}
Datum::Datum(Array array) : value(std::move(array)) {}
Datum::Datum(unsigned int count) : value(std::uint64_t{count}) {}
Datum::Datum(unsigned long count) : value(std::uint64_t{count}) {}
Datum::Datum(unsigned long long count) : value(std::uint64_t{count}) {}

TensorFigure figures(const std::vector<float>& values, Decimals decimals) {
    double largest = 0;
    for (const float value : values) {
        largest = std::max(largest, std::fabs(static_cast<double>(value)));
    }
    return {tensor::Tensor::vector({values.begin(), values.end()}), enough(decimals, largest),
            Precision::binary32};
}

Scalar figure(float value, Decimals decimals) {
    const auto exact = static_cast<double>(value);
    return {exact, enough(decimals, std::fabs(exact)), Precision::binary32};
}

Scalar figure64(double value, Decimals decimals) {
    return {value, enough(decimals, std::fabs(value)), Precision::binary64};
}

Decimals difference_decimals(double value) {
    Decimals decimals;
    double power = 1e4;
    double smallest = 1 / power;
    while (value != 0 && std::fabs(value) < smallest) {
        decimals.count += 3;
        power *= 1000;
        // Dividing one by an exact power rounds once; chained divisions would drift off 1e-7.
        smallest = power <= 1e22 ? 1 / power : smallest / 1000;
    }
    return decimals;
}

Scalar exact_scalar(double value) {
    for (int count = 6; count <= 24; count += 3) {
        if (numeric::parse_decimal(numeric::fixed(value, count)) == value) return {value, {count}};
    }
    return {value, difference_decimals(value)};
}

std::optional<std::string> first_difference(const Record& a, const Record& b) {
    return difference(a, b);
}

}  // namespace rmsnorm::evidence
