#include "cli/values/json_values.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

#include "cli/values/content.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::cli {
namespace {

constexpr const char* accepted_number = "a finite decimal number such as 1.5 or -2e-3";

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

// Whether a byte can belong to a number or name, rightly or wrongly written.
bool is_word(char byte) {
    return is_digit(byte) || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           byte == '_' || byte == '.' || byte == '+' || byte == '-' || byte == '\'' ||
           static_cast<unsigned char>(byte) >= 0x80;
}

// Walks over the bytes and leaves behind where it is, which the parser itself does not tell.
class CountingIterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}
    reference operator*() const { return *at_; }
    CountingIterator& operator++() {
        *reached_ = ++at_;
        return *this;
    }
    CountingIterator operator++(int) {
        CountingIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
    bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

  private:
    const char* at_;
    const char** reached_;
};

// An array of numbers that grows from the events of the parser.
struct NestedArray {
    std::vector<double> elements;
    std::vector<std::size_t> shape;   // 0 where no array of that depth has closed yet
    std::vector<std::size_t> counts;  // the members so far of each open array
    std::size_t rank = 0;             // the depth of the numbers; 0 before the first
};

enum class Key { shape, values, input, gain, upstream, epsilon };
constexpr std::array<const char*, 6> key_names = {"shape", "values",   "input",
                                                  "gain",  "upstream", "epsilon"};

struct Member {
    bool given = false;
    std::size_t offset = 0;  // of the value, in bytes
    NestedArray array;
    std::vector<std::size_t> widths;  // of `shape`
    double number = 0;                // of `epsilon`
};

// What a document may be.
struct Grammar {
    std::span<const Key> keys;
    bool bare_array;  // an array alone stands for `values`
    const char* accepted;
};

constexpr std::array values_keys = {Key::shape, Key::values};
constexpr std::array case_keys = {Key::shape, Key::input, Key::gain, Key::upstream, Key::epsilon};
constexpr Grammar values_grammar = {
    values_keys, true,
    "a nested array of numbers such as [[1, 2], [3, 4]], or {\"shape\": [2, 2], \"values\": [1, 2, "
    "3, 4]}"};
constexpr Grammar case_grammar = {
    case_keys, false,
    "an object with any of the keys \"shape\", \"input\", \"gain\", \"upstream\" and \"epsilon\""};

// Receives the parser's events. Throws ValuesError at the first that does not fit.
class Document {
  public:
    Document(std::string_view origin, std::string_view bytes, const Limits& limits,
             const Grammar& grammar)
        : origin_(origin), bytes_(bytes), limits_(limits), grammar_(grammar) {}

    void read();

    const Member& operator[](Key key) const { return members_[static_cast<std::size_t>(key)]; }
    // The array of `key` in its own shape, or in `shape` when it is flat and a shape is given.
    Values values(Key key, const std::optional<std::vector<std::size_t>>& shape);
    std::optional<std::vector<std::size_t>> shape() const;
    bool is_object() const { return in_object_; }
    [[noreturn]] void refuse_at(std::size_t offset, std::string found, std::string accepted) const;

    // The events, under the names that the parser calls.
    bool null() { refuse_token(accepted_here()); }
    bool boolean(bool) { refuse_token(accepted_here()); }
    bool string(std::string&) { refuse_token(accepted_here()); }
    bool binary(std::vector<std::uint8_t>&) { refuse_token(accepted_here()); }
    bool number_integer(std::int64_t value) {
        // The parser hands over a negative integer here, and so zero only when it was written -0.
        return number(value == 0 ? -0.0 : static_cast<double>(value));
    }
    bool number_unsigned(std::uint64_t value) {
        whole_ = value;
        const bool result = number(static_cast<double>(value));
        whole_ = 0;
        return result;
    }
    bool number_float(double, const std::string& text) {
        const std::optional<double> value = numeric::parse_decimal(text);
        if (!value) refuse_token(accepted_number);
        return number(*value);
    }
    bool start_object(std::size_t);
    bool key(std::string& name);
    bool end_object();
    bool start_array(std::size_t);
    bool end_array();
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&);

  private:
    bool number(double value);
    bool done(char separator);
    bool number_done();
    Member* member() { return key_ ? &members_[static_cast<std::size_t>(*key_)] : nullptr; }
    const char* accepted_here() const;
    std::size_t token_start() const;
    std::string token_at(std::size_t start) const;
    std::size_t word_end(std::size_t start) const;
    std::string place(std::size_t offset) const;
    [[noreturn]] void refuse_token(std::string accepted) const;

    std::string_view origin_;
    std::string_view bytes_;
    const Limits& limits_;
    const Grammar& grammar_;
    std::array<Member, key_names.size()> members_;
    std::optional<Key> key_;  // whose value is being read
    bool in_object_ = false;
    bool complete_ = false;          // the document has closed
    std::uint64_t whole_ = 0;        // the number at hand when it is a whole one above zero
    const char* reached_ = nullptr;  // behind the last byte that the parser took
    std::size_t after_ = 0;          // no token up to the last event begins from here on
    char separator_ = '\0';          // what may stand between the last token and the next
};

