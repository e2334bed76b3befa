// rmsnorm-fixture schema: the JSON Schema of the documents, of the exhibit's manifest, of
// verify's verdicts, or of test vectors.
#include "report/schema.hpp"

#include <memory>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/experiment.hpp"
#include "cli/fixtures.hpp"
#include "cli/output.hpp"
#include "report/exhibit.hpp"
#include "report/vectors.hpp"
#include "report/verdicts.hpp"

namespace rmsnorm::cli {
namespace {

std::string evidence_schema() {
    std::vector<report::Document> samples;
    for (const Fixture& fixture : fixtures()) {
        if (fixture.document != nullptr) samples.push_back(fixture.document());
    }
    for (const experiments::Entry& entry : experiments::all()) {
        samples.push_back(document_of(entry, *entry.make()));
    }
    for (const Command& command : commands()) {
        if (command.experiment != nullptr) continue;
        const Invocation invocation = command.prepared();
        if (invocation.sample) samples.push_back(invocation.sample());
        if (invocation.other_sample) samples.push_back(invocation.other_sample());
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

const Kind& kind_named(const std::string& name) {
    std::vector<std::string_view> names;
    for (const Kind& kind : kinds) {
        if (kind.name == name) return kind;
        names.push_back(kind.name);
    }
    throw InputError("schema: found " + quoted(name) + "; accepted: " + listed(names));
}

}  // namespace

Invocation prepare_schema() {
    const auto path = std::make_shared<std::string>("-");
    const auto chosen = std::make_shared<const Kind*>(&kinds[0]);
    Invocation invocation;
    invocation.options = {
        {.names = "",
         .value_name = "KIND",
         .help =
             "evidence: all documents but three kinds; exhibit: the manifest of exhibit-rmsnorm; "
             "verify: the verdicts of verify; vectors: test vectors",
         .default_text = "evidence",
         .accept = [chosen](const std::string& kind) { *chosen = &kind_named(kind); }},
        path_option(*path)};
    invocation.run = [path, chosen](const auto&) {
        write_output(*path, (*chosen)->schema());
        return done;
    };
    return invocation;
}

}  // namespace rmsnorm::cli
