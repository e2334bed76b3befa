#include "cli/input/json.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/numbers.hpp"
#include "evidence/number_text.hpp"
#include "numeric/bits.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::cli {
namespace {

enum class EntryKind : std::uint8_t { null, boolean, number, whole, text, array, object };

struct Entry {
    EntryKind kind;
    std::uint32_t line;  // from 1
    // A number's bits, a text's index, or where the entries inside of an array or object end.
    std::uint64_t payload;
};

std::string pointer_part(std::string_view key) {
    constexpr std::size_t longest = 40;
    std::string escaped;
    for (const char c : key.substr(0, longest)) {
        escaped += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    }
    return '/' + printable(escaped) + (key.size() > longest ? "..." : "");
}

}  // namespace

// The values in the order of the text; the key of an object's member is a text before it.
struct JsonTape {
    std::string origin;
    std::vector<Entry> entries;
    std::string characters;  // of all texts
    std::vector<std::size_t> text_ends;

    std::size_t end_of(std::size_t index) const {
        const Entry& entry = entries[index];
        const bool nests = entry.kind == EntryKind::array || entry.kind == EntryKind::object;
        return nests ? static_cast<std::size_t>(entry.payload) : index + 1;
    }

    std::string_view text(std::size_t index) const {
        const auto number = static_cast<std::size_t>(entries[index].payload);
        const std::size_t begin = number == 0 ? 0 : text_ends[number - 1];
        return std::string_view(characters).substr(begin, text_ends[number] - begin);
    }
};

JsonKind JsonNode::kind() const {
    switch (tape_->entries[index_].kind) {
        case EntryKind::boolean: return JsonKind::boolean;
        case EntryKind::number:
        case EntryKind::whole: return JsonKind::number;
        case EntryKind::text: return JsonKind::text;
        case EntryKind::array: return JsonKind::array;
        case EntryKind::object: return JsonKind::object;
        case EntryKind::null: break;
    }
    return JsonKind::null;
}

bool JsonNode::truth() const { return tape_->entries[index_].payload != 0; }

double JsonNode::number() const {
    const Entry& entry = tape_->entries[index_];
    return entry.kind == EntryKind::whole ? static_cast<double>(entry.payload)
                                          : numeric::binary64(entry.payload);
}

std::optional<std::uint64_t> JsonNode::whole() const {
    const Entry& entry = tape_->entries[index_];
    if (entry.kind != EntryKind::whole) return std::nullopt;
    return entry.payload;
}

std::string_view JsonNode::text() const { return tape_->text(index_); }

std::vector<JsonNode> JsonNode::items() const {
    std::vector<JsonNode> all;
    for (auto item = first(); item; item = item->next()) all.push_back(*item);
    return all;
}

std::vector<JsonMember> JsonNode::members() const {
    std::vector<JsonMember> all;
    const std::size_t end = tape_->end_of(index_);
    for (std::size_t key = index_ + 1; key < end; key = tape_->end_of(key + 1)) {
        all.push_back({tape_->text(key), JsonNode(tape_, key + 1, end)});
    }
    return all;
}

std::optional<JsonNode> JsonNode::find(std::string_view key) const {
    for (const JsonMember& member : members()) {
        if (member.key == key) return member.value;
    }
    return std::nullopt;
}

std::optional<JsonNode> JsonNode::first() const {
    const std::size_t end = tape_->end_of(index_);
    if (index_ + 1 == end) return std::nullopt;
    return JsonNode(tape_, index_ + 1, end);
}

std::optional<JsonNode> JsonNode::next() const {
    const std::size_t behind = tape_->end_of(index_);
    if (behind == end_) return std::nullopt;
    return JsonNode(tape_, behind, end_);
}

std::string JsonNode::where() const {
    constexpr std::size_t longest = 200;
    std::string pointer;
    for (std::size_t around = 0; around != index_;) {
        const bool keyed = tape_->entries[around].kind == EntryKind::object;
        std::size_t position = 0;
        std::size_t at = around + 1;
        for (;; ++position, at = tape_->end_of(at + (keyed ? 1 : 0))) {
            if (index_ < tape_->end_of(at + (keyed ? 1 : 0))) break;
        }
        pointer += keyed ? pointer_part(tape_->text(at)) : '/' + std::to_string(position);
        around = at + (keyed ? 1 : 0);
    }
    if (pointer.size() > longest) pointer = pointer.substr(0, longest) + "...";
    const std::string line = "line " + std::to_string(tape_->entries[index_].line);
    return pointer.empty() ? line : pointer + " (" + line + ")";
}

