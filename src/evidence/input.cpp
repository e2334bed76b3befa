#include "evidence/input.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace rmsnorm::evidence {
namespace {

// One input as a document shows it.
struct Shown {
    const Accepted& accepted;

    Datum operator()(const bool* truth) const { return *truth; }
    Datum operator()(const std::string* text) const { return *text; }
    Datum operator()(const double* number) const {
        return accepted.decimals ? figure64(*number, *accepted.decimals) : exact_scalar(*number);
    }
    Datum operator()(const float* number) const {
        return figure(*number, accepted.decimals.value_or(Decimals{}));
    }
    template <class Number>
    Datum operator()(const std::optional<Number>* number) const {
        const Number value = number->value_or(Number{});
        return (*this)(&value);
    }
    Datum operator()(const std::size_t* count) const { return *count; }
    Datum operator()(const tensor::Tensor* values) const { return *values; }
    Datum operator()(const std::vector<float>* values) const {
        return figures(*values, accepted.decimals.value_or(Decimals{}));
    }
    Datum operator()(const std::vector<double>* values) const {
        return tensor::Tensor::vector(*values);
    }
    template <class Item>
    Datum operator()(const std::vector<Item>* items) const {
        Array array;
        for (const Item& item : *items) array.items.emplace_back(item);
        // What a document without any still says of its kind.
        if (items->empty()) array.example = std::make_shared<const Datum>(Item{});
        return array;
    }
};

// Whether an input says no more than that nothing was chosen: a flag that is not set, a number that
// is not there, an empty text that only a run fills in.
struct Unsaid {
    const Accepted& accepted;

    bool operator()(const bool* truth) const { return !*truth; }
    bool operator()(const std::string* text) const { return accepted.internal && text->empty(); }
    template <class Number>
    bool operator()(const std::optional<Number>* number) const {
        return !number->has_value();
    }
    template <class Other>
    bool operator()(const Other*) const {
        return false;
    }
};

}  // namespace

std::string described(Range range) {
    switch (range) {
        case Range::finite: return "a finite number";
        case Range::nonnegative: return "a finite number from 0";
        case Range::positive: return "a finite number above 0";
    }
    std::abort();
}

bool within(double value, Range range) {
    switch (range) {
        case Range::finite: return std::isfinite(value);
        case Range::nonnegative: return std::isfinite(value) && value >= 0;
        case Range::positive: return std::isfinite(value) && value > 0;
    }
    std::abort();
}

std::string Input::option() const {
    if (!accepted.option.empty()) return std::string(accepted.option);
    std::string name = "--" + std::string(key);
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

Given::Given(const std::vector<Input>& inputs, std::size_t max_elements)
    : max_elements_(max_elements) {
    for (const Input& input : inputs) {
        if (input.given) keys_.push_back(input.key);
    }
}

bool Given::operator()(std::string_view key) const {
    return std::find(keys_.begin(), keys_.end(), key) != keys_.end();
}

InputRejection::InputRejection(std::vector<std::string> keys, const std::string& problem,
                               const std::string& accepted)
    : std::runtime_error(accepted.empty() ? problem : problem + "; accepted: " + accepted),
      keys_(std::move(keys)) {}

Record record_of(const std::vector<Input>& inputs) {
    Record record;
    for (const Input& input : inputs) {
        if (!input.accepted.recorded) continue;
        const bool unsaid = std::visit(Unsaid{input.accepted}, input.target);
        record.add(input.key, std::visit(Shown{input.accepted}, input.target),
                   unsaid ? Presence::absent : Presence::always);
    }
    return record;
}

}  // namespace rmsnorm::evidence