void Document::read() {
    refuse_other_encodings(origin_, bytes_);
    // The parser takes a NUL for the end of its input.
    if (const std::size_t nul = bytes_.find('\0'); nul != std::string_view::npos) {
        refuse_at(nul, quoted(bytes_.substr(nul, 1)), grammar_.accepted);
    }
    reached_ = bytes_.data();
    const char* const end = bytes_.data() + bytes_.size();
    nlohmann::json::sax_parse(CountingIterator(bytes_.data(), &reached_),
                              CountingIterator(end, &reached_), this);
}

Values Document::values(Key key, const std::optional<std::vector<std::size_t>>& shape) {
    Member& from = members_[static_cast<std::size_t>(key)];
    Values values{from.array.shape, std::move(from.array.elements)};
    if (!shape || values.shape == *shape) return values;
    if (values.shape.size() > 1 || element_count(*shape) != values.elements.size()) {
        refuse_at(from.offset,
                  values.shape.size() > 1 ? "an array of shape " + shape_text(values.shape)
                                          : std::to_string(values.elements.size()) + " values",
                  "values for the shape " + shape_text(*shape));
    }
    values.shape = *shape;
    return values;
}

std::optional<std::vector<std::size_t>> Document::shape() const {
    const Member& from = (*this)[Key::shape];
    if (!from.given) return std::nullopt;
    return from.widths;
}

void Document::refuse_at(std::size_t offset, std::string found, std::string accepted) const {
    throw ValuesError({std::string(origin_), place(offset), std::move(found), std::move(accepted)});
}

bool Document::start_object(std::size_t) {
    if (in_object_ || key_) refuse_token(accepted_here());
    in_object_ = true;
    return done('\0');
}

bool Document::key(std::string& name) {
    for (const Key key : grammar_.keys) {
        if (name != key_names[static_cast<std::size_t>(key)]) continue;
        key_ = key;
        if (member()->given) refuse_token("each key once");
        member()->given = true;
        return done(':');
    }
    refuse_token(grammar_.accepted);
}

bool Document::end_object() {
    complete_ = true;
    return done('\0');
}

bool Document::start_array(std::size_t) {
    if (!in_object_ && !key_) {
        if (!grammar_.bare_array) refuse_token(grammar_.accepted);
        key_ = Key::values;
        member()->given = true;
    }
    if (key_ == Key::epsilon) refuse_token(accepted_number);
    NestedArray& array = member()->array;
    const std::size_t depth = array.counts.size();
    if (depth == 0) member()->offset = token_start();
    if (key_ == Key::shape && depth == 1) refuse_token("a whole number from 1");
    if (depth == max_rank) {
        refuse_at(token_start(), "arrays nested more than 64 deep",
                  "arrays nested at most 64 deep");
    }
    if (array.rank > 0 && depth == array.rank) {
        refuse_at(token_start(), "an array where the others have a number",
                  "arrays of one shape at each depth");
    }
    if (depth > 0) ++array.counts.back();
    array.counts.push_back(0);
    return done('\0');
}

bool Document::end_array() {
    NestedArray& array = member()->array;
    const std::size_t count = array.counts.back();
    const std::size_t depth = array.counts.size() - 1;
    if (count == 0) refuse_at(token_start(), "an empty array", "at least one number in each array");
    if (key_ != Key::shape) {
        if (array.shape.size() < array.rank) array.shape.resize(array.rank);
        std::size_t& width = array.shape[depth];
        if (width == 0) width = count;
        if (width != count) {
            refuse_at(token_start(), "an array of " + std::to_string(count) + " members",
                      std::to_string(width) + " members, as in the arrays before it");
        }
    }
    array.counts.pop_back();
    if (depth == 0) {
        key_.reset();
        complete_ = !in_object_;
    }
    return done(complete_ ? '\0' : ',');
}

bool Document::parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) {
    std::size_t start = token_start();
    if (complete_) refuse_at(start, token_at(start), "nothing after the end of the JSON value");
    // The parser breaks 0x10 and 1_000 in two; the message shows the whole.
    if (start < bytes_.size() && is_word(bytes_[start])) {
        while (start > 0 && is_word(bytes_[start - 1])) --start;
    }
    const std::string_view word = bytes_.substr(start, word_end(start) - start);
    if (key_ && !word.empty() && !numeric::parse_decimal(word)) {
        refuse_number(origin_, place(start), word);
    }
    refuse_at(start, token_at(start), accepted_here());
}

