// rmsnorm-fixture schema: the JSON Schema of the documents, of the exhibit's manifest, or of
// verify's verdicts.
#include "report/schema.hpp"

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/experiment.hpp"
#include "cli/fixtures.hpp"
#include "cli/input/limits.hpp"
#include "cli/output.hpp"
#include "report/exhibit.hpp"
#include "report/verdicts.hpp"

namespace rmsnorm::cli {
namespace {

std::string evidence_schema() {
    std::vector<report::Document> samples;
    for (const Fixture& fixture : fixtures()) {
        samples.push_back(fixture.document());
    }
    for (const experiments::Entry& entry : experiments::all()) {
        const auto experiment = entry.make();
        // A variant's inputs are not whole without the option that leads to it.
        if (entry.kind != experiments::Kind::variant) {
            experiment->complete(evidence::Given(experiment->inputs(), Limits{}.max_elements));
        }
        samples.push_back(document_of(entry, *experiment));
    }
    for (const Command& command : commands()) {
        if (command.experiment != nullptr) continue;
        const Invocation invocation = command.prepared();
        if (invocation.sample) samples.push_back(invocation.sample());
    }
    return report::schema(samples);
}

std::vector<std::string> kinds() { return {"evidence", "exhibit", "verify"}; }

std::string schema(const std::string& kind) {
    if (kind == "evidence") return evidence_schema();
    if (kind == "exhibit") return report::exhibit_schema();
    if (kind == "verify") return report::verdicts_schema();
    throw InputError("schema: found " + quoted(kind) + "; accepted: " + listed(kinds()));
}

}  // namespace

Invocation prepare_schema() {
    Invocation invocation;
    invocation.options = {
        {.names = "",
         .value_name = "KIND",
         .help =
             "evidence: all documents but the next two; exhibit: the manifest of exhibit-rmsnorm; "
             "verify: the verdicts of verify",
         .default_text = "evidence",
         .choices = kinds},
        path_option()};
    invocation.run = [](const auto& options) {
        write_output(output_path(options), schema(value_of(options, "KIND").value_or("evidence")));
        return done;
    };
    return invocation;
}

}  // namespace rmsnorm::cli
