// What the subcommands of experiments share: running one and showing its evidence.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "cli/command.hpp"
#include "cli/output_options.hpp"
#include "report/book_text.hpp"
#include "report/document.hpp"

namespace rmsnorm::cli {

/// An experiment's evidence, ready to be shown in any format.
struct Presentation {
    report::Document document;
    std::string text;
};

template <class Evidence>
Presentation present(std::string experiment, const Evidence& evidence, report::Extent extent) {
    return {{report::DocumentKind::experiment, std::move(experiment), inputs(evidence),
             results(evidence), evidence.checks},
            report::text(evidence, extent)};
}

/// Adds the output options to `options`; `run` gives the evidence for the values that they set.
Invocation experiment(std::vector<Option> options, std::function<Presentation(report::Extent)> run);

}  // namespace rmsnorm::cli
