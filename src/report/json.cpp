#include "report/json.hpp"

#include <nlohmann/json.hpp>

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
    explicit Writer(Extent extent) : extent_(extent) {}

    Json operator()(bool value) const { return value; }
    Json operator()(std::uint64_t value) const { return value; }
    Json operator()(const std::string& value) const { return value; }

    Json operator()(const evidence::Scalar& scalar) const {
        return {{"value", scalar.value},
                {"display", scalar_text(scalar.value, scalar.decimals)},
                {"bits", bits_text(scalar.value, scalar.precision)}};
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
        return json;
    }

    Json operator()(const evidence::Record& record) const {
        Json json = Json::object();
        for (const evidence::Field& field : record.fields) {
            if (field.presence == evidence::Presence::absent) continue;
            json[field.key] = std::visit(*this, field.datum.value);
        }
        return json;
    }

    Json operator()(const evidence::Array& array) const {
        Json json = Json::array();
        for (const evidence::Datum& item : array.items) {
            json.push_back(std::visit(*this, item.value));
        }
        return json;
    }

  private:
    Extent extent_;
};

}  // namespace

std::string json(const Document& document, Extent extent) {
    const Writer writer(extent);
    const bool experiment = document.kind == DocumentKind::experiment;
    Json json = {{"schema_version", json_schema_version},
                 {experiment ? "experiment" : "fixture", document.id},
                 {"generator", {{"name", program_name}, {"version", program_version()}}}};
    if (experiment) json["inputs"] = writer(document.inputs);
    json.update(writer(document.results));
    if (experiment) json["checks"] = writer(evidence::array(document.checks));
    return json.dump(2) + "\n";
}

}  // namespace rmsnorm::report
