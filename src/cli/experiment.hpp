// What the subcommands of experiments do: read the inputs, run, show the evidence.
#pragma once

#include "cli/command.hpp"
#include "experiments/all.hpp"
#include "report/document.hpp"
#include "report/figures.hpp"

namespace rmsnorm::cli {

/// The options that follow from the declaration of `entry`, and the run that reads them.
Invocation experiment(const experiments::Entry& entry);

/// The document of an experiment that ran.
report::Document document_of(const experiments::Entry& entry, evidence::Experiment& experiment,
                             report::Extent extent = report::Extent::full);

/// Adds what the document's figures are worth, and the check of that. The experiment has exact
/// figures.
void certify(report::Document& document, const evidence::Experiment& experiment);

}  // namespace rmsnorm::cli
