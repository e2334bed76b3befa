#include "cli/commands.hpp"

namespace rmsnorm::cli {

std::span<const Command> commands() {
    constexpr std::string_view documents = "Reports";
    constexpr std::string_view chapter = "Experiments of 25-rmsnorm";
    constexpr std::string_view exhibit = "LayerNorm against RMSNorm";
    constexpr std::string_view book = "Experiments of 23-normalization";
    static constexpr Command all[] = {
        {documents, "report", "print a fixture's checked evidence",
         "report 25-rmsnorm --format json -o report.json", prepare_report},
        {documents, "verify", "recompute golden files and show what differs",
         "verify fixtures/25-rmsnorm", prepare_verify},
        {documents, "list", "list the fixtures and the experiments", "list", prepare_list},
        {documents, "schema", "print the JSON Schema of the documents",
         "schema -o rmsnorm-fixture.schema.json", prepare_schema},
        {documents, "site", "write the fixtures' pages and an index of them into a folder",
         "site pages", prepare_site},
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
        {chapter, "predict", "predict before you look: nine questions, and why an answer is wrong",
         "predict --input 3,4 --question 3", prepare_predict},
        {book, "stats", "measure two vectors of one shape and very different scales", "stats",
         prepare_stats},
        {book, "layer-norm", "normalize by LayerNorm in binary32", "layer-norm --input 1,2,4",
         prepare_layer_norm},
        {book, "rms-norm", "normalize by RMSNorm in binary32", "rms-norm --input 1,2,4",
         prepare_rms_norm},
        {book, "depth", "stack pre-norm and post-norm layers and measure their sensitivity",
         "depth --depths 1,10,100", prepare_depth},
        {book, "layer-norm-backward", "LayerNorm's input gradient and central differences",
         "layer-norm-backward --format json", prepare_layer_norm_backward},
        {book, "constant", "exercise 1: normalize a vector of equal values",
         "constant --value 5 --width 4", prepare_constant},
        {book, "rms-norm-backward", "exercise 2: RMSNorm's gradients by formula, probe and tape",
         "rms-norm-backward", prepare_rms_norm_backward},
        {book, "dense-stack", "exercise 3: the magnitudes in ten dense layers",
         "dense-stack --spread 0.125", prepare_dense_stack},
        {book, "cost", "exercise 4: count the arithmetic of both norms", "cost --width 4096",
         prepare_cost},
        {book, "closed-form", "exercise 5: the factored LayerNorm backward pass and the tape",
         "closed-form", prepare_closed_form},
        {book, "latent", "exercise 6: normalize a compressed latent, or not", "latent --rank 4",
         prepare_latent},
        {exhibit, "exhibit", "print the exhibit's manifest, or write it with its files",
         "exhibit --bundle exhibit-rmsnorm", prepare_exhibit},
        {exhibit, "compare", "compare LayerNorm and RMSNorm on any vector",
         "compare --input 1,2,-3 --offset 5", prepare_compare},
    };
    return all;
}

}  // namespace rmsnorm::cli
