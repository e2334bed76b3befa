// rmsnorm-fixture history: three norms on one anchor.
#include "evidence/history.hpp"

#include <memory>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/experiment.hpp"
#include "cli/layer_options.hpp"
#include "evidence/chapter_values.hpp"
#include "nn/normalization.hpp"

namespace rmsnorm::cli {
namespace {

struct Request {
    std::optional<std::string> anchor;
    std::vector<std::string> companions;
    std::optional<double> epsilon;
    std::size_t max_elements = Limits{}.max_elements;
};

evidence::History history(const Request& request) {
    namespace chapter = evidence::chapter_values;
    std::vector<std::optional<std::string>> arguments{request.anchor};
    arguments.insert(arguments.end(), request.companions.begin(), request.companions.end());
    require_one_reader(arguments);
    const tensor::Tensor anchor =
        request.anchor
            ? read_vector("--anchor", *request.anchor, {.max_elements = request.max_elements})
            : chapter::anchor();
    std::vector<tensor::Tensor> companions;
    for (const std::string& companion : request.companions) {
        companions.push_back(
            read_vector("--companion", companion, {.max_elements = request.max_elements}));
        if (companions.back().size() != anchor.size()) {
            throw InputError("--companion: found " + std::to_string(companions.back().size()) +
                             " values; accepted: as many as the anchor has, " +
                             std::to_string(anchor.size()));
        }
    }
    if (companions.empty()) {
        const tensor::Tensor first = chapter::companions().front();
        if (first.size() == anchor.size()) companions.push_back(first);
        companions.push_back(anchor);
    }
    try {
        return evidence::checked_history(anchor, companions,
                                         request.epsilon.value_or(chapter::epsilon));
    } catch (const nn::RmsNormError& error) {
        throw InputError(std::string("--anchor: with epsilon zero, which RMSNorm has here whatever "
                                     "--epsilon is: ") +
                         error.what() +
                         "; accepted: an anchor whose squares are finite and not all zero");
    } catch (const nn::NormalizationError& error) {
        throw InputError(std::string("--anchor, --companion: ") + error.what() +
                         "; accepted: finite variances, and with --epsilon 0 none that is zero");
    }
}

}  // namespace

Invocation prepare_history() {
    namespace chapter = evidence::chapter_values;
    const auto request = std::make_shared<Request>();
    std::vector<Option> options{
        {.names = "--anchor",
         .value_name = values_name,
         .help = "the example that is normalized, [d]: a list, @FILE or -",
         .default_text = list_text(chapter::anchor()),
         .accept = [request](const std::string& text) { request->anchor = text; }},
        {.names = "--companion",
         .value_name = values_name,
         .help = "the other example of its mini-batch, [d]",
         .default_text =
             list_text(chapter::companions().front()) + " for width 2, and then the anchor itself",
         .accept = [request](const std::string& text) { request->companions.push_back(text); },
         .repeatable = true}};
    options.push_back(epsilon_option(request->epsilon, chapter::epsilon));
    options.push_back(max_elements_option(request->max_elements));
    return experiment(std::move(options), [request](report::Extent extent) {
        return present("history", history(*request), extent);
    });
}

}  // namespace rmsnorm::cli
