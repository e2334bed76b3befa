// rmsnorm-fixture judge: whether another program's output is RMSNorm of its input.
#include "cli/judge.hpp"

#include <memory>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/judged_tensors.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/output_options.hpp"
#include "judge/recipe_match.hpp"
#include "judge/verdict_record.hpp"
#include "numeric/decimal.hpp"
#include "pages/pages.hpp"
#include "report/json.hpp"
#include "report/judge_text.hpp"

namespace rmsnorm::cli {
namespace {

struct Request {
    TensorArguments tensors;
    const judge::Recipe* recipe = nullptr;
    bool strict = false;
    std::string probe;  // a path, or empty
    OutputOptions output;
};

numeric::NumberFormat format_of(const std::string& text) {
    if (const auto format = numeric::format_named(text)) return *format;
    throw InputError("--dtype: found " + quoted(text) + "; accepted: f64, f32, f16, bf16");
}

const judge::Recipe& recipe_of(const std::string& id) {
    if (const judge::Recipe* const recipe = judge::find_recipe(id)) return *recipe;
    std::vector<std::string_view> ids;
    for (const judge::Recipe& recipe : judge::recipes()) ids.push_back(recipe.id);
    throw InputError("--recipe: found " + quoted(id) + "; accepted: " + listed(ids));
}

report::Document document(const judge::Tensors& tensors, const judge::Verdict& verdict,
                          const std::optional<judge::Probe>& probe,
                          const std::vector<judge::RecipeMatch>& recipes, bool strict) {
    return {report::DocumentKind::experiment, "judge", judge::inputs(tensors),
            judge::results(verdict, probe, recipes), judge::checks(verdict, strict)};
}

std::string probe_json(const judge::Probe& probe) {
    const auto list = [](const std::vector<double>& values) {
        std::string text = "[";
        for (std::size_t i = 0; i < values.size(); ++i) {
            text += (i == 0 ? "" : ", ") + numeric::shortest(values[i]);
        }
        return text + "]";
    };
    return "{\n  \"shape\": [" + std::to_string(probe.rows) + ", " + std::to_string(probe.width) +
           "],\n  \"epsilon\": " + numeric::shortest(probe.epsilon) +
           ",\n  \"input\": " + list(probe.input) + ",\n  \"gain\": " + list(probe.gain) + "\n}\n";
}

int run(const Request& request) {
    const JudgedTensors judged(request.tensors);
    const judge::Tensors& tensors = judged.tensors();
    judge::Verdict verdict = judge::judge(tensors);
    if (request.recipe != nullptr) judge::require_recipe(tensors, *request.recipe, verdict);
    const auto probe = judge::probe_for(tensors, verdict.findings);
    if (!request.probe.empty()) {
        if (!probe) {
            throw InputError(
                "--probe: found nothing to tell apart; accepted: with an output that "
                "several mistakes explain");
        }
        write_file(request.probe, probe_json(*probe), "--probe " + request.probe);
    }
    const report::Document shown =
        document(tensors, verdict, probe, judge::recipe_matches(tensors), request.strict);
    std::string bytes;
    switch (request.output.format) {
        case Format::json: bytes = report::json(shown, report::Extent::full); break;
        case Format::html: bytes = pages::experiment_page(shown); break;
        default: bytes = report::text(verdict, tensors, probe);
    }
    write_output(request.output.path, bytes);
    const bool passed =
        verdict.answer == judge::Answer::right && (!request.strict || verdict.doubts.empty());
    return passed ? done : check_failed;
}

Option text_option(const std::string& names, const std::string& value_name, const std::string& help,
                   std::function<void(const std::string&)> accept) {
    return {.names = names,
            .value_name = value_name,
            .help = help,
            .default_text = "",
            .accept = std::move(accept)};
}

}  // namespace

report::Document judge_sample() {
    judge::Tensors tensors;
    tensors.rows = 1;
    tensors.width = 1;
    judge::Verdict verdict;
    verdict.doubts = verdict.blind_to = {"epsilon-other"};
    const judge::Explanation one{"epsilon-missing", "", {}, {}, {}};
    const judge::Explanation part{"part", "", {}, {}, {}};
    const judge::Place place{"all", "0"};
    verdict.findings = {{{one}, {}, 1, 0, 1, {}},
                        {{one, one}, {}, 1, 0, 2, {}},
                        {{part, one}, place, 1, 0, 1, {}},
                        {{part, one, one}, place, 1, 0, 1, {}}};
    verdict.table = {{}};
    verdict.facts = {{"a fact"}};
    return document(tensors, verdict, std::nullopt, {{"pytorch", true, 1}}, false);
}

Invocation prepare_judge() {
    const auto request = std::make_shared<Request>();
    TensorArguments& tensors = request->tensors;
    Invocation invocation;
    std::vector<Option>& options = invocation.options;
    options.push_back(text_option(
        "", "FILE", "a safetensors file with input or x, gain or weight, and output or y",
        [&tensors](const std::string& text) { tensors.file = text; }));
    options.push_back(text_option("--input", "VALUES", "a list, @FILE, or a tensor's name in FILE",
                                  [&tensors](const std::string& text) { tensors.input = text; }));
    options.push_back(text_option("--gain", "VALUES", "the gain; without one all gains are 1",
                                  [&tensors](const std::string& text) { tensors.gain = text; }));
    options.push_back(text_option("--result", "VALUES", "the output that is judged",
                                  [&tensors](const std::string& text) { tensors.result = text; }));
    options.push_back({.names = "--epsilon",
                       .value_name = "NUMBER",
                       .help = "the epsilon that the output should have; from 0",
                       .default_text = "",
                       .accept =
                           [&tensors](const std::string& text) {
                               tensors.epsilon =
                                   parse_number("--epsilon", text, Range::nonnegative);
                           },
                       .required = true});
    options.push_back({.names = "--gain-offset",
                       .value_name = "NUMBER",
                       .help = "what the layer adds to the gain: 1 for Gemma",
                       .default_text = "0",
                       .accept = [&tensors](const std::string& text) {
                           tensors.gain_offset = parse_number("--gain-offset", text, Range::finite);
                       }});
    options.push_back(
        {.names = "--dtype",
         .value_name = "FORMAT",
         .help = "the format of lists, JSON and text, and of .npy files that hold "
                 "bfloat16: f64, f32, f16 or bf16",
         .default_text = "f32",
         .accept = [&tensors](const std::string& text) { tensors.dtype = format_of(text); }});
    options.push_back(
        text_option("--recipe", "NAME", "the one implementation that the output should be right by",
                    [request](const std::string& text) { request->recipe = &recipe_of(text); }));
    options.push_back({.names = "--strict",
                       .value_name = "",
                       .help = "a right output with doubts fails too",
                       .default_text = "",
                       .accept = [request](const std::string&) { request->strict = true; }});
    options.push_back(text_option("--probe", "FILE",
                                  "write an input on which the explanations differ, as JSON",
                                  [request](const std::string& text) { request->probe = text; }));
    add_output_options(options, request->output, {Format::text, Format::json, Format::html});
    invocation.run = [request](const auto&...) { return run(*request); };
    invocation.sample = judge_sample;
    return invocation;
}

}  // namespace rmsnorm::cli
