#include "cli/commands.hpp"

namespace rmsnorm::cli {

const std::vector<Command>& commands() {
    constexpr std::string_view documents = "Reports";
    constexpr std::string_view chapter = "Experiments of 25-rmsnorm";
    constexpr std::string_view exhibit = "LayerNorm against RMSNorm";
    static const std::vector<Command> all{
        {documents, "report", "print a fixture's checked evidence",
         "report 25-rmsnorm --format json -o report.json", prepare_report},
        {documents, "verify", "recompute golden files and show what differs",
         "verify fixtures/25-rmsnorm", prepare_verify},
        {documents, "list", "list the fixtures and the experiments", "list", prepare_list},
        {documents, "schema", "print the JSON Schema of the documents",
         "schema -o rmsnorm-fixture.schema.json", prepare_schema},
        {documents, "selftest", "test the arithmetic of this machine and recompute every golden",
         "selftest", prepare_selftest},
        {chapter, "forward", "normalize an input, with every intermediate tensor",
         "forward --input 3,4 --gain 1.5,0.5 --epsilon 1e-5", prepare_forward},
        {chapter, "backward", "pass an adjoint back to the input and the gain",
         "backward --input 3,4 --upstream 1,-2", prepare_backward},
        {chapter, "scale", "multiply the input by a factor and compare the normalized vectors",
         "scale --input 3,4 --epsilon 0,1e-5 --factor 0.001,10", prepare_scale},
        {chapter, "sweep",
         "scale the input over decades, from where epsilon rules to where it does not",
         "sweep --from 1e-6 --to 1e2", prepare_sweep},
        {chapter, "zero", "normalize an all-zero row", "zero --width 4 --epsilon 0", prepare_zero},
        {chapter, "batch", "normalize rows together and alone", "batch --input 3,4,0,5 --shape 2,2",
         prepare_batch},
        {chapter, "history", "compare BatchNorm, LayerNorm and RMSNorm on one anchor",
         "history --anchor 1,3 --companion 5,7", prepare_history},
        {chapter, "boundaries", "make the requests that the layer must reject", "boundaries",
         prepare_boundaries},
        {chapter, "gradcheck", "compare gradients with central differences",
         "gradcheck --input 3,4 --step 1e-6 --tolerance 2e-6", prepare_gradcheck},
        {chapter, "parameters", "put the gain in an optimizer group", "parameters",
         prepare_parameters},
        {chapter, "replay", "compute the fixture twice and compare every bit", "replay",
         prepare_replay},
        {exhibit, "exhibit", "print the exhibit's manifest, or write it with its files",
         "exhibit --bundle exhibit-rmsnorm", prepare_exhibit},
        {exhibit, "compare", "compare LayerNorm and RMSNorm on any vector",
         "compare --input 1,2,-3 --offset 5", prepare_compare},
    };
    return all;
}

}  // namespace rmsnorm::cli
