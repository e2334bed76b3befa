// rmsnorm-fixture schema: the JSON Schema of the documents.
#include "report/schema.hpp"

#include <memory>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/fixtures.hpp"
#include "cli/output.hpp"

namespace rmsnorm::cli {
namespace {

std::string evidence_schema() {
    std::vector<report::Document> samples;
    for (const Fixture& fixture : fixtures()) {
        if (fixture.document != nullptr) samples.push_back(fixture.document());
    }
    for (const Command& command : commands()) {
        const Invocation invocation = command.prepare();
        if (invocation.sample) samples.push_back(invocation.sample());
    }
    return report::schema(samples);
}

}  // namespace

Invocation prepare_schema() {
    const auto path = std::make_shared<std::string>("-");
    Invocation invocation;
    invocation.options = {path_option(*path)};
    invocation.run = [path] {
        write_output(*path, evidence_schema());
        return done;
    };
    return invocation;
}

}  // namespace rmsnorm::cli