std::string JsonNode::described() const {
    switch (kind()) {
        case JsonKind::null: return "null";
        case JsonKind::boolean: return truth() ? "true" : "false";
        case JsonKind::number:
            if (whole()) return std::to_string(*whole());
            // Of a negative number it is the sign that is wrong, not a point.
            return number() < 0 ? evidence::given_text(number()) : numeric::shortest(number());
        case JsonKind::text: return "the string " + quoted(text());
        case JsonKind::array: return "an array";
        case JsonKind::object: break;
    }
    return "an object";
}

InputError JsonNode::refusal(std::string accepted) const {
    return refusal(described(), std::move(accepted));
}

InputError JsonNode::refusal(std::string found, std::string accepted) const {
    return InputError({tape_->origin, where(), std::move(found), std::move(accepted)});
}

namespace {

constexpr std::size_t deepest = 72;  // the axes of a tensor, and a few objects around it

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
    bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

  private:
    const char* at_;
    const char** reached_;
};

// Receives the parser's events and writes the tape.
class Writer {
  public:
    Writer(JsonTape& tape, std::string_view bytes, const JsonLimits& limits)
        : tape_(tape), bytes_(bytes), limits_(limits) {}

    void run() {
        // The parser takes a NUL for the end of its input.
        if (const std::size_t nul = bytes_.find('\0'); nul != std::string_view::npos) {
            refuse(nul, quoted(bytes_.substr(nul, 1)), limits_.accepted);
        }
        reached_ = bytes_.data();
        const char* const end = bytes_.data() + bytes_.size();
        nlohmann::json::sax_parse(CountingIterator(bytes_.data(), &reached_),
                                  CountingIterator(end, &reached_), this);
    }

    // The events, under the names that the parser calls.
    bool null() { return value(EntryKind::null, 0); }
    bool boolean(bool truth) { return value(EntryKind::boolean, truth ? 1 : 0); }
    bool number_integer(std::int64_t number) {
        // The parser hands over a negative integer here, and so zero only when it was written -0.
        const double exact = number == 0 ? -0.0 : static_cast<double>(number);
        return value(EntryKind::number, numeric::bits(exact));
    }
    bool number_unsigned(std::uint64_t number) { return value(EntryKind::whole, number); }
    bool number_float(double, const std::string& text) {
        const std::optional<double> number = decimal_number(text);
        if (!number) refuse_number(tape_.origin, place(token_start()), text);
        return value(EntryKind::number, numeric::bits(*number));
    }
    bool string(std::string& text) { return value(EntryKind::text, add_text(text)); }
    bool binary(std::vector<std::uint8_t>&) { return true; }  // of other formats
    bool key(std::string& name) {
        if (!keys_.back().insert(name).second) {
            refuse(token_start(), "the key " + quoted(std::string_view(name)) + " twice",
                   "each key once");
        }
        add(EntryKind::text, add_text(name));
        return done(':');
    }
    bool start_object(std::size_t) { return open(EntryKind::object); }
    bool start_array(std::size_t) { return open(EntryKind::array); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&);

  private:
    void pass(bool number);
    void add(EntryKind kind, std::uint64_t payload);
    std::uint64_t add_text(const std::string& text);
    void count_value();
    bool value(EntryKind kind, std::uint64_t payload);
    bool open(EntryKind kind);
    bool close();
    bool done(char separator);
    std::string accepted_here() const;
    std::size_t skip_spaces(std::size_t from) const;
    std::size_t word_end(std::size_t start) const;
    std::size_t token_start() const;
    std::string token_at(std::size_t start) const;
    std::string place(std::size_t offset) const;
    [[noreturn]] void refuse(std::size_t offset, std::string found, std::string accepted) const;

    JsonTape& tape_;
    std::string_view bytes_;
    const JsonLimits& limits_;
    std::vector<std::size_t> open_;            // the entries of the arrays and objects around
    std::vector<std::set<std::string>> keys_;  // so far, of each of them
    std::uint64_t values_ = 0;
    std::uint32_t line_ = 1;
    const char* reached_ = nullptr;  // behind the last byte that the parser took
    std::size_t after_ = 0;          // where the last token ended; lines are counted up to here
    char separator_ = '\0';          // what may stand between the last token and the next
};

