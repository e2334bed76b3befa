#include <nlohmann/json.hpp>

#include "experiments/exhibit/bundled.hpp"
#include "report/exhibit.hpp"
#include "report/json_value.hpp"
#include "report/sha256.hpp"
#include "report/version.hpp"

namespace rmsnorm::report {
namespace {

constexpr int manifest_schema_version = 1;
constexpr std::string_view slug = "rmsnorm";
constexpr std::string_view class_name = "NormalizationComparison";

Json nullable(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json layers(const experiments::Graph& graph) {
    Json all = Json::array();
    for (const experiments::Layer& layer : graph.layers) {
        Json params = Json::object();
        for (const auto& [key, value] : layer.params) {
            params[key] = std::visit([](const auto& v) { return Json(v); }, value);
        }
        Json json = {{"id", layer.id},
                     {"label", layer.label},
                     {"op", layer.op},
                     {"kind", layer.kind},
                     {"parent", nullable(layer.parent)},
                     {"params", std::move(params)}};
        if (!layer.statement.empty()) {
            const auto line = experiments::line_of(layer.statement, experiments::model_py());
            json["source"] = {{"line", line.value_or(0)}, {"endLine", line.value_or(0)}};
        }
        all.push_back(std::move(json));
    }
    return all;
}

Json connections(const experiments::Graph& graph) {
    Json all = Json::array();
    for (const experiments::Connection& connection : graph.connections) {
        all.push_back({{"id", "edge-" + std::to_string(all.size() + 1)},
                       {"source", connection.source},
                       {"target", connection.target},
                       {"sourcePort", nullptr},
                       {"targetPort", nullptr}});
    }
    return all;
}

Json steps(const std::vector<experiments::Step>& steps) {
    Json all = Json::array();
    for (const experiments::Step& step : steps) {
        all.push_back(
            {{"id", step.id}, {"target", step.target}, {"title", step.title}, {"note", step.note}});
    }
    return all;
}

Json values(const tensor::Tensor& tensor) {
    Json all = Json::array();
    for (const double value : tensor.values()) all.push_back(value);
    return all;
}

Json shaped(const tensor::Tensor& tensor) {
    return {{"shape", tensor.shape()}, {"dtype", "float32"}, {"values", values(tensor)}};
}

Json statements(const std::vector<experiments::Claim>& claims) {
    Json all = Json::array();
    for (const experiments::Claim& claim : claims) all.push_back(claim.check.statement);
    return all;
}

Json measurements(const std::vector<experiments::Claim>& claims) {
    Json all = Json::array();
    for (const experiments::Claim& claim : claims) {
        all.push_back({{"claim", claim.check.statement},
                       {"figure", claim.figure},
                       {"measured", claim.check.measure},
                       {"bound", claim.check.bound},
                       {"passed", claim.check.passed}});
    }
    return all;
}

Json provenance(const experiments::Exhibit& evidence, const std::optional<CapturedRun>& captured) {
    const experiments::SeededForward& seeded = evidence.seeded;
    const std::string program = std::string(program_name) + " " + std::string(program_version());
    const CapturedRun run = captured.value_or(CapturedRun{"undated", program, program});
    return {{"capturedAt", run.captured_at},
            {"productRevision", program_version()},
            {"sourceSha256", sha256(experiments::model_py())},
            {"python", run.python},
            {"torch", run.torch},
            {"program", program_name},
            {"execution",
             {{"inputs",
               {{"args",
                 {{{"shape", seeded.input.shape()}, {"dtype", "float32"}, {"fill", "randn"}}}}}},
              {"device", "cpu"},
              {"mode", "eval"},
              {"seed", seeded.seed},
              {"generator", "mt19937"},
              {"deterministic", true},
              {"seeded", {{"input", shaped(seeded.input)}, {"output", shaped(seeded.output)}}}}},
            {"outcome", evidence::all_passed(evidence.checks) ? "passed" : "failed"},
            {"outputShape", seeded.output.shape()},
            {"method",
             "The program computes every figure when it prints this manifest. The recorded vectors "
             "are binary64; the seeded forward is binary32, in the same arithmetic as the model."},
            {"scope",
             "One untrained layer of each kind, one seeded input, three claims. Nothing is said "
             "about training or speed."},
            {"numericalChecks", statements(evidence.claims)},
            {"measurements", measurements(evidence.claims)}};
}

Json vector(std::string_view label, const tensor::Tensor& tensor) {
    return {{"label", label}, {"values", values(tensor)}};
}

Json mean_by_order(std::string_view label, const experiments::MeanByOrder& mean) {
    return {{"label", label},
            {"ascending", mean.ascending},
            {"pairwise", mean.pairwise},
            {"twoLanes", mean.two_lanes}};
}

Json cases(const experiments::Exhibit& evidence) {
    Json all = Json::array();
    for (const experiments::ExhibitCase& one : evidence.cases) {
        const experiments::Comparison& comparison = one.comparison;
        const std::string layer_label = "Mean of LayerNorm's output";
        const std::string rms_label = "Mean of RMSNorm's output";
        all.push_back(
            {{"id", one.id},
             {"label", one.label},
             {"note", one.note},
             {"target", "rms_norm"},
             {"vectors",
              {vector("Input", comparison.vector), vector("LayerNorm", comparison.layer_norm),
               vector("RMSNorm", comparison.rms_norm)}},
             {"metrics",
              {{{"label", layer_label}, {"value", comparison.layer_norm_mean.two_lanes}},
               {{"label", rms_label}, {"value", comparison.rms_norm_mean.two_lanes}}}},
             {"meansByOrder",
              {mean_by_order(layer_label, comparison.layer_norm_mean),
               mean_by_order(rms_label, comparison.rms_norm_mean)}}});
    }
    return all;
}

Json experiment(const experiments::Exhibit& evidence) {
    return {{"kind", "vectors"},
            {"title", "One vector, three ways in, two norms"},
            {"description",
             "Computed in binary64 with gains of 1, no bias and an epsilon of 0.000001. Pick what "
             "happens to the vector before it is normalized."},
            {"controlLabel", "Before the norm"},
            {"cases", cases(evidence)}};
}

std::string graph_json(const experiments::Exhibit& evidence) {
    const Json json = {{"schemaVersion", manifest_schema_version},
                       {"slug", slug},
                       {"className", class_name},
                       {"layers", layers(evidence.graph)},
                       {"connections", connections(evidence.graph)}};
    return json.dump(2) + "\n";
}

// The first digits of the hash of the files' hashes, as `sha256sum FILE… | sha256sum` gives it.
std::string revision(const std::vector<BundleFile>& files) {
    std::string sums;
    for (const BundleFile& file : files) sums += sha256(file.bytes) + "  " + file.name + "\n";
    return sha256(sums).substr(0, 16);
}

std::string text_at(const Json& json, const char* key) {
    if (!json.is_object() || !json.contains(key) || !json[key].is_string()) return "";
    return json[key].get<std::string>();
}

std::optional<CapturedRun> run_at(const Json& json) {
    const CapturedRun run{text_at(json, "capturedAt"), text_at(json, "python"),
                          text_at(json, "torch")};
    if (run.captured_at.empty() || run.python.empty() || run.torch.empty()) return std::nullopt;
    return run;
}

}  // namespace

CapturedRun captured_run(std::string_view json_text) {
    const Json json = Json::parse(json_text, nullptr, false);
    const std::optional<CapturedRun> run = run_at(json);
    if (!run) {
        throw CapturedRunError(
            "found no text under each of capturedAt, python and torch; accepted: the "
            "provenance.json that the bundle's run.py writes");
    }
    const std::string hash = text_at(json, "sourceSha256");
    const std::string ours = sha256(experiments::model_py());
    if (hash != ours) {
        throw CapturedRunError("found the sourceSha256 \"" + hash.substr(0, 64) +
                               "\"; accepted: that of this program's model.py, " + ours);
    }
    return *run;
}

std::optional<CapturedRun> captured_run_in(std::string_view manifest) {
    const Json json = Json::parse(manifest, nullptr, false);
    if (!json.is_object() || !json.contains("provenance")) return std::nullopt;
    return run_at(json["provenance"]);
}

std::vector<BundleFile> exhibit_files(const experiments::Exhibit& evidence) {
    return {{"graph.tensorviz.json", graph_json(evidence)},
            {"model.py", std::string(experiments::model_py())},
            {"run.py", std::string(experiments::run_py())},
            {"requirements.txt", std::string(experiments::requirements_txt())},
            {"preview.svg", exhibit_svg(evidence)}};
}

std::string exhibit_manifest(const experiments::Exhibit& evidence,
                             const std::optional<CapturedRun>& captured) {
    const std::vector<BundleFile> files = exhibit_files(evidence);
    Json listed = Json::object();
    for (const BundleFile& file : files) {
        listed[file.name] = {
            {"url", file.name}, {"sha256", sha256(file.bytes)}, {"bytes", file.bytes.size()}};
    }
    const Json json = {
        {"schemaVersion", manifest_schema_version},
        {"slug", slug},
        {"title", exhibit_words::title},
        {"className", class_name},
        {"question", exhibit_words::question},
        {"description", exhibit_words::description},
        {"category", "Transformer components"},
        {"tags", {"RMSNorm", "LayerNorm", "Normalization"}},
        {"curator", program_name},
        {"attribution",
         "Figures, picture and text are made by rmsnorm-fixture; the model in model.py uses "
         "PyTorch's operators."},
        {"license", "No license has been declared for this exhibit by itself."},
        {"limitations", exhibit_words::limitations},
        {"openingStep", exhibit_words::opening_step},
        {"provenance", provenance(evidence, captured)},
        {"layers", layers(evidence.graph)},
        {"connections", connections(evidence.graph)},
        {"steps", steps(evidence.steps)},
        {"milestone",
         {{"name", "RMSNorm"},
          {"year", 2019},
          {"kind", "Component"},
          {"fidelity", "The paper's equation on eight features, with the gains a new layer has."},
          {"papers",
           {{{"title", "Root Mean Square Layer Normalization"},
             {"url", "https://arxiv.org/abs/1910.07467"}}}}}},
        {"experiment", experiment(evidence)},
        {"revision", revision(files)},
        {"files", std::move(listed)}};
    return json.dump(2) + "\n";
}

}  // namespace rmsnorm::report
