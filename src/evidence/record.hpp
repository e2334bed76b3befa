// The neutral form of evidence: an ordered tree of named figures, the same for every experiment.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "evidence/decision.hpp"
#include "numeric/decimal.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::evidence {

/// The number format in which a figure was computed; its bit pattern has this width.
enum class Precision { binary32, binary64 };

/// The decimals at which a figure is quoted; or, where `significant` is not zero, as many
/// significant digits, without zeros behind them.
struct Decimals {
    int count = 6;
    numeric::Plus plus = numeric::Plus::omitted;
    int significant = 0;
};

/// One figure. A binary32 figure is held in `value` without loss.
struct Scalar {
    double value;
    Decimals decimals = {};
    Precision precision = Precision::binary64;
};

/// A figure for each element of a tensor.
struct TensorFigure {
    tensor::Tensor tensor;
    Decimals decimals = {};
    Precision precision = Precision::binary64;
};

struct Datum;
struct Field;

/// Whether every document of its kind has the field. A field that is `absent` is not written; its
/// datum is an example of what it holds in the documents that have it.
enum class Presence { always, present, absent };

/// Named figures, in the order in which documents show them.
struct Record {
    Record& add(std::string_view key, Datum&& datum, Presence presence = Presence::always) &;
    Record&& add(std::string_view key, Datum&& datum, Presence presence = Presence::always) &&;

    std::vector<Field> fields;
};

/// Items of one kind, or of several. `example` is an item for a reader of kinds where there may be
/// none; it is not shown.
struct Array {
    std::vector<Datum> items;
    std::shared_ptr<const Datum> example = {};
};

/// What a field holds; made from the thing itself.
struct Datum {
    Datum(bool truth);
    Datum(Decision decision);
    Datum(double figure);
    Datum(const tensor::Tensor& figures);
    Datum(std::string text);
    Datum(const char* text);
    Datum(Scalar scalar);
    Datum(TensorFigure figures);
    Datum(Record record);
    Datum(Array array);
    Datum(unsigned int count);
    Datum(unsigned long count);
    Datum(unsigned long long count);

    std::variant<bool, std::uint64_t, std::string, Scalar, TensorFigure, Record, Array, Decision>
        value;
};

struct Field {
    Field(std::string_view name, Datum&& what, Presence where)
        : key(name), datum(std::move(what)), presence(where) {}

    std::string key;
    Datum datum;
    Presence presence;
};

/// The fewest decimals out of 6, 9, 12, … that show three significant digits of a small difference;
/// 6 for zero.
Decimals difference_decimals(double value);

/// A number that somebody chose, such as an epsilon: quoted with the fewest decimals out of 6, 9,
/// 12, … 24 that show it exactly, else as a small difference is.
Scalar exact_scalar(double value);

/// Binary32 figures, and a binary64 one, quoted with `decimals`; or where those would not show one
/// digit of the largest magnitude, with as many as show three.
TensorFigure figures(const std::vector<float>& values, Decimals decimals);
Scalar figure(float value, Decimals decimals);
Scalar figure64(double value, Decimals decimals);

/// An array of what `shown` makes of each item; it makes the example of a default one.
template <class Items, class Shown>
Array array_of(const Items& items, Shown shown) {
    Array array;
    for (const auto& item : items) array.items.emplace_back(shown(item));
    if (items.empty()) {
        array.example = std::make_shared<const Datum>(shown(typename Items::value_type{}));
    }
    return array;
}

/// The path ("primary/output/1") of the first place where two records differ in a key, a kind, a
/// word or a bit; nothing when they are the same.
std::optional<std::string> first_difference(const Record& a, const Record& b);

}  // namespace rmsnorm::evidence

// Experiments speak of evidence in its own words.
namespace rmsnorm::experiments {
using namespace evidence;
}  // namespace rmsnorm::experiments
