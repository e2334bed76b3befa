// JSON texts as trees whose every value knows its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/error.hpp"

namespace rmsnorm::cli {

enum class JsonKind { null, boolean, number, text, array, object };

/// What a JSON text may be.
struct JsonLimits {
    std::string accepted;  ///< In words.
    std::uint64_t
        most_values;        ///< Numbers, strings, and other values inside of arrays and objects.
    std::string hint = {};  ///< How to have more of them.
};

struct JsonMember;
struct JsonTape;

/// One value of a JSON text. Copies are cheap, and share the text's tree.
class JsonNode {
  public:
    JsonKind kind() const;
    bool is(JsonKind wanted) const { return kind() == wanted; }

    // What there is of the kind; a caller asks for its own.
    bool truth() const;
    double number() const;
    std::optional<std::uint64_t> whole()
        const;  ///< A number written without sign, point, exponent.
    std::string_view text() const;
    std::vector<JsonNode> items() const;
    std::vector<JsonMember> members() const;  ///< In the text's order; each key once.

    /// The member of an object.
    std::optional<JsonNode> find(std::string_view key) const;

    /// The first value of an array, and the value behind this one in the same array.
    std::optional<JsonNode> first() const;
    std::optional<JsonNode> next() const;

    /// The value's JSON Pointer (RFC 6901) and line: `/input/3 (line 4)`, or `line 4` of the whole.
    std::string where() const;

    /// What messages call the value: `the string "abc"`, `12.5`, `an array`.
    std::string described() const;

    /// The refusal of the value, or of what was `found` in it.
    InputError refusal(std::string accepted) const;
    InputError refusal(std::string found, std::string accepted) const;

  private:
    friend JsonNode parse_json(std::string, std::string_view, const JsonLimits&);
    JsonNode(std::shared_ptr<const JsonTape> tape, std::size_t index, std::size_t end)
        : tape_(std::move(tape)), index_(index), end_(end) {}

    std::shared_ptr<const JsonTape> tape_;
    std::size_t index_;  // in the tape
    std::size_t end_;    // of the array or object around the value
};

struct JsonMember {
    std::string_view key;
    JsonNode value;
};

/// The value that `bytes` hold. Decimal numbers become the nearest binary64. Throws InputError,
/// which names line and column, for a text that is not one JSON value, for more than the limits
/// allow, for arrays and objects nested more than 72 deep, for a key that comes twice, and for a
/// number that binary64 does not hold. Messages call the text `origin`.
JsonNode parse_json(std::string origin, std::string_view bytes, const JsonLimits& limits);

}  // namespace rmsnorm::cli