bool Document::number(double value) {
    if (!member()) refuse_token(accepted_here());
    NestedArray& array = member()->array;
    if (array.counts.empty()) {
        if (key_ != Key::epsilon) refuse_token(accepted_here());
        member()->offset = token_start();
        member()->number = value;
        key_.reset();
        return number_done();
    }
    if (key_ == Key::shape) {
        std::vector<std::size_t>& widths = member()->widths;
        if (whole_ == 0 || whole_ > std::numeric_limits<std::size_t>::max()) {
            refuse_token("a whole number from 1");
        }
        if (widths.size() == max_rank) refuse_token("at most 64 axes");
        widths.push_back(static_cast<std::size_t>(whole_));
        if (!element_count(widths)) {
            refuse_at(token_start(), "the shape " + shape_text(widths),
                      "a shape whose product can be counted");
        }
        array.counts.back() = widths.size();
        return number_done();
    }
    if (array.rank == 0) array.rank = array.counts.size();
    if (array.rank != array.counts.size()) {
        refuse_at(token_start(), "a number where the others have an array",
                  "arrays of one shape at each depth");
    }
    if (array.elements.size() == limits_.max_elements) {
        refuse_count(origin_, place(token_start()), limits_);
    }
    array.elements.push_back(value);
    ++array.counts.back();
    return number_done();
}

// Ends an event: notes where the next token may begin, and what may stand before it.
bool Document::done(char separator) {
    after_ = static_cast<std::size_t>(reached_ - bytes_.data());
    separator_ = separator;
    return true;
}

// The same for a number: to see its end the parser takes the byte behind it, if there is one.
bool Document::number_done() {
    done(',');
    if (after_ < bytes_.size() || !is_digit(bytes_[after_ - 1])) --after_;
    return true;
}

const char* Document::accepted_here() const {
    if (!key_) return grammar_.accepted;
    if (key_ == Key::epsilon) return accepted_number;
    if (members_[static_cast<std::size_t>(*key_)].array.counts.empty()) {
        return key_ == Key::shape ? "an array of whole numbers such as [2, 2]"
                                  : "an array of numbers such as [1.5, -2e-3]";
    }
    return key_ == Key::shape ? "whole numbers from 1, commas between them, and a closing bracket"
                              : "finite decimal numbers such as 1.5 or -2e-3, commas between them, "
                                "and a closing bracket";
}

// Where the token begins at which the parser is.
std::size_t Document::token_start() const {
    const auto skip_spaces = [this](std::size_t from) {
        return std::min(bytes_.find_first_not_of(" \t\r\n", from), bytes_.size());
    };
    const std::size_t start = skip_spaces(after_);
    const bool separated =
        separator_ != '\0' && start < bytes_.size() && bytes_[start] == separator_;
    return separated ? skip_spaces(start + 1) : start;
}

// What messages call the token that begins at `start`.
std::string Document::token_at(std::size_t start) const {
    if (start == bytes_.size()) return "the end of the text";
    if (bytes_[start] == '"') {
        const std::string_view rest = bytes_.substr(start + 1);
        return "the string " + quoted(rest.substr(0, rest.find('"')));
    }
    return quoted(bytes_.substr(start, std::max<std::size_t>(1, word_end(start) - start)));
}

std::size_t Document::word_end(std::size_t start) const {
    std::size_t end = start;
    while (end < bytes_.size() && is_word(bytes_[end])) ++end;
    return end;
}

std::string Document::place(std::size_t offset) const {
    const std::string_view before = bytes_.substr(0, offset);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t line_start = before.find_last_of('\n') + 1;  // 0 when there is none
    return "line " + std::to_string(line) + ", column " + std::to_string(offset - line_start + 1);
}

void Document::refuse_token(std::string accepted) const {
    const std::size_t start = token_start();
    refuse_at(start, token_at(start), std::move(accepted));
}

// An object must have both keys to stand for values.
void require(const Document& document, Key key) {
    if (document[key].given) return;
    document.refuse_at(
        0, std::string("an object without \"") + key_names[static_cast<std::size_t>(key)] + '"',
        values_grammar.accepted);
}

}  // namespace

Values parse_json(std::string_view origin, std::string_view bytes, const Limits& limits) {
    Document document(origin, bytes, limits, values_grammar);
    document.read();
    require(document, Key::values);
    if (document.is_object()) require(document, Key::shape);
    return document.values(Key::values, document.shape());
}

Case parse_case(std::string_view origin, std::string_view bytes, const Limits& limits) {
    Document document(origin, bytes, limits, case_grammar);
    document.read();
    Case result;
    result.shape = document.shape();
    if (document[Key::input].given) result.input = document.values(Key::input, result.shape);
    if (document[Key::gain].given) result.gain = document.values(Key::gain, std::nullopt);
    if (document[Key::upstream].given) {
        result.upstream = document.values(Key::upstream, result.shape);
        Values& upstream = *result.upstream;
        if (result.input && upstream.shape.size() == 1 &&
            upstream.elements.size() == result.input->elements.size()) {
            upstream.shape = result.input->shape;
        }
    }
    if (document[Key::epsilon].given) result.epsilon = document[Key::epsilon].number;
    return result;
}

}  // namespace rmsnorm::cli
