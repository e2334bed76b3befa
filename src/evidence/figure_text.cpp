#include "evidence/figure_text.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "evidence/number_text.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::evidence {

namespace {

// The exponent of the first significant decimal digit of a finite number that is not zero.
int decade(double value) {
    int exponent = 0;
    double scaled = std::fabs(value);
    // Far steps first; each product is only compared, so that its rounding does no harm beyond a
    // digit more or less.
    for (; scaled >= 1e16; scaled /= 1e16) exponent += 16;
    for (; scaled >= 10; scaled /= 10) ++exponent;
    for (; scaled < 1e-15; scaled *= 1e16) exponent -= 16;
    for (; scaled < 1; scaled *= 10) --exponent;
    return exponent;
}

struct Readable {
    int digits;

    void operator()(Scalar& scalar) const {
        scalar.decimals = readable({&scalar.value, 1}, scalar.decimals, digits);
    }
    void operator()(TensorFigure& figures) const {
        figures.decimals = readable(figures.tensor.values(), figures.decimals, digits);
    }
    void operator()(Record& record) const {
        for (Field& field : record.fields) std::visit(*this, field.datum.value);
    }
    void operator()(Array& array) const {
        for (Datum& item : array.items) std::visit(*this, item.value);
    }
    template <class Other>
    void operator()(Other&) const {}
};

// Whether decimals read back to a value: to one that binary32 holds, as binary32 reads them.
bool shows(double value, int decimals) {
    const auto read = numeric::parse_decimal(numeric::fixed(value, decimals));
    const auto narrow = static_cast<float>(value);
    const bool is_narrow = static_cast<double>(narrow) == value;
    return read && (*read == value || (is_narrow && static_cast<float>(*read) == narrow));
}

}  // namespace

Decimals readable(std::span<const double> values, Decimals usual, int digits) {
    // What decimals show beyond this is long to read.
    constexpr int most_decimals = 12;
    constexpr int largest_decade = 9;
    double largest = 0;
    int wanted = usual.count;
    for (const double value : values) {
        if (value == 0 || !std::isfinite(value)) continue;
        largest = std::max(largest, std::fabs(value));
        // Three digits of the value, or as many as show it exactly.
        const int enough = 2 - decade(value);
        while (wanted < enough && wanted <= most_decimals && !shows(value, wanted)) ++wanted;
    }
    if (largest == 0) return usual;
    const int top = decade(largest);
    if (digits > 0) wanted = digits - 1 - top;
    if (top <= largest_decade && wanted >= 0 && wanted <= most_decimals) {
        return {wanted, usual.plus, 0};
    }
    return {usual.count, usual.plus, digits > 0 ? digits : 7};
}

Decimals quoted(double value, Decimals usual, Extent extent) {
    return extent.readable ? readable({&value, 1}, usual, extent.digits) : usual;
}

Record readable(Record record, int digits) {
    Readable{digits}(record);
    return record;
}

std::size_t shown_values(std::size_t size, Extent extent) {
    return extent == Extent::full ? size : std::min(size, most_values);
}

std::string scalar_text(double value, Decimals decimals) {
    if (decimals.significant > 0) {
        const bool plus = decimals.plus == numeric::Plus::shown && value >= 0;
        return (plus ? "+" : "") + given_text(numeric::rounded(value, decimals.significant));
    }
    return numeric::fixed(value, decimals.count, decimals.plus);
}

std::string vector_text(const tensor::Tensor& tensor, Extent extent, Decimals decimals) {
    if (extent.readable) decimals = readable(tensor.values(), decimals, extent.digits);
    const std::size_t shown = shown_values(tensor.size(), extent);
    std::string text = "[";
    for (std::size_t i = 0; i < shown; ++i) {
        if (i > 0) text += ",";
        text += scalar_text(tensor[i], decimals);
    }
    if (shown < tensor.size()) text += ",...(" + std::to_string(tensor.size()) + " values)";
    return text + "]";
}

std::string shape_text(const tensor::Shape& shape) {
    std::string text = "[";
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (axis > 0) text += ",";
        text += std::to_string(shape[axis]);
    }
    return text + "]";
}

std::string_view truth_text(bool truth) { return truth ? "true" : "false"; }

std::string_view truth_text(Decision decision) {
    return decision == Decision::undecided ? "undecided" : truth_text(decision == Decision::holds);
}

}  // namespace rmsnorm::evidence
