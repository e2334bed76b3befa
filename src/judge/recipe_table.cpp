#include <string>

#include "judge/recipe.hpp"

namespace rmsnorm::judge {
namespace {

// All in the wide format, one rounding to the output's.
constexpr Steps once;
constexpr Steps once_cast = {.cast = Cast::input};
constexpr Steps once_all_cast = {.cast = Cast::input_and_gain};
constexpr Steps once_divided = {.root = Root::division};
constexpr Steps binary64_sum = {.binary64_sum = true};
// The normalized value is rounded before the gain.
constexpr Steps normalized_to_input = {.first_product = Rounding::input};
constexpr Steps cast_to_input = {.first_product = Rounding::input, .cast = Cast::input};
constexpr Steps normalized_to_gain = {.first_product = Rounding::gain};
constexpr Steps statistics_cast_to_gain = {.first_product = Rounding::gain,
                                           .cast = Cast::statistics};
constexpr Steps cast_to_gain = {.first_product = Rounding::gain, .cast = Cast::input};
constexpr Steps divided_to_input = {.root = Root::division, .first_product = Rounding::input};
constexpr Steps cast_divided_to_input = {
    .root = Root::division, .first_product = Rounding::input, .cast = Cast::input};
constexpr Steps offset_in_input = {.first_product = Rounding::input, .offset = Rounding::input};
// The root is rounded, then the quotient, then the product.
constexpr Steps root_to_input = {
    .root = Root::division, .scale = Rounding::input, .first_product = Rounding::input};
constexpr Steps cast_root_to_input = {.root = Root::division,
                                      .scale = Rounding::input,
                                      .first_product = Rounding::input,
                                      .cast = Cast::statistics};
constexpr Steps gain_scale_first = {.products = Products::gain_scale_first};
// Every operation in the input's format.
constexpr Steps all_in_input = {.statistics = Rounding::input,
                                .epsilon = Rounding::input,
                                .scale = Rounding::input,
                                .first_product = Rounding::input,
                                .offset = Rounding::input};
constexpr Steps all_in_input_two_roots = {.statistics = Rounding::input,
                                          .epsilon = Rounding::input,
                                          .root = Root::root_reciprocal,
                                          .scale = Rounding::input,
                                          .first_product = Rounding::input,
                                          .offset = Rounding::input};
constexpr Steps epsilon_outside = {.epsilon_place = EpsilonPlace::outside,
                                   .epsilon = Rounding::input,
                                   .first_product = Rounding::input};
constexpr Steps gain_input_first = {.statistics = Rounding::input,
                                    .epsilon = Rounding::input,
                                    .scale = Rounding::input,
                                    .products = Products::gain_input_first,
                                    .first_product = Rounding::input};

constexpr Recipe table[] = {
    {"llama", "Transformers: Llama, Mistral, Qwen",
     "huggingface/transformers src/transformers/models/llama/modeling_llama.py", "1e-6", 0, false,
     cast_to_input},
    {"meta-llama", "Meta's Llama", "meta-llama/llama llama/model.py", "1e-6", 0, false,
     cast_to_input},
    {"gemma", "Transformers: Gemma",
     "huggingface/transformers src/transformers/models/gemma/modeling_gemma.py", "1e-6", 1, false,
     once_all_cast},
    {"olmo2", "Transformers: OLMo 2, GPT-OSS",
     "huggingface/transformers src/transformers/models/olmo2/modeling_olmo2.py", "1e-5", 0, false,
     once_cast},
    {"t5", "Transformers: T5", "huggingface/transformers src/transformers/models/t5/modeling_t5.py",
     "1e-6", 0, false, statistics_cast_to_gain},
    {"olmo", "OLMo of AI2", "allenai/OLMo olmo/model.py", "given", 0, false, cast_to_input},
    {"pytorch", "torch.nn.RMSNorm, composed", "pytorch/pytorch aten/src/ATen/native/layer_norm.cpp",
     "2^-23, binary64: 2^-52", 0, false, once},
    {"pytorch-cuda", "torch.nn.RMSNorm, fused on CUDA",
     "pytorch/pytorch aten/src/ATen/native/cuda/layer_norm_kernel.cu", "2^-23, binary64: 2^-52", 0,
     false, once},
    {"apex", "Apex FusedRMSNorm", "NVIDIA/apex csrc/layer_norm_cuda_kernel.cu", "1e-5", 0, false,
     normalized_to_input},
    {"apex-mixed", "Apex MixedFusedRMSNorm", "NVIDIA/apex csrc/layer_norm_cuda_kernel.cu", "1e-5",
     0, false, normalized_to_gain},
    {"transformer-engine", "TransformerEngine, general kernel",
     "NVIDIA/TransformerEngine "
     "transformer_engine/common/normalization/rmsnorm/rmsnorm_fwd_kernels.cuh",
     "1e-5", 0, false, once},
    {"transformer-engine-centered", "TransformerEngine, zero-centered gain",
     "NVIDIA/TransformerEngine "
     "transformer_engine/common/normalization/rmsnorm/rmsnorm_fwd_kernels.cuh",
     "1e-5", 1, false, once},
    {"flash-attention", "flash-attention, Triton",
     "Dao-AILab/flash-attention flash_attn/ops/triton/layer_norm.py", "1e-5", 0, false,
     once_all_cast},
    {"flashinfer", "FlashInfer", "flashinfer-ai/flashinfer include/flashinfer/norm.cuh", "1e-6", 0,
     false, once},
    {"flashinfer-gemma", "FlashInfer, Gemma",
     "flashinfer-ai/flashinfer include/flashinfer/norm.cuh", "1e-6", 1, false, once},
    {"vllm", "vLLM, CUDA", "vllm-project/vllm csrc/libtorch_stable/layernorm_kernels.cu", "1e-6", 0,
     false, once},
    {"vllm-older", "vLLM, CUDA, older", "vllm-project/vllm csrc/layernorm_kernels.cu", "1e-6", 0,
     false, normalized_to_input},
    {"vllm-native", "vLLM, composed", "vllm-project/vllm vllm/ir/ops/layernorm.py", "1e-6", 0,
     false, cast_to_input},
    {"vllm-gemma", "vLLM, Gemma", "vllm-project/vllm vllm/model_executor/layers/layernorm.py",
     "1e-6", 1, false, once_all_cast},
    {"liger", "Liger, llama mode", "linkedin/Liger-Kernel src/liger_kernel/ops/rms_norm.py", "1e-6",
     0, false, cast_to_input},
    {"liger-gemma", "Liger, gemma mode", "linkedin/Liger-Kernel src/liger_kernel/ops/rms_norm.py",
     "1e-6", 1, false, once_all_cast},
    {"liger-none", "Liger, none mode", "linkedin/Liger-Kernel src/liger_kernel/ops/rms_norm.py",
     "1e-6", 0, false, all_in_input},
    {"unsloth", "Unsloth", "unslothai/unsloth unsloth/kernels/rms_layernorm.py", "given", 0, false,
     cast_to_gain},
    {"unsloth-gemma", "Unsloth, Gemma", "unslothai/unsloth unsloth/kernels/rms_layernorm.py",
     "given", 1, false, once_all_cast},
    {"onnx", "ONNX RMSNormalization, stash type 1", "onnx/onnx onnx/defs/nn/defs.cc", "1e-5", 0,
     false, cast_divided_to_input},
    {"onnx-reference", "ONNX reference evaluator",
     "onnx/onnx onnx/reference/ops/op_rms_normalization.py", "1e-5", 0, false,
     all_in_input_two_roots},
    {"onnxruntime", "ONNX Runtime, CPU",
     "microsoft/onnxruntime onnxruntime/core/providers/cpu/nn/layer_norm_impl.cc", "given", 0, true,
     once_divided},
    {"flax", "Flax RMSNorm", "google/flax flax/linen/normalization.py", "1e-6", 0, false,
     gain_scale_first},
    {"flax-gemma", "Flax, Gemma example", "google/flax examples/gemma/layers.py", "1e-6", 1, false,
     offset_in_input},
    {"keras", "Keras", "keras-team/keras keras/src/ops/nn.py", "1e-6", 0, false, once},
    {"mlx", "MLX", "ml-explore/mlx mlx/backend/metal/kernels/rms_norm.metal", "1e-5", 0, false,
     cast_to_input},
    {"ggml", "ggml and llama.cpp, CPU", "ggml-org/ggml src/ggml-cpu/ops.cpp", "given", 0, true,
     binary64_sum},
    {"ggml-cuda", "ggml and llama.cpp, CUDA", "ggml-org/ggml src/ggml-cuda/norm.cu", "given", 0,
     false, once},
    {"candle", "candle, CPU", "huggingface/candle candle-nn/src/ops.rs", "given", 0, false,
     root_to_input},
    {"candle-cuda", "candle, CUDA", "huggingface/candle candle-kernels/src/reduce.cu", "given", 0,
     false, once},
    {"candle-composed", "candle, not contiguous", "huggingface/candle candle-nn/src/layer_norm.rs",
     "given", 0, false, divided_to_input},
    {"burn", "burn", "tracel-ai/burn crates/burn-nn/src/modules/norm/rms.rs", "1e-5", 0, false,
     cast_root_to_input},
    {"tinygrad", "tinygrad", "tinygrad/tinygrad tinygrad/nn/__init__.py", "1e-6", 0, false,
     cast_to_input},
    {"rmsnorm-torch", "the authors of RMSNorm, PyTorch", "bzhangGo/rmsnorm rmsnorm_torch.py",
     "1e-8", 0, false, epsilon_outside},
    {"rmsnorm-tensorflow", "the authors of RMSNorm, TensorFlow",
     "bzhangGo/rmsnorm rmsnorm_tensorflow.py", "1e-8", 0, false, gain_input_first},
};

std::string_view target(Rounding rounding) {
    switch (rounding) {
        case Rounding::input: return "the input's format";
        case Rounding::gain: return "the gain's format";
        case Rounding::wide: break;
    }
    return "the wide format";
}

// What stands of the steps in every format.
std::string roundings(const Steps& steps) {
    if (steps.statistics == Rounding::input) {
        return steps.products == Products::gain_input_first
                   ? "every operation in the input's format, the gain times the input first"
                   : "every operation in the input's format";
    }
    if (steps.epsilon_place == EpsilonPlace::outside) {
        return "norm, root mean square, its sum with epsilon, quotient and product rounded to the "
               "input's format";
    }
    std::string text;
    const auto add = [&text](std::string_view part) {
        text.append(text.empty() ? "" : ", ").append(part);
    };
    if (steps.binary64_sum) add("sum in binary64");
    if (steps.scale != Rounding::wide) {
        add("root rounded to ");
        text += target(steps.scale);
    }
    if (steps.products == Products::gain_scale_first) add("gain times reciprocal first");
    if (steps.first_product != Rounding::wide) {
        add("normalized value rounded to ");
        text.append(target(steps.first_product)).append(" before the gain");
    }
    if (steps.offset != Rounding::wide) {
        add("offset and gain added in ");
        text += target(steps.offset);
    }
    return text.empty() ? "rounded once, at the end" : text;
}

}  // namespace

std::span<const Recipe> recipes() { return table; }

std::vector<std::string> recipe_ids() {
    std::vector<std::string> ids;
    for (const Recipe& recipe : recipes()) ids.emplace_back(recipe.id);
    return ids;
}

const Recipe* find_recipe(std::string_view id) {
    for (const Recipe& recipe : table) {
        if (recipe.id == id) return &recipe;
    }
    return nullptr;
}

std::string sentence(const Steps& steps) {
    switch (steps.cast) {
        case Cast::nothing: break;
        case Cast::statistics: return roundings(steps) + "; binary64 statistics in binary32";
        case Cast::input: return roundings(steps) + "; a binary64 input cast to binary32";
        case Cast::input_and_gain:
            return roundings(steps) + "; a binary64 input and gain cast to binary32";
    }
    return roundings(steps);
}

}  // namespace rmsnorm::judge
