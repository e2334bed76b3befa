// rmsnorm-fixture judge: whether another program's output is RMSNorm of its input.
#include "cli/judge.hpp"

#include <algorithm>

#include "cli/choices.hpp"
#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/judged_parts.hpp"
#include "cli/judged_tensors.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
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
    std::vector<std::string> files;
    std::optional<double> epsilon;
    std::string rows;  // FROM:TO, or empty
    bool merge = false;
    const judge::Recipe* recipe = nullptr;
    bool strict = false;
    std::string probe;  // a path, or empty
    OutputOptions output;
};

Request requested(const std::vector<Option>& options) {
    require_one_reader(options, {"FILE", "--input", "--gain", "--result", "--upstream",
                                 "--input-gradient", "--gain-gradient"});
    Request request;
    TensorArguments& tensors = request.tensors;
    request.files = values_of(options, "FILE");
    tensors.input = value_of(options, "--input");
    tensors.gain = value_of(options, "--gain");
    tensors.result = value_of(options, "--result");
    tensors.upstream = value_of(options, "--upstream");
    tensors.input_gradient = value_of(options, "--input-gradient");
    tensors.gain_gradient = value_of(options, "--gain-gradient");
    if (const auto text = value_of(options, "--epsilon"))
        request.epsilon = parse_number("--epsilon", *text, Range::nonnegative);
    if (const auto text = value_of(options, "--gain-offset"))
        tensors.gain_offset = parse_number("--gain-offset", *text, Range::finite);
    if (const auto text = value_of(options, "--dtype"))
        tensors.dtype = dtype_named("--dtype", *text);
    if (const auto id = value_of(options, "--recipe")) request.recipe = judge::find_recipe(*id);
    request.rows = value_of(options, "--rows").value_or("");
    request.merge = given(options, "--merge");
    request.strict = given(options, "--strict");
    request.probe = value_of(options, "--probe").value_or("");
    request.output = requested_output(options);
    return request;
}

// What there is to show of a verdict, whole or of a part of the rows.
struct Judged {
    judge::Tensors tensors;
    judge::Verdict verdict;
    judge::JudgedGradients gradients;
    std::optional<judge::Part> part;
};

