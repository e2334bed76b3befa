// The inputs of an experiment, declared once: options, help, cases, documents and replays all
// follow from the declarations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "evidence/record.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::evidence {

/// Which numbers an input takes.
enum class Range { finite, nonnegative, positive };

std::string described(Range range);  // "a finite number above 0"
bool within(double value, Range range);

/// What an input takes beyond its type, and how it is shown.
struct Accepted {
    std::string shown_default = {};  // in the help, where it is not the value itself
    Range range = Range::finite;
    std::uint64_t least = 0;                                         // of a count
    std::uint64_t most = std::numeric_limits<std::uint32_t>::max();  // 0: as --max-elements says
    std::size_t most_elements = 0;          // of values; 0 where --max-elements sets the limit
    bool one_vector = false;                // of a tensor: rank 1 alone
    bool takes_shape = false;               // a flat tensor in a case takes the case's shape
    bool is_shape = false;                  // whole numbers that are a shape
    std::string_view value_name = {};       // "FILE"; by default what the type suggests
    std::string_view option = {};           // "--other"; by default "--" and the key with dashes
    std::string_view alias = {};            // another name of the option
    std::optional<Decimals> decimals = {};  // by default as `exact_scalar` chooses them
    bool recorded = true;                   // stands among a document's inputs
    bool internal = false;  // has no option; a text is recorded when it is not empty
};

/// One input: a member of an experiment's inputs, whose value is the default until it is read.
struct Input {
    using Target =
        std::variant<bool*, std::string*, double*, float*, std::optional<double>*,
                     std::optional<float>*, std::size_t*, tensor::Tensor*, std::vector<float>*,
                     std::vector<double>*, std::vector<std::size_t>*, std::vector<std::string>*,
                     std::vector<tensor::Tensor>*, std::vector<Record>*>;

    Input(std::string_view key_of, Target target_of, std::string help_of, Accepted accepted_of = {})
        : key(key_of),
          target(target_of),
          help(std::move(help_of)),
          accepted(std::move(accepted_of)) {}

    std::string option() const;  // "--gain-name"

    std::string_view key;  // in documents and cases
    Target target;
    std::string help;
    Accepted accepted;
    bool given = false;  // by an option or a case
};

/// Which inputs were given, by key.
class Given {
  public:
    Given(const std::vector<Input>& inputs, std::size_t max_elements);
    bool operator()(std::string_view key) const;
    bool any() const { return !keys_.empty(); }

    /// The most values that a tensor may have.
    std::size_t max_elements() const { return max_elements_; }

  private:
    std::vector<std::string_view> keys_;
    std::size_t max_elements_;
};

/// Values that do not go together, or that an experiment cannot be run with.
class InputRejection : public std::runtime_error {
  public:
    /// `problem` is "found …" or another sentence without an end; `accepted` may be empty.
    InputRejection(std::vector<std::string> keys, const std::string& problem,
                   const std::string& accepted);

    /// The inputs that are to blame.
    const std::vector<std::string>& keys() const { return keys_; }

  private:
    std::vector<std::string> keys_;
};

/// The object `inputs` of a document.
Record record_of(const std::vector<Input>& inputs);

}  // namespace rmsnorm::evidence