bool Writer::parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) {
    std::size_t start = token_start();
    if (open_.empty() && !tape_.entries.empty()) {
        refuse(start, token_at(start), "nothing after the end of the JSON value");
    }
    // The parser breaks 0x10 and 1_000 in two; the message shows the whole.
    if (start < bytes_.size() && is_word(bytes_[start])) {
        while (start > 0 && is_word(bytes_[start - 1])) --start;
    }
    const std::string_view word = bytes_.substr(start, word_end(start) - start);
    if (!open_.empty() && !word.empty() && !numeric::parse_decimal(word)) {
        refuse_number(tape_.origin, place(start), word);
    }
    refuse(start, token_at(start),
           start == skip_spaces(after_) ? accepted_here() : limits_.accepted);
}

// What may stand behind the last token.
std::string Writer::accepted_here() const {
    if (separator_ == ':') return "a colon";
    if (separator_ == '\0') return limits_.accepted;
    const bool array = tape_.entries[open_.back()].kind == EntryKind::array;
    return array ? "a comma or a closing bracket" : "a comma or a closing brace";
}

// Notes where the token ends that the parser has taken: with a number the byte behind it is taken
// too, if there is one.
void Writer::pass(bool number) {
    auto end = static_cast<std::size_t>(reached_ - bytes_.data());
    if (number && (end < bytes_.size() || !is_digit(bytes_[end - 1]))) --end;
    const std::string_view passed = bytes_.substr(after_, end - after_);
    line_ += static_cast<std::uint32_t>(std::count(passed.begin(), passed.end(), '\n'));
    after_ = end;
}

void Writer::add(EntryKind kind, std::uint64_t payload) {
    pass(kind == EntryKind::number || kind == EntryKind::whole);
    tape_.entries.push_back({kind, line_, payload});
}

std::uint64_t Writer::add_text(const std::string& text) {
    tape_.characters += text;
    tape_.text_ends.push_back(tape_.characters.size());
    return tape_.text_ends.size() - 1;
}

void Writer::count_value() {
    if (++values_ <= limits_.most_values) return;
    refuse(token_start(), "more than " + std::to_string(limits_.most_values) + " values",
           "JSON of at most as many" + limits_.hint);
}

bool Writer::value(EntryKind kind, std::uint64_t payload) {
    count_value();
    add(kind, payload);
    return done(',');
}

bool Writer::open(EntryKind kind) {
    if (open_.size() == deepest) {
        refuse(token_start(), "arrays or objects nested more than 72 deep",
               "arrays and objects nested at most 72 deep");
    }
    open_.push_back(tape_.entries.size());
    keys_.emplace_back();
    add(kind, 0);
    return done('\0');
}

bool Writer::close() {
    tape_.entries[open_.back()].payload = tape_.entries.size();
    if (open_.back() + 1 == tape_.entries.size()) count_value();
    pass(false);
    open_.pop_back();
    keys_.pop_back();
    return done(open_.empty() ? '\0' : ',');
}

bool Writer::done(char separator) {
    separator_ = separator;
    return true;
}

std::size_t Writer::skip_spaces(std::size_t from) const {
    return std::min(bytes_.find_first_not_of(" \t\r\n", from), bytes_.size());
}

std::size_t Writer::word_end(std::size_t start) const {
    std::size_t end = start;
    while (end < bytes_.size() && is_word(bytes_[end])) ++end;
    return end;
}

// Where the token begins that the parser is at.
std::size_t Writer::token_start() const {
    const std::size_t start = skip_spaces(after_);
    const bool separated =
        separator_ != '\0' && start < bytes_.size() && bytes_[start] == separator_;
    return separated ? skip_spaces(start + 1) : start;
}

// What messages call the token that begins at `start`.
std::string Writer::token_at(std::size_t start) const {
    if (start == bytes_.size()) return "the end of the text";
    if (bytes_[start] == '"') {
        const std::string_view rest = bytes_.substr(start + 1);
        return "the string " + quoted(rest.substr(0, rest.find('"')));
    }
    return quoted(bytes_.substr(start, std::max<std::size_t>(1, word_end(start) - start)));
}

std::string Writer::place(std::size_t offset) const {
    const std::string_view before = bytes_.substr(0, offset);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t line_start = before.find_last_of('\n') + 1;  // 0 when there is none
    return "line " + std::to_string(line) + ", column " + std::to_string(offset - line_start + 1);
}

void Writer::refuse(std::size_t offset, std::string found, std::string accepted) const {
    throw InputError({tape_.origin, place(offset), std::move(found), std::move(accepted)});
}

}  // namespace

JsonNode parse_json(std::string origin, std::string_view bytes, const JsonLimits& limits) {
    const auto tape = std::make_shared<JsonTape>();
    tape->origin = std::move(origin);
    Writer(*tape, bytes, limits).run();
    return {tape, 0, tape->entries.size()};
}

}  // namespace rmsnorm::cli
