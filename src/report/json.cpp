#include "report/json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "numeric/bits.hpp"
#include "report/version.hpp"

namespace rmsnorm::report {
namespace {

using Json = nlohmann::ordered_json;

std::string bits_text(double value, evidence::Precision precision) {
    return precision == evidence::Precision::binary32 ? numeric::hex(static_cast<float>(value))
                                                      : numeric::hex(value);
}

// Where a figure's path is certified, it gets what it is worth.
class Writer {
  public:
    explicit Writer(Extent extent, const evidence::Certification* certification = nullptr)
        : extent_(extent), certification_(certification) {}

    Json operator()(bool value) { return value; }
    Json operator()(std::uint64_t value) { return value; }
    Json operator()(const std::string& value) { return value; }

    Json operator()(const evidence::Scalar& scalar) {
        Json json = {{"value", scalar.value},
                     {"display", scalar_text(scalar.value, scalar.decimals)},
                     {"bits", bits_text(scalar.value, scalar.precision)}};
        if (const evidence::CertifiedFigure* const worth = certified()) {
            const evidence::Certificate& one = worth->certificates.front();
            json["error_ulp"] = one.error_ulp;
            json["certified"] = one.worth == evidence::Worth::certified;
        }
        return json;
    }

    Json operator()(const evidence::Figures& figures) {
        Json values = Json::array();
        Json display = Json::array();
        Json bits = Json::array();
        const std::size_t shown = shown_values(figures.tensor.size(), extent_);
        for (std::size_t i = 0; i < shown; ++i) {
            values.push_back(figures.tensor[i]);
            display.push_back(scalar_text(figures.tensor[i], figures.decimals));
            bits.push_back(bits_text(figures.tensor[i], figures.precision));
        }
        Json json = {{"shape", figures.tensor.shape()}};
        if (extent_ == Extent::full) json["truncated"] = false;
        if (shown < figures.tensor.size()) json["truncated"] = true;
        json["values"] = std::move(values);
        json["display"] = std::move(display);
        json["bits"] = std::move(bits);
        if (const evidence::CertifiedFigure* const worth = certified()) {
            json["error_ulp"] = Json::array();
            json["certified"] = Json::array();
            const auto& all = worth->certificates;
            for (std::size_t i = 0; i < shown; ++i) {
                json["error_ulp"].push_back(all[i].error_ulp);
                json["certified"].push_back(all[i].worth == evidence::Worth::certified);
            }
        }
        return json;
    }

    Json operator()(const evidence::Record& record) {
        Json json = Json::object();
        for (const evidence::Field& field : record.fields) {
            if (field.presence == evidence::Presence::absent) continue;
            json[field.key] = under(field.key, field.datum);
        }
        return json;
    }

    Json operator()(const evidence::Array& array) {
        Json json = Json::array();
        for (const evidence::Datum& item : array.items) {
            json.push_back(under(std::to_string(json.size()), item));
        }
        return json;
    }

  private:
    Json under(const std::string& key, const evidence::Datum& datum) {
        const std::size_t length = path_.size();
        path_ += (length == 0 ? "" : "/") + key;
        Json json = std::visit(*this, datum.value);
        path_.resize(length);
        return json;
    }

    const evidence::CertifiedFigure* certified() const {
        return certification_ == nullptr ? nullptr : certification_->find(path_);
    }

    Extent extent_;
    const evidence::Certification* certification_;
    std::string path_;
};

}  // namespace

std::string json(const Document& document, Extent extent) {
    Writer writer(extent);
    Writer results(extent, document.certification ? &*document.certification : nullptr);
    const bool experiment = document.kind == DocumentKind::experiment;
    Json json = {{"schema_version", json_schema_version},
                 {experiment ? "experiment" : "fixture", document.id},
                 {"generator", {{"name", program_name}, {"version", program_version()}}}};
    if (experiment) json["inputs"] = writer(document.inputs);
    json.update(results(document.results));
    if (document.certification) {
        json["certification"] = evidence::summary(*document.certification);
    }
    if (experiment) json["checks"] = writer(evidence::array(document.checks));
    return json.dump(2) + "\n";
}

}  // namespace rmsnorm::report
