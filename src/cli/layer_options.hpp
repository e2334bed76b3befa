// The options by which an experiment takes the reader's own layer and input, and their values.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/limits.hpp"
#include "cli/option.hpp"
#include "evidence/layer_case.hpp"

namespace rmsnorm::cli {

/// What the command line said; nothing is read yet.
struct LayerOptions {
    std::optional<std::string> input;
    std::optional<std::vector<std::size_t>> shape;
    std::optional<std::string> gain;
    std::optional<std::string> upstream;
    std::optional<double> epsilon;
    std::optional<std::string> case_path;
    std::optional<std::string> gain_name;
    std::size_t max_elements = Limits{}.max_elements;
    bool empty_allowed = false;  // whether a .npy may hold no row; set by the experiment
};

enum class LayerPart { gain, gain_and_upstream };

/// `--input`, `--shape`, `--gain`, `--gain-name`, `--upstream` as far as `part` goes, `--epsilon`,
/// `--case` and `--max-elements`. The help shows the values of `defaults`.
void add_layer_options(std::vector<Option>& options, const std::shared_ptr<LayerOptions>& layer,
                       LayerPart part, const evidence::LayerCase& defaults);

/// Reads what was given: an option before the case, the case before `defaults`. The default gain
/// holds for its own width, the default upstream for its own shape; for others there are ones.
/// Throws InputError and IoError.
/// `input` is what was read already of `--input`.
evidence::LayerCase read_layer_case(const LayerOptions& layer, const evidence::LayerCase& defaults,
                                    std::optional<tensor::Tensor> input = std::nullopt);

/// All but the input and its adjoint, for an input of `shape` that is not in memory.
struct LayerForShape {
    evidence::LayerCase layer_case;  // its input and upstream are of no use
    tensor::Shape shape;             // as `--shape` or the case may have changed it
};

/// `origin` is the input's. Throws what `read_layer_case` throws.
LayerForShape read_layer(const LayerOptions& layer, const evidence::LayerCase& defaults,
                         const std::string& origin, const tensor::Shape& shape,
                         std::size_t elements);

/// Options that more experiments have.
Option epsilon_option(std::optional<double>& epsilon, double default_value);
Option max_elements_option(std::size_t& max_elements);

/// Throws InputError when more than one of the arguments names standard input.
void require_one_reader(const std::vector<std::optional<std::string>>& arguments);

/// One vector. Throws InputError when the values have another rank than 1, and IoError.
tensor::Tensor read_vector(std::string_view option, const std::string& argument,
                           const Limits& limits);

/// "3,4", "0.0003,0.0004": values as an option takes them.
std::string list_text(const tensor::Tensor& values);
std::string number_text(double value);

/// How the help speaks of values: a list, a file or standard input.
inline constexpr const char* values_name = "VALUES";

}  // namespace rmsnorm::cli
