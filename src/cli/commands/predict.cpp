// rmsnorm-fixture predict: nine predictions, asked in a dialogue or answered in a file.
#include <optional>

#include "cli/answers_file.hpp"
#include "cli/commands.hpp"
#include "cli/dialogue.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/experiment.hpp"
#include "cli/experiment_inputs.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/output_options.hpp"
#include "experiments/predict/predictions.hpp"
#include "experiments/predict/predictions_text.hpp"
#include "experiments/rmsnorm/layer_inputs.hpp"
#include "report/json.hpp"

namespace rmsnorm::cli {
namespace {

using Experiment = evidence::Declared<experiments::LayerInputs, experiments::predictions,
                                      evidence::Replayed::here>;

struct Request {
    std::optional<std::string> answers;
    std::optional<std::size_t> question;
    bool reveal = false;
    OutputOptions output;
};

// As for values an @ may mark the file's name.
std::string answers_path(const std::string& argument) {
    const bool marked = argument.starts_with('@');
    const std::string path = argument.substr(marked ? 1 : 0);
    if (path.empty()) {
        throw InputError("--answers: found " + quoted(argument) +
                         "; accepted: a file name, or - for standard input");
    }
    return marked && path == "-" ? "./-" : path;
}

Request requested(const std::vector<Option>& options) {
    Request request;
    request.output = requested_output(options);
    if (const auto path = value_of(options, "--answers")) request.answers = answers_path(*path);
    if (const auto question = value_of(options, "--question")) {
        request.question = parse_count("--question", *question, 1, experiments::prediction_count);
    }
    request.reveal = given(options, "--reveal");
    return request;
}

bool is_dialogue(const Request& request) {
    return !request.answers && !request.reveal && request.output.format == Format::text;
}

void require_sense(const Request& request, const std::vector<Option>& options) {
    if (!is_dialogue(request)) return;
    if (request.output.path != "-") {
        throw InputError(
            "--output: found for a dialogue, which goes to standard output; accepted: with "
            "--answers, --reveal or --format json");
    }
    for (const char* name : {"--input", "--gain", "--case"}) {
        if (value_of(options, name) != "-") continue;
        throw InputError(
            "standard input (-) is named for values, but the dialogue reads its answers there; "
            "accepted: @FILE, or - with --answers FILE, --reveal or --format json");
    }
}

void select(experiments::Predictions& predictions, const Request& request) {
    if (request.question) {
        predictions.asked = {predictions.asked.at(*request.question - 1)};
    }
    for (auto& asked : predictions.asked) asked.revealed = request.reveal;
}

std::string checks_text(const Experiment& experiment, const OutputOptions& output) {
    return output.checks ? evidence::text(experiment.checks()) : "";
}

void write_sheet(Experiment& experiment, const OutputOptions& output) {
    write_output(
        output.path,
        output.format == Format::json
            ? report::json(document_of(*experiments::named("predict"), experiment), output.extent)
            : experiment.text(output.extent) + checks_text(experiment, output));
}

int exit_code(const experiments::Predictions& predictions) {
    return experiments::score_of(predictions.asked).wrong == 0 ? done : check_failed;
}

// One line for whoever keeps the exit code but not the sheet.
void name_wrong_answers(const experiments::Predictions& predictions) {
    std::vector<std::string> wrong;
    for (const auto& asked : predictions.asked) {
        if (asked.verdict && !asked.verdict->correct) wrong.push_back(asked.prediction.id);
    }
    if (wrong.empty()) return;
    print_error(std::to_string(wrong.size()) + (wrong.size() == 1 ? " answer is" : " answers are") +
                " wrong: " + listed(wrong));
}

int run(const std::vector<Option>& options) {
    const Request request = requested(options);
    require_sense(request, options);
    Experiment experiment;
    read_inputs(experiment, options);
    experiment.run();
    experiments::Predictions& predictions = experiment.evidence();
    const int code = exit_code_of(predictions.checks);
    if (code != done) return code;
    if (request.answers) grade_answers(*request.answers, predictions.asked);
    select(predictions, request);
    if (is_dialogue(request)) hold_dialogue(predictions.asked);
    for (const auto& asked : predictions.asked) {
        if (asked.verdict) {
            predictions.checks.push_back(
                experiments::answer_check(asked.prediction, *asked.verdict));
        }
    }
    if (is_dialogue(request)) {
        write_output("-", checks_text(experiment, request.output));
        return exit_code(predictions);
    }
    write_sheet(experiment, request.output);
    name_wrong_answers(predictions);
    return exit_code(predictions);
}

}  // namespace

Invocation prepare_predict() {
    Invocation invocation;
    invocation.options = {
        {.names = "--question",
         .value_name = "K",
         .help = "one prediction alone, from 1 to " + std::to_string(experiments::prediction_count),
         .default_text = "all"},
        {.names = "--answers",
         .value_name = "FILE",
         .help = "ask nothing; grade a JSON object of ids and answers",
         .default_text = ""},
        {.names = "--reveal",
         .value_name = "",
         .help = "ask nothing; print the answers and their evidence",
         .default_text = ""}};
    for (Option& option : input_options(Experiment().inputs())) {
        invocation.options.push_back(std::move(option));
    }
    add_output_options(invocation.options, {Format::text, Format::json});
    invocation.options.push_back(force_option());
    invocation.options.push_back(full_option());
    invocation.options.push_back(checks_option());
    invocation.run = run;
    return invocation;
}

}  // namespace rmsnorm::cli
