#include "cli/legacy_experiment.hpp"

#include <memory>

#include "cli/error.hpp"
#include "cli/npy_output.hpp"
#include "cli/output.hpp"
#include "pages/pages.hpp"
#include "report/json.hpp"

namespace rmsnorm::cli {
namespace {

std::string rendered(const Presentation& presentation, const OutputOptions& output) {
    if (output.format == Format::json) return report::json(presentation.document, output.extent);
    if (output.format == Format::html) {
        return pages::experiment_page(presentation.document, output.extent);
    }
    std::string text = presentation.text;
    if (output.checks) text += evidence::text(presentation.document.checks);
    return text;
}

// A .npy holds the values and nothing that these options choose.
void refuse_beside_npy(const OutputOptions& output) {
    const auto refuse = [&](const std::string& option) {
        throw InputError("--output: found " + quoted(output.path) + " beside " + option +
                         "; accepted: a name without .npy, or no " +
                         option.substr(0, option.find(' ')));
    };
    if (output.format_given) refuse("--format " + format_name(output.format));
    if (output.extent == report::Extent::full) refuse("--full");
    if (output.checks) refuse("--checks");
}

}  // namespace

Invocation experiment(std::vector<Option> options, std::function<Presentation(report::Extent)> run,
                      NpyWriter write_npy) {
    const auto output = std::make_shared<OutputOptions>();
    add_output_options(options, *output, {Format::text, Format::json, Format::html},
                       write_npy ? Arrays::written : Arrays::none);
    add_full_option(options, *output);
    options.push_back({.names = "--checks",
                       .value_name = "",
                       .help = "add a line for each check to the text (JSON always has them)",
                       .default_text = "",
                       .accept = [output](const std::string&) { output->checks = true; }});
    return {.options = std::move(options),
            .run =
                [output, run, write_npy](const auto&) {
                    if (names_npy(output->path)) {
                        refuse_beside_npy(*output);
                        return write_npy(output->path);
                    }
                    const Presentation presentation = run(output->extent);
                    write_output(output->path, rendered(presentation, *output));
                    return exit_code_of(presentation.document.checks);
                },
            .sample = [run] { return run(report::Extent::abridged).document; }};
}

}  // namespace rmsnorm::cli
