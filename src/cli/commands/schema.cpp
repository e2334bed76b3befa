// rmsnorm-fixture schema: the JSON Schema of the documents, of the exhibit's manifest, of
// verify's verdicts, or of test vectors.
#include "report/schema.hpp"

#include "cli/choices.hpp"
#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/experiment.hpp"
#include "cli/fixtures.hpp"
#include "cli/input/limits.hpp"
#include "cli/output.hpp"
#include "report/exhibit.hpp"
#include "report/vectors.hpp"
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

struct Kind {
    std::string_view name;
    std::string (*schema)();
};

constexpr Kind kinds[] = {{"evidence", evidence_schema},
                          {"exhibit", report::exhibit_schema},
                          {"verify", report::verdicts_schema},
                          {"vectors", report::vectors_schema}};

std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    for (const Kind& kind : kinds) names.emplace_back(kind.name);
    return names;
}

const Kind& kind_named(const std::string& name) {
    for (const Kind& kind : kinds) {
        if (kind.name == name) return kind;
    }
    refuse_choice("schema", name, kind_names());
}

}  // namespace

Invocation prepare_schema() {
    Invocation invocation;
    invocation.options = {
        {.names = "",
         .value_name = "KIND",
         .help = "evidence: all documents but the next three; exhibit: the manifest of "
                 "exhibit-rmsnorm; verify: the verdicts of verify; vectors: test vectors",
         .default_text = "evidence",
         .choices = kind_names},
        path_option()};
    invocation.run = [](const auto& options) {
        const Kind& kind = kind_named(value_of(options, "KIND").value_or("evidence"));
        write_output(output_path(options), kind.schema());
        return done;
    };
    return invocation;
}

}  // namespace rmsnorm::cli
