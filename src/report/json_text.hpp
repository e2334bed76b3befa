// JSON as text: a member or an item a line, two spaces a level.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rmsnorm::report {

class JsonText {
  public:
    /// `bracket` opens an object or an array; what follows is in it until it is closed.
    void open(char bracket);
    void close(char bracket);

    /// The name of the next value, within an object.
    void key(std::string_view name);

    void add(bool value);
    void add_null();
    void add(std::uint64_t value);
    /// Digits that read back to the same bits; null for infinities and NaN, which JSON lacks.
    void add(double value);
    /// Throws std::invalid_argument for text that is not UTF-8.
    void add(std::string_view value);

    /// A number in these words, and an array of such on one line.
    void add_number(std::string_view digits);
    void add_numbers(const std::vector<std::string>& digits);
    /// An array of texts on one line.
    void add_texts(const std::vector<std::string>& values);

    std::string str() && { return std::move(text_) + "\n"; }

  private:
    void place();
    void line();
    void quote(std::string_view value);

    std::string text_;
    std::size_t depth_ = 0;
    bool behind_key_ = false;
    bool empty_ = true;  // nothing stands yet between the innermost brackets
};

}  // namespace rmsnorm::report
