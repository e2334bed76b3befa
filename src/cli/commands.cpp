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
        {documents, "site", "write the fixtures' pages and an index of them into a folder",
         "site pages", prepare_site},
        {documents, "selftest", "test the arithmetic of this machine and recompute every golden",
         "selftest", prepare_selftest},
        {documents, "judge", "judge another program's output, and name its mistake",
         "judge --input 3,4 --result 0.8485278,1.1313704 --epsilon 1e-5", prepare_judge},
        {documents, "vectors", "print test vectors, each with the mistakes that it exposes",
         "vectors --dtype bf16 --direction backward", prepare_vectors},
        {documents, "exhibit", "print the exhibit's manifest, or write it with its files",
         "exhibit --bundle exhibit-rmsnorm", prepare_exhibit}};
    for (const experiments::Entry& entry : experiments::all()) {
        if (entry.kind == experiments::Kind::variant) continue;
        const bool dialogue = entry.kind == experiments::Kind::dialogue;
        all.push_back({entry.group, entry.name, entry.summary, entry.example,
                       dialogue ? prepare_predict : nullptr, &entry});
    }
    constexpr std::string_view book = "Experiments of 23-normalization";
    all.push_back({book, "stats", "measure two vectors of one shape and very different scales",
                   "stats", prepare_stats});
    all.push_back({book, "layer-norm", "normalize by LayerNorm in binary32",
                   "layer-norm --input 1,2,4", prepare_layer_norm});
    all.push_back({book, "rms-norm", "normalize by RMSNorm in binary32", "rms-norm --input 1,2,4",
                   prepare_rms_norm});
    all.push_back({book, "depth",
                   "stack pre-norm and post-norm layers and measure their sensitivity",
                   "depth --depths 1,10,100", prepare_depth});
    all.push_back({book, "layer-norm-backward",
                   "LayerNorm's input gradient and central differences",
                   "layer-norm-backward --format json", prepare_layer_norm_backward});
    all.push_back({book, "constant", "exercise 1: normalize a vector of equal values",
                   "constant --value 5 --width 4", prepare_constant});
    all.push_back({book, "rms-norm-backward",
                   "exercise 2: RMSNorm's gradients by formula, probe and tape",
                   "rms-norm-backward", prepare_rms_norm_backward});
    all.push_back({book, "dense-stack", "exercise 3: the magnitudes in ten dense layers",
                   "dense-stack --spread 0.125", prepare_dense_stack});
    all.push_back({book, "cost", "exercise 4: count the arithmetic of both norms",
                   "cost --width 4096", prepare_cost});
    all.push_back({book, "closed-form",
                   "exercise 5: the factored LayerNorm backward pass and the tape", "closed-form",
                   prepare_closed_form});
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
