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

class Writer {
  public:
    explicit Writer(Extent extent, const evidence::Certification* certification = nullptr,
                    std::string path = {})
        : extent_(extent), certification_(certification), path_(std::move(path)) {}

    Json operator()(bool value) const { return value; }
    Json operator()(std::uint64_t value) const { return value; }
    Json operator()(const std::string& value) const { return value; }

    Json operator()(const evidence::Scalar& scalar) const {
        Json json = {{"value", scalar.value},
                     {"display", scalar_text(scalar.value, scalar.decimals)},
                     {"bits", bits_text(scalar.value, scalar.precision)}};
        if (const auto* certified = this->certified()) {
            json["error_ulp"] = certified->certificates.front().error_ulp;
            json["certified"] = is_certified(certified->certificates.front());
        }
        return json;
    }

    Json operator()(const evidence::Figures& figures) const {
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
        if (const auto* certified = this->certified()) {
            json["error_ulp"] = Json::array();
            json["certified"] = Json::array();
            for (std::size_t i = 0; i < shown; ++i) {
                json["error_ulp"].push_back(certified->certificates[i].error_ulp);
                json["certified"].push_back(is_certified(certified->certificates[i]));
            }
        }
        return json;
    }

    Json operator()(const evidence::Record& record) const {
        Json json = Json::object();
        for (const evidence::Field& field : record.fields) {
            if (field.presence == evidence::Presence::absent) continue;
            json[field.key] = certification_ == nullptr
                                  ? std::visit(*this, field.datum.value)
                                  : std::visit(under(field.key), field.datum.value);
        }
        return json;
    }

    Json operator()(const evidence::Array& array) const {
        Json json = Json::array();
        for (std::size_t i = 0; i < array.items.size(); ++i) {
            const evidence::Datum& item = array.items[i];
            json.push_back(certification_ == nullptr
                               ? std::visit(*this, item.value)
                               : std::visit(under(std::to_string(i)), item.value));
        }
        return json;
    }

  private:
    Writer under(const std::string& key) const {
        return Writer(extent_, certification_, path_.empty() ? key : path_ + "/" + key);
    }

    const evidence::CertifiedFigure* certified() const {
        return certification_ == nullptr ? nullptr : certification_->find(path_);
    }

    static bool is_certified(const evidence::Certificate& certificate) {
        return certificate.worth == evidence::Worth::certified;
    }

    Extent extent_;
    const evidence::Certification* certification_;
    std::string path_;
};

}  // namespace

namespace {

std::string written(const Document& document, Extent extent,
                    const evidence::Certification* certification) {
    const Writer writer(extent);
    const bool experiment = document.kind == DocumentKind::experiment;
    Json json = {{"schema_version", json_schema_version},
                 {experiment ? "experiment" : "fixture", document.id},
                 {"generator", {{"name", program_name}, {"version", program_version()}}}};
    if (experiment) json["inputs"] = writer(document.inputs);
    json.update(Writer(extent, certification)(document.results));
    if (certification != nullptr) json["certification"] = evidence::summary(*certification);
    if (experiment) json["checks"] = writer(evidence::array(document.checks));
    return json.dump(2) + "\n";
}

}  // namespace

std::string json(const Document& document, Extent extent) {
    return written(document, extent, nullptr);
}

std::string certified_json(const Document& document, const evidence::Certification& certification,
                           Extent extent) {
    return written(document, extent, &certification);
}

}  // namespace rmsnorm::report
