#include "cli/commands.hpp"

#include <vector>

#include "cli/experiment.hpp"

namespace rmsnorm::cli {
namespace {

std::vector<Command> all_commands() {
    constexpr std::string_view documents = "Reports";
    std::vector<Command> all{
        {documents, "report", "print a fixture's checked evidence",
         "report 25-rmsnorm --format json -o report.json", prepare_report},
        {documents, "verify", "recompute golden files and show what differs",
         "verify fixtures/25-rmsnorm", prepare_verify},
        {documents, "list", "list the fixtures and the subcommands", "list", prepare_list},
        {documents, "schema", "print the JSON Schema of the documents",
         "schema -o rmsnorm-fixture.schema.json", prepare_schema},
        {documents, "site", "write the fixtures' pages, the explorer and an index into a folder",
         "site pages", prepare_site},
        {documents, "explore",
         "write the explorer, a page that computes with the program's own code",
         "explore -o explore.html", prepare_explore},
        {documents, "selftest", "test the arithmetic of this machine and recompute every golden",
         "selftest", prepare_selftest},
        {documents, "judge", "judge another program's output, and name its mistake",
         "judge --input 3,4 --result 0.8485278,1.1313704 --epsilon 1e-5", prepare_judge},
        {documents, "vectors", "print test vectors, each with the mistakes that it exposes",
         "vectors --dtype bf16 --direction backward", prepare_vectors},
        {documents, "exhibit", "print the exhibit's manifest, or write it with its files",
         "exhibit --bundle exhibit-rmsnorm", prepare_exhibit},
        {documents, "completions", "print a completion script for bash, zsh or fish",
         "completions bash", prepare_completions}};
    for (const experiments::Entry& entry : experiments::all()) {
        if (entry.kind == experiments::Kind::variant) continue;
        const bool dialogue = entry.kind == experiments::Kind::dialogue;
        all.push_back({entry.group, entry.name, entry.summary, entry.example,
                       dialogue ? prepare_predict : nullptr, &entry});
    }
    return all;
}

}  // namespace

std::span<const Command> commands() {
    static const std::vector<Command> all = all_commands();
    return all;
}

Invocation Command::prepared() const {
    return prepare != nullptr ? prepare() : cli::experiment(*experiment);
}

}  // namespace rmsnorm::cli
