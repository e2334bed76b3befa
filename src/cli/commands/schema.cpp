// rmsnorm-fixture schema: the JSON Schema of the documents, of the exhibit's manifest, or of
// verify's verdicts.
#include "report/schema.hpp"

#include <algorithm>
#include <memory>

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

}  // namespace

Invocation prepare_schema() {
    const auto path = std::make_shared<std::string>("-");
    const auto chosen = std::make_shared<std::string>("evidence");
    Invocation invocation;
    invocation.options = {
        {.names = "",
         .value_name = "KIND",
         .help = "evidence: all documents but two; exhibit: the manifest of exhibit-rmsnorm; "
                 "verify: the verdicts of verify",
         .default_text = "evidence",
         .accept =
             [chosen](const std::string& kind) {
                 const auto known = kinds();
                 if (std::find(known.begin(), known.end(), kind) == known.end()) {
                     throw InputError("schema: found " + quoted(kind) +
                                      "; accepted: " + listed(known));
                 }
                 *chosen = kind;
             },
         .choices = kinds},
        path_option(*path)};
    invocation.run = [path, chosen](const auto&) {
        write_output(*path, *chosen == "exhibit"  ? report::exhibit_schema()
                            : *chosen == "verify" ? report::verdicts_schema()
                                                  : evidence_schema());
        return done;
    };
    return invocation;
}

}  // namespace rmsnorm::cli
