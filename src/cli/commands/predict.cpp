// rmsnorm-fixture predict: nine predictions, asked in a dialogue or answered in a file.
#include <memory>

#include "cli/answers_file.hpp"
#include "cli/commands.hpp"
#include "cli/dialogue.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/experiment.hpp"
#include "cli/layer_options.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "evidence/chapter_values.hpp"
#include "evidence/predictions.hpp"
#include "evidence/replay.hpp"
#include "report/json.hpp"
#include "report/predictions_text.hpp"

namespace rmsnorm::cli {
namespace {

struct Request {
    std::shared_ptr<LayerOptions> layer = std::make_shared<LayerOptions>();
    std::optional<std::string> answers;
    std::optional<std::size_t> question;
    bool reveal = false;
    OutputOptions output;
};

bool is_dialogue(const Request& request) {
    return !request.answers && !request.reveal && request.output.format == Format::text;
}

void require_sense(const Request& request) {
    const LayerOptions& layer = *request.layer;
    require_one_reader({layer.input, layer.gain, layer.case_path, request.answers});
    if (!is_dialogue(request)) return;
    if (request.output.path != "-") {
        throw InputError(
            "--output: found for a dialogue, which goes to standard output; accepted: with "
            "--answers, --reveal or --format json");
    }
    if (layer.input == "-" || layer.gain == "-" || layer.case_path == "-") {
        throw InputError(
            "standard input (-) is named for values, but gives a dialogue's answers; accepted: "
            "@FILE, or - with --answers FILE, --reveal or --format json");
    }
}

evidence::Predictions computed(const Request& request) {
    const evidence::LayerCase layer_case =
        read_layer_case(*request.layer, evidence::chapter_values::layer_case());
    return evidence::replayed([&] { return evidence::predictions(layer_case); });
}

void select(evidence::Predictions& predictions, const Request& request) {
    if (request.question) {
        predictions.asked = {predictions.asked.at(*request.question - 1)};
    }
    for (auto& asked : predictions.asked) asked.revealed = request.reveal;
}

report::Document document(const evidence::Predictions& predictions) {
    return {report::DocumentKind::experiment, "predict", inputs(predictions), results(predictions),
            predictions.checks};
}

std::string checks_text(const evidence::Predictions& predictions, const OutputOptions& output) {
    return output.checks ? report::text(predictions.checks) : "";
}

void write_sheet(const evidence::Predictions& predictions, const OutputOptions& output) {
    write_output(output.path,
                 output.format == Format::json
                     ? report::json(document(predictions), output.extent)
                     : report::text(predictions, output.extent) + checks_text(predictions, output));
}

int exit_code(const evidence::Predictions& predictions) {
    return evidence::score_of(predictions.asked).wrong == 0 ? done : check_failed;
}

// One line for whoever keeps the exit code but not the sheet.
void name_wrong_answers(const evidence::Predictions& predictions) {
    std::vector<std::string> wrong;
    for (const auto& asked : predictions.asked) {
        if (asked.verdict && !asked.verdict->correct) wrong.push_back(asked.prediction.id);
    }
    if (wrong.empty()) return;
    print_error(std::to_string(wrong.size()) + (wrong.size() == 1 ? " answer is" : " answers are") +
                " wrong: " + listed(wrong));
}

int run(const Request& request) {
    require_sense(request);
    evidence::Predictions predictions = computed(request);
    const int code = exit_code_of(predictions.checks);
    if (code != done) return code;
    if (request.answers) grade_answers(*request.answers, predictions.asked);
    select(predictions, request);
    if (is_dialogue(request)) hold_dialogue(predictions.asked);
    for (const auto& asked : predictions.asked) {
        if (asked.verdict) {
            predictions.checks.push_back(evidence::answer_check(asked.prediction, *asked.verdict));
        }
    }
    if (is_dialogue(request)) {
        write_output("-", checks_text(predictions, request.output));
        return exit_code(predictions);
    }
    write_sheet(predictions, request.output);
    name_wrong_answers(predictions);
    return exit_code(predictions);
}

}  // namespace

Invocation prepare_predict() {
    const auto request = std::make_shared<Request>();
    Invocation invocation;
    invocation.options = {
        {.names = "--question",
         .value_name = "K",
         .help = "one prediction alone, from 1 to " + std::to_string(evidence::prediction_count),
         .default_text = "all",
         .accept =
             [request](const std::string& text) {
                 request->question = parse_count("--question", text, 1, evidence::prediction_count);
             }},
        {.names = "--answers",
         .value_name = "FILE",
         .help = "ask nothing; grade a JSON object of ids and answers",
         .default_text = "",
         .accept =
             [request](const std::string& argument) {
                 // As for values an @ may mark the file's name.
                 const bool marked = argument.starts_with('@');
                 const std::string path = argument.substr(marked ? 1 : 0);
                 if (path.empty()) {
                     throw InputError("--answers: found " + quoted(argument) +
                                      "; accepted: a file name, or - for standard input");
                 }
                 request->answers = marked && path == "-" ? "./-" : path;
             }},
        {.names = "--reveal",
         .value_name = "",
         .help = "ask nothing; print the answers and their evidence",
         .default_text = "",
         .accept = [request](const std::string&) { request->reveal = true; }}};
    add_layer_options(invocation.options, request->layer, LayerPart::gain,
                      evidence::chapter_values::layer_case());
    add_output_options(invocation.options, request->output, {Format::text, Format::json});
    add_full_option(invocation.options, request->output);
    invocation.options.push_back(
        {.names = "--checks",
         .value_name = "",
         .help = "add a line for each check to the text (JSON always has them)",
         .default_text = "",
         .accept = [request](const std::string&) { request->output.checks = true; }});
    invocation.run = [request] { return run(*request); };
    invocation.sample = [request] {
        evidence::Predictions predictions = computed(*request);
        select(predictions, *request);
        return document(predictions);
    };
    return invocation;
}

}  // namespace rmsnorm::cli
