#include "cli/experiment.hpp"

#include <memory>

#include "cli/error.hpp"
#include "cli/output.hpp"
#include "report/json.hpp"

namespace rmsnorm::cli {
namespace {

std::string rendered(const Presentation& presentation, const OutputOptions& output) {
    if (output.format == Format::json) return report::json(presentation.document, output.extent);
    std::string text = presentation.text;
    if (output.checks) text += report::text(presentation.document.checks);
    return text;
}

}  // namespace

Invocation experiment(std::vector<Option> options,
                      std::function<Presentation(report::Extent)> run) {
    const auto output = std::make_shared<OutputOptions>();
    add_output_options(options, *output, {Format::text, Format::json});
    add_full_option(options, *output);
    options.push_back({.names = "--checks",
                       .value_name = "",
                       .help = "add a line for each check to the text (JSON always has them)",
                       .default_text = "",
                       .accept = [output](const std::string&) { output->checks = true; }});
    return {.options = std::move(options),
            .run =
                [output, run] {
                    const Presentation presentation = run(output->extent);
                    write_output(output->path, rendered(presentation, *output));
                    return exit_code_of(presentation.document.checks);
                },
            .sample = [run] { return run(report::Extent::abridged).document; }};
}

}  // namespace rmsnorm::cli
