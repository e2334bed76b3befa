#include "cli/legacy_experiment.hpp"

#include <memory>

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

}  // namespace

Invocation experiment(std::vector<Option> options,
                      std::function<Presentation(report::Extent)> run) {
    const auto output = std::make_shared<OutputOptions>();
    add_output_options(options, *output, {Format::text, Format::json, Format::html});
    add_full_option(options, *output);
    add_checks_option(options, *output);
    return {.options = std::move(options),
            .run =
                [output, run](const auto&) {
                    const Presentation presentation = run(output->extent);
                    write_output(output->path, rendered(presentation, *output));
                    return exit_code_of(presentation.document.checks);
                },
            .sample = [run] { return run(report::Extent::abridged).document; }};
}

}  // namespace rmsnorm::cli
