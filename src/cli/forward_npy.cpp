#include "cli/forward_npy.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "cli/background_task.hpp"
#include "cli/error.hpp"
#include "cli/experiment_inputs.hpp"
#include "cli/input/tensor_input.hpp"
#include "cli/npy_output.hpp"
#include "cli/output.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "evidence/number_text.hpp"
#include "experiments/rmsnorm/exact.hpp"
#include "experiments/rmsnorm/explanation.hpp"
#include "experiments/rmsnorm/forward.hpp"
#include "experiments/rmsnorm/layer_inputs.hpp"
#include "nn/rms_norm_rows.hpp"

namespace rmsnorm::cli {
namespace {

// Enough to make a system call cheap, and little enough to stay in a cache close to the processor.
constexpr std::size_t block_elements = std::size_t{1} << 15;

// At least one row, and whole rows.
std::size_t elements_a_block(std::size_t width) {
    return std::max<std::size_t>(block_elements / width, 1) * width;
}

int forward_in_blocks(NpyStream stream, const evidence::LayerCase& layer_case,
                      const tensor::Shape& shape, const std::string& path) {
    const auto gain = layer_case.gain.values();
    nn::RmsNormRows rows({gain.begin(), gain.end()}, layer_case.epsilon);
    nn::RmsNormRows again({gain.begin(), gain.end()}, layer_case.epsilon);
    const std::size_t total = stream.header().elements;
    const std::size_t block = std::min(elements_a_block(gain.size()), total);
    struct Block {
        std::vector<double> input;
        std::vector<double> output;
    };
    const std::vector<double> unused(block);
    std::array<Block, 2> blocks = {Block{unused, unused}, Block{unused, unused}};
    std::vector<double> second = unused;
    std::string scratch;
    OutputFile file(path, output_name(path));
    file.write(npy_header(shape));
    BackgroundTask checked_and_written;
    Progress progress(total);
    double differing_blocks = 0;
    // While one block is computed again, compared and written, the next is read and computed.
    for (std::size_t turn = 0;; turn ^= 1U) {
        Block& current = blocks[turn];
        const std::size_t count = stream.read_block(current.input);
        if (count == 0) break;
        const auto elements = std::span<const double>(current.input).first(count);
        const auto results = std::span(current.output).first(count);
        rows.normalize(elements, results);
        // After a rejection only the rest of the input counts: an earlier step may fail in it.
        checked_and_written.start([&, elements, results, rejected = rows.failed()] {
            again.normalize(elements, std::span(second).first(results.size()));
            if (std::memcmp(results.data(), second.data(), results.size_bytes()) != 0) {
                ++differing_blocks;
            }
            if (!rejected) file.write(npy_bytes(results, scratch));
        });
        progress.advance(count);
    }
    checked_and_written.finish();
    rows.finish();
    file.commit();
    return exit_code_of({evidence::at_most(
        "replay", "a second run of every block gives the same bits", differing_blocks, 0)});
}

// Rows that lie across the file cannot pass one by one.
void require_fortran_within(const NpyStream& stream, const Limits& limits) {
    const NpyHeader& header = stream.header();
    if (header.elements <= limits.max_elements) return;
    throw InputError({stream.origin(), "header",
                      evidence::counted(header.elements, "value") +
                          " in Fortran order, which must be read whole",
                      accepted_count(limits) + ", or any number in C order"});
}

}  // namespace

int forward_to_npy(const std::vector<Option>& options, const std::string& path) {
    evidence::Declared<experiments::LayerInputs, experiments::forward, evidence::Replayed::here>
        experiment;
    NamedInputs read = read_some_inputs(experiment, options, "input");
    const evidence::Given given(read.inputs, max_elements(options));
    const auto& words = values_of(options, "--input");
    std::optional<int> code;
    read.explain([&] {
        if (!words.empty()) {
            const Limits limits{.max_elements = given.max_elements(), .empty_allowed = true};
            auto opened = open_tensor("--input", words.front(), limits);
            auto* const stream = std::get_if<NpyStream>(&opened);
            if (stream != nullptr && is_row_major(stream->header())) {
                require_within(stream->origin(), stream->header(),
                               {.max_elements = std::numeric_limits<std::size_t>::max(),
                                .empty_allowed = true});
                const tensor::Shape shape =
                    experiment.declaration().complete_for(stream->header().shape, given);
                code = forward_in_blocks(std::move(*stream), experiment.declaration(), shape, path);
                return;
            }
            if (stream != nullptr) require_fortran_within(*stream, limits);
            experiment.declaration().input = stream == nullptr
                                                 ? std::get<tensor::Tensor>(std::move(opened))
                                                 : read_all(std::move(*stream), limits);
        }
        experiment.complete(given);
        experiment.run();
    });
    if (code) return *code;
    write_npy(path, experiment.evidence().output);
    return exit_code_of(experiment.checks());
}

}  // namespace rmsnorm::cli
