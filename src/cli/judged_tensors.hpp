// The tensors that `judge` is handed: of one safetensors file, or one by one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/tensor_file.hpp"
#include "judge/gradient.hpp"
#include "judge/rows.hpp"

namespace rmsnorm::cli {

/// What the command line says of the tensors.
struct TensorArguments {
    std::optional<std::string> file;   // a safetensors file
    std::optional<std::string> input;  // each a list, @FILE, or a tensor's name in `file`
    std::optional<std::string> gain;
    std::optional<std::string> result;
    std::optional<std::string> upstream;
    std::optional<std::string> input_gradient;
    std::optional<std::string> gain_gradient;
    std::optional<numeric::NumberFormat> dtype;  // of lists, JSON, text and two-byte elements
    double epsilon = 0;
    double gain_offset = 0;
};

/// The tensors, and the files that they are read from.
class JudgedTensors {
  public:
    /// Throws InputError, also for shapes that do not fit, and IoError.
    explicit JudgedTensors(const TensorArguments& arguments);
    JudgedTensors(const JudgedTensors&) = delete;
    JudgedTensors& operator=(const JudgedTensors&) = delete;

    const judge::Tensors& tensors() const { return tensors_; }

    /// Without readers of gradients where none was handed in.
    const judge::GradientTensors& gradients() const { return gradients_; }

    /// The upstream gradient of a file that holds none of the gradients that follow from it.
    const std::optional<std::string>& unused_upstream() const { return unused_upstream_; }

  private:
    struct Source;
    void read_gradients(const Source& input);
    Source find_shaped(const std::string& option, const std::optional<std::string>& argument,
                       const std::vector<std::string>& names, bool required,
                       const std::vector<std::size_t>& shape);
    Source find(const std::string& option, const std::optional<std::string>& argument,
                const std::vector<std::string>& names, bool required);
    std::vector<const StoredTensor*> held_of(const std::vector<std::string>& names) const;
    Source from_argument(const std::string& option, const std::string& argument);
    Source from_file(const std::string& origin, const std::string& path);
    Source stored(const std::string& origin, const StoredTensor& tensor) const;

    TensorArguments arguments_;
    std::string file_origin_;  // what messages call the file
    std::vector<std::unique_ptr<FileBytes>> files_;
    std::vector<StoredTensor> named_;
    judge::Tensors tensors_;
    judge::GradientTensors gradients_;
    std::optional<std::string> unused_upstream_;
    bool takes_dtype_ = false;  // whether a tensor's format is that of --dtype
};

}  // namespace rmsnorm::cli