report::Document document(const Judged& judged, const std::optional<judge::Probe>& probe,
                          const std::vector<judge::RecipeMatch>& recipes, bool strict) {
    return {report::DocumentKind::experiment, "judge",
            judge::inputs(judged.tensors, judged.verdict.recipe),
            judge::results(judged.verdict, probe, recipes, judged.gradients, judged.part),
            judge::checks(judged.verdict, judged.gradients, strict)};
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

Judged merged(judge::Joined joined) {
    judge::Verdict verdict = judge::conclude(joined.tensors, joined.pass);
    return {std::move(joined.tensors), std::move(verdict), {}, {}};
}

Judged judged_rows(const judge::Tensors& all, const std::string& rows,
                   const judge::Recipe* recipe) {
    const std::size_t colon = std::min(rows.find(':'), rows.size());
    const auto from = whole_number(rows.substr(0, colon));
    const auto to = whole_number(std::string_view(rows).substr(std::min(colon + 1, rows.size())));
    if (!from || !to || *from > *to || *to > all.rows) {
        throw InputError("--rows: found " + quoted(rows) +
                         "; accepted: FROM:TO with FROM at most TO, and TO at most " +
                         std::to_string(all.rows) + ", the number of rows");
    }
    judge::Tensors tensors = judge::tensors_of_rows(all, *from, *to);
    const judge::Pass pass = judge::pass_over(tensors, recipe);
    judge::Verdict verdict = judge::conclude(tensors, pass);
    return {std::move(tensors), std::move(verdict), {}, judge::part_of(all, *from, pass)};
}

Judged judged(const JudgedTensors& tensors, const std::string& rows, const judge::Recipe* recipe) {
    if (rows.empty()) {
        judge::Verdict verdict = judge::judge(tensors.tensors(), true, recipe);
        if (tensors.unused_upstream()) {
            verdict.facts.insert(
                verdict.facts.begin(),
                {"the gradients were not judged: beside " + quoted(*tensors.unused_upstream()) +
                 " the file holds neither the input's gradient (input_gradient, "
                 "grad_input, dx) nor the gain's (gain_gradient, grad_weight, "
                 "dw)"});
        }
        return {
            tensors.tensors(), std::move(verdict), judge::judge_gradients(tensors.gradients()), {}};
    }
    if (tensors.gradients().upstream) {
        throw InputError("--rows: found gradients; accepted: an input and its output alone");
    }
    return judged_rows(tensors.tensors(), rows, recipe);
}

std::string without_probe(const judge::Verdict& verdict) {
    if (verdict.findings.empty()) return "there is no mistake to tell from another";
    if (verdict.findings[0].explanations[0].id == "unknown") return "no mistake is known";
    if (verdict.findings.size() == 1) return "there is one explanation alone";
    return "no input that was tried tells the explanations apart";
}

int show(const Request& request, Judged judged, Waiting& waiting) {
    const judge::Tensors& tensors = judged.tensors;
    auto [probe, undecided] = judge::find_probe(tensors, judged.verdict.findings);
    for (judge::Fact& fact : undecided) judged.verdict.facts.push_back(std::move(fact));
    if (!request.probe.empty()) {
        if (request.probe == request.output.path) {
            throw InputError("--probe: found the file of --output; accepted: another file");
        }
        if (probe) write_file(request.probe, probe_json(*probe), "--probe " + request.probe);
    }
    const auto shown = [&judged, &probe = probe, &tensors, &request] {
        return document(judged, probe, judge::recipe_matches(tensors), request.strict);
    };
    std::string bytes;
    switch (request.output.format) {
        case Format::json: bytes = report::json(shown(), report::Extent::full); break;
        case Format::html: bytes = pages::experiment_page(shown()); break;
        default: bytes = report::text(judged.verdict, tensors, probe, judged.gradients);
    }
    waiting.end();
    if (!request.probe.empty() && !probe) {
        print_error("--probe: no file is written: " + without_probe(judged.verdict));
    }
    write_output(request.output.path, bytes);
    const bool passed = judge::overall(judged.verdict, judged.gradients) == judge::Answer::right &&
                        (!request.strict || judged.verdict.doubts.empty());
    return passed ? done : check_failed;
}

int run(const std::vector<Option>& options) {
    const Request request = requested(options);
    const TensorArguments& tensors = request.tensors;
    if (request.merge) {
        const bool told = tensors.input || tensors.gain || tensors.result || tensors.upstream ||
                          tensors.input_gradient || tensors.gain_gradient || request.epsilon ||
                          request.recipe != nullptr;
        if (told || !request.rows.empty() || request.files.empty()) {
            throw InputError(
                "--merge: found " +
                std::string(request.files.empty() ? "no file" : "what is to be judged, or how") +
                "; accepted: the JSON documents of judge --rows alone, which know them");
        }
        judge::Joined joined = read_parts(request.files);
        Waiting waiting;
        return show(request, merged(std::move(joined)), waiting);
    }
    if (!request.epsilon) {
        throw InputError("judge needs --epsilon: found none; accepted: a number, 0 or more");
    }
    if (request.files.size() > 1) {
        throw InputError("judge: found " + std::to_string(request.files.size()) +
                         " files; accepted: one, or the documents of the parts with --merge");
    }
    TensorArguments arguments = tensors;
    arguments.epsilon = *request.epsilon;
    if (!request.files.empty()) arguments.file = request.files.front();
    const JudgedTensors handed(arguments);
    Waiting waiting;
    return show(request, judged(handed, request.rows, request.recipe), waiting);
}

Option text_option(const std::string& names, const std::string& value_name,
                   const std::string& help) {
    return {.names = names, .value_name = value_name, .help = help, .default_text = ""};
}

Option flag_option(const std::string& names, const std::string& help) {
    return text_option(names, "", help);
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
    judge::JudgedGradient gradient;
    gradient.blind_to = gradient.verdict.doubts = {"epsilon-other"};
    gradient.verdict.explanations = {{one, "a mistake", 0, 1, 1, "", ""}};
    verdict.table[0].candidates = {{0, 1}, {1, 1}};
    judge::Part rows;
    rows.pass.outside = {{false}};
    return document({tensors, verdict, {gradient, gradient}, rows}, std::nullopt,
                    {{"pytorch", true, 1}}, false);
}

Invocation prepare_judge() {
    Invocation invocation;
    std::vector<Option>& options = invocation.options;
    options.push_back({.names = "",
                       .value_name = "FILE",
                       .help =
                           "a safetensors file with input or x, gain or weight, output or y, and "
                           "their gradients; with --merge, the documents of the parts",
                       .default_text = "",
                       .repeatable = true});
    options.push_back(
        text_option("--input", "VALUES", "a list, @FILE, or a tensor's name in FILE"));
    options.push_back(text_option("--gain", "VALUES", "the gain; without one all gains are 1"));
    options.push_back(text_option("--result", "VALUES", "the output that is judged"));
    options.push_back(
        text_option("--upstream", "VALUES", "the output's gradient, from which the others follow"));
    options.push_back(
        text_option("--input-gradient", "VALUES", "the input's gradient, judged as well"));
    options.push_back(
        text_option("--gain-gradient", "VALUES", "the gain's gradient, judged as well"));
    options.push_back(text_option("--epsilon", "NUMBER",
                                  "the epsilon of the expected output, 0 or more; required"));
    options.push_back({.names = "--gain-offset",
                       .value_name = "NUMBER",
                       .help = "added to the gain: 1 for Gemma; needs a gain",
                       .default_text = "0"});
    options.push_back({.names = "--dtype",
                       .value_name = "FORMAT",
                       .help = "the format of lists, JSON and text, and of .npy files that hold "
                               "bfloat16: f64, f32, f16 or bf16",
                       .default_text = "f32",
                       .choices = dtype_names});
    options.push_back({.names = "--recipe",
                       .value_name = "NAME",
                       .help = "judge by the arithmetic of this implementation alone",
                       .default_text = "",
                       .check = require_recipe,
                       .choices = judge::recipe_ids});
    options.push_back(
        text_option("--rows", "FROM:TO",
                    "the rows to judge alone, for --merge; they count from 0, and TO is excluded"));
    options.push_back(flag_option(
        "--merge", "give the verdict on all rows from the JSON documents of their parts"));
    options.push_back(flag_option("--strict", "fail also on a right output with doubts"));
    options.push_back(text_option(
        "--probe", "FILE", "where to write an input on which the explanations differ, as JSON"));
    add_output_options(options, {Format::text, Format::json, Format::html});
    options.push_back(force_option());
    invocation.run = run;
    invocation.sample = judge_sample;
    return invocation;
}

}  // namespace rmsnorm::cli
