#include "pages/explore/core.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evidence/experiment.hpp"
#include "evidence/figure_text.hpp"
#include "evidence/replay.hpp"
#include "experiments/exhibit/comparison.hpp"
#include "experiments/normalization/depth.hpp"
#include "experiments/predict/grading.hpp"
#include "experiments/predict/predictions.hpp"
#include "experiments/rmsnorm/backward.hpp"
#include "experiments/rmsnorm/chapter.hpp"
#include "experiments/rmsnorm/forward.hpp"
#include "experiments/rmsnorm/gradient_check.hpp"
#include "experiments/rmsnorm/history.hpp"
#include "experiments/rmsnorm/layer_inputs.hpp"
#include "experiments/rmsnorm/scale.hpp"
#include "experiments/rmsnorm/stages.hpp"
#include "pages/explore/inputs.hpp"
#include "report/json.hpp"

namespace rmsnorm::pages {
namespace {

using evidence::InputRejection;
using evidence::Replayed;
using report::Document;
using report::DocumentKind;
namespace normalization = experiments::normalization;

// The evidence of one experiment, without the ways to show it that a page does not need.
template <class Inputs, auto compute, Replayed replay = Replayed::here>
auto evidence_of(Inputs& given, const Words& words) {
    std::vector<evidence::Input> inputs = given.declared();
    read_inputs(inputs, words);
    if constexpr (requires(const evidence::Given& which) { given.complete(which); }) {
        given.complete(evidence::Given(inputs, max_elements));
    }
    if constexpr (replay == Replayed::here) {
        return evidence::replayed([&] { return compute(given); });
    } else {
        return compute(given);
    }
}

template <class Inputs, auto compute, Replayed replay = Replayed::here>
Document experiment(std::string_view name, const Words& words) {
    Inputs given;
    const auto evidence = evidence_of<Inputs, compute, replay>(given, words);
    Document document{DocumentKind::experiment, std::string(name),
                      evidence::record_of(given.declared()), results(evidence), evidence.checks};
    // As many decimals as can be read, as the program gives them for a reader's own values.
    if (!words.empty()) {
        document.inputs = evidence::readable(std::move(document.inputs), 0);
        document.results = evidence::readable(std::move(document.results), 0);
    }
    return document;
}

struct Entry {
    std::string_view name;
    Document (*document)(std::string_view name, const Words& words);
};

constexpr Entry table[] = {
    {"forward", experiment<experiments::LayerInputs, experiments::forward>},
    {"stages", experiment<experiments::BackwardInputs, experiments::stages>},
    {"gradcheck",
     experiment<experiments::GradientCheckInputs, experiments::explained_gradient_checks>},
    {"scale", experiment<experiments::ScaleInputs, experiments::explained_scale>},
    {"history",
     experiment<experiments::HistoryInputs, experiments::checked_history, Replayed::by_itself>},
    {"compare", experiment<experiments::ComparisonInputs, experiments::explained_comparison>},
    {"depth", experiment<normalization::DepthInputs, normalization::depth>},
};

Document chapter() {
    return {DocumentKind::fixture, "25-rmsnorm", {}, results(experiments::chapter()), {}};
}

// Nothing of an answer stands in the document before it is given.
Document predict(const Words& words, const std::vector<std::string_view>& answers) {
    experiments::LayerInputs given;
    auto evidence = evidence_of<experiments::LayerInputs, experiments::predictions>(given, words);
    for (auto& asked : evidence.asked) {
        asked.revealed = false;
        for (const std::string_view line : answers) {
            const std::string& id = asked.prediction.id;
            if (!line.starts_with(id + " ")) continue;
            asked.verdict = grade(asked.prediction, line.substr(id.size() + 1));
            evidence.checks.push_back(answer_check(asked.prediction, *asked.verdict));
        }
    }
    return {DocumentKind::experiment, "predict", evidence::record_of(given.declared()),
            results(evidence), evidence.checks};
}

Document document(std::string_view request) {
    std::vector<std::string_view> lines = split(request, '\n');
    Words words = split(lines.front(), ' ');
    const std::string_view name = words.front();
    words.erase(words.begin());
    lines.erase(lines.begin());
    if (name == "report") return chapter();
    if (name == "predict") return predict(words, lines);
    for (const Entry& entry : table) {
        if (entry.name == name) return entry.document(name, words);
    }
    throw InputRejection({}, "found " + std::string(name), "an experiment of the explorer");
}

std::string& request() {
    static std::string bytes;
    return bytes;
}

std::string& answer() {
    static std::string bytes;
    return bytes;
}

int refused(std::string_view error_case, const std::exception& error) {
    answer() = std::string(error_case) + "\n" + error.what();
    return 1;
}

int run() {
    try {
        answer() = report::json(document(request()));
        return 0;
    } catch (const nn::RmsNormError& error) {
        return refused(case_name(error), error);
    } catch (const std::exception& error) {
        return refused("", error);
    }
}

}  // namespace
}  // namespace rmsnorm::pages

char* explorer_request(std::size_t bytes) {
    rmsnorm::pages::request().resize(bytes);
    return rmsnorm::pages::request().data();
}

int explorer_run() { return rmsnorm::pages::run(); }

const char* explorer_answer() { return rmsnorm::pages::answer().data(); }

std::size_t explorer_answer_size() { return rmsnorm::pages::answer().size(); }
