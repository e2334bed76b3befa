#include "report/vectors_notes.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "judge/explanation.hpp"
#include "judge/gradient_mistakes.hpp"

namespace rmsnorm::report {
namespace {

using judge::vectors::Direction;

struct Report {
    std::string_view flag;
    Direction direction;
    std::string_view report;
};

constexpr Report reports[] = {
    {"epsilon-outside", Direction::forward, "EleutherAI/gpt-neox#1342"},
    {"epsilon-outside", Direction::forward, "tile-ai/tilelang#1243"},
    {"epsilon-outside", Direction::forward, "NVIDIA/TransformerEngine#364"},
    {"epsilon-other", Direction::forward, "apache/tvm#15856"},
    {"epsilon-other", Direction::forward, "NVIDIA/cutlass#1112"},
    {"epsilon-other", Direction::forward, "huggingface/transformers#38025"},
    {"epsilon-other", Direction::forward, "PaddlePaddle/FastDeploy#2797"},
    {"epsilon-machine", Direction::forward, "pytorch/pytorch#175639"},
    {"epsilon-scaled", Direction::forward, "apple/coremltools#2822"},
    {"sum-for-mean", Direction::forward, "tenstorrent/tt-mlir#8798"},
    {"root-twice", Direction::forward, "pytorch/pytorch#144659"},
    {"root-twice", Direction::forward, "pytorch/pytorch#139274"},
    {"root-inverted", Direction::forward, "mosaicml/llm-foundry#371"},
    {"gain-offset-missing", Direction::forward, "linkedin/Liger-Kernel#74"},
    {"gain-offset-missing", Direction::forward, "pytorch/executorch#19901"},
    {"gain-plus-one", Direction::forward, "utensils/mold#1074"},
    {"gain-plus-one", Direction::forward, "kekzl/imp#459"},
    {"squares-low", Direction::forward, "pytorch/pytorch#133085"},
    {"squares-low", Direction::forward, "xlite-dev/LeetCUDA#335"},
    {"squares-low", Direction::forward, "tenstorrent/tt-metal#55159"},
    {"accumulation-low", Direction::forward, "nntrainer/nntrainer#3935"},
    {"reciprocal-low", Direction::forward, "amd/IRON#139"},
    {"computed-low", Direction::forward, "meta-llama/llama#1048"},
    {"output-truncated", Direction::forward, "ROCm/aiter#5151"},
    {"part", Direction::forward, "ROCm/aiter#5044"},
    {"accumulation-low", Direction::backward, "linkedin/Liger-Kernel#950"},
    {"accumulation-low", Direction::backward, "pytorch/helion#3595"},
    {"reciprocal-low", Direction::backward, "pytorch/helion#2273"},
    {"gain-missing", Direction::backward, "karpathy/llm.c#763"},
    {"upstream-column-major", Direction::backward, "unslothai/unsloth#10617"},
    {"upstream-column-major", Direction::backward, "flagos-ai/FlagGems#1082"},
    {"upstream-scalar", Direction::backward, "Dao-AILab/quack#88"},
    {"upstream-overwritten", Direction::backward, "unslothai/unsloth#4550"},
};

template <class Formulas>
const std::string* statement_in(const Formulas& formulas, const std::string& flag) {
    const auto found = std::find_if(formulas.begin() + 1, formulas.end(), [&](const auto& formula) {
        return formula.explanation.id == flag;
    });
    return found == formulas.end() ? nullptr : &found->statement;
}

// The gradients' catalogues for shapes and inputs that have every mistake.
std::string gradient_note(const std::string& flag) {
    judge::GradientTensors tensors;
    tensors.rows = 7;
    tensors.width = 4;
    tensors.epsilon = 0.5;
    tensors.gain.resize(tensors.width);
    tensors.input_gradient = [](std::size_t, std::size_t, std::span<double>) {};
    std::string note;
    for (const double offset : {0.0, 1.0}) {
        tensors.gain_offset = offset;
        const auto of_input = judge::input_gradient_formulas(tensors);
        const auto of_gain = judge::gain_gradient_formulas(tensors);
        if (const std::string* in_input = statement_in(of_input, flag)) {
            return "input gradient: " + *in_input;
        }
        if (const std::string* in_gain = statement_in(of_gain, flag)) {
            return "gain gradient: " + *in_gain;
        }
    }
    return judge::description(flag);
}

}  // namespace

std::string vectors_note(const std::string& flag, Direction direction) {
    return direction == Direction::forward ? judge::description(flag) : gradient_note(flag);
}

std::vector<std::string> public_reports(const std::string& flag, Direction direction) {
    std::vector<std::string> found;
    for (const Report& one : reports) {
        if (one.flag == flag && one.direction == direction) found.emplace_back(one.report);
    }
    return found;
}

}  // namespace rmsnorm::report
