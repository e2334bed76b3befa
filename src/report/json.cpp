#include "report/json.hpp"

#include "numeric/bits.hpp"
#include "report/json_text.hpp"
#include "report/version.hpp"

namespace rmsnorm::report {
namespace {

std::string bits_text(double value, evidence::Precision precision) {
    return precision == evidence::Precision::binary32 ? numeric::hex(static_cast<float>(value))
                                                      : numeric::hex(value);
}

// Where a figure's path is certified, it gets what it is worth.
class Writer {
  public:
    explicit Writer(JsonText& text, Extent extent,
                    const evidence::Certification* certification = nullptr)
        : text_(text), extent_(extent), certification_(certification) {}

    void operator()(bool value) { text_.add(value); }
    void operator()(evidence::Decision value) {
        if (value == evidence::Decision::undecided) return text_.add_null();
        text_.add(value == evidence::Decision::holds);
    }
    void operator()(std::uint64_t value) { text_.add(value); }
    void operator()(const std::string& value) { text_.add(value); }

    void operator()(const evidence::Scalar& scalar) {
        text_.open('{');
        member("value", scalar.value);
        member("display", scalar_text(scalar.value, scalar.decimals));
        member("bits", bits_text(scalar.value, scalar.precision));
        if (const evidence::CertifiedFigure* const worth = certified()) {
            const evidence::Certificate& one = worth->certificates.front();
            member("error_ulp", one.error_ulp);
            member("certified", one.worth == evidence::Worth::certified);
        }
        text_.close('}');
    }

    void operator()(const evidence::TensorFigure& figures) {
        const tensor::Tensor& tensor = figures.tensor;
        const std::size_t shown = shown_values(tensor.size(), extent_);
        text_.open('{');
        list("shape", tensor.shape().size(),
             [&](std::size_t i) { return std::uint64_t{tensor.shape()[i]}; });
        if (extent_ == Extent::full || shown < tensor.size()) {
            member("truncated", shown < tensor.size());
        }
        list("values", shown, [&](std::size_t i) { return tensor[i]; });
        list("display", shown,
             [&](std::size_t i) { return scalar_text(tensor[i], figures.decimals); });
        list("bits", shown, [&](std::size_t i) { return bits_text(tensor[i], figures.precision); });
        if (const evidence::CertifiedFigure* const worth = certified()) {
            const auto& all = worth->certificates;
            list("error_ulp", shown, [&](std::size_t i) { return all[i].error_ulp; });
            list("certified", shown,
                 [&](std::size_t i) { return all[i].worth == evidence::Worth::certified; });
        }
        text_.close('}');
    }

    void operator()(const evidence::Record& record) {
        text_.open('{');
        members(record);
        text_.close('}');
    }

    void operator()(const evidence::Array& array) {
        text_.open('[');
        for (std::size_t i = 0; i < array.items.size(); ++i) {
            under(std::to_string(i), array.items[i]);
        }
        text_.close(']');
    }

    void members(const evidence::Record& record) {
        for (const evidence::Field& field : record.fields) {
            if (field.presence == evidence::Presence::absent) continue;
            text_.key(field.key);
            under(field.key, field.datum);
        }
    }

  private:
    template <class Value>
    void member(std::string_view key, const Value& value) {
        text_.key(key);
        text_.add(value);
    }

    template <class ValueAt>
    void list(std::string_view key, std::size_t size, ValueAt value_at) {
        text_.key(key);
        text_.open('[');
        for (std::size_t i = 0; i < size; ++i) text_.add(value_at(i));
        text_.close(']');
    }

    void under(const std::string& key, const evidence::Datum& datum) {
        const std::size_t length = path_.size();
        path_ += (length == 0 ? "" : "/") + key;
        std::visit(*this, datum.value);
        path_.resize(length);
    }

    const evidence::CertifiedFigure* certified() const {
        return certification_ == nullptr ? nullptr : certification_->find(path_);
    }

    JsonText& text_;
    Extent extent_;
    const evidence::Certification* certification_;
    std::string path_;
};

}  // namespace

std::string json(const Document& document, Extent extent) {
    JsonText text;
    Writer writer(text, extent);
    Writer results(text, extent, document.certification ? &*document.certification : nullptr);
    const bool experiment = document.kind == DocumentKind::experiment;
    text.open('{');
    text.key("schema_version");
    text.add(std::uint64_t{json_schema_version});
    text.key(experiment ? "experiment" : "fixture");
    text.add(document.id);
    text.key("generator");
    text.open('{');
    text.key("name");
    text.add(program_name);
    text.key("version");
    text.add(program_version());
    text.close('}');
    if (experiment) {
        text.key("inputs");
        writer(document.inputs);
    }
    results.members(document.results);
    if (document.certification) {
        text.key("certification");
        text.add(evidence::summary(*document.certification));
    }
    if (experiment) {
        text.key("checks");
        writer(evidence::array(document.checks));
    }
    text.close('}');
    return std::move(text).str();
}

}  // namespace rmsnorm::report
