// The parts from which every page is put together.
#pragma once

#include <string>
#include <vector>

#include "report/html/view.hpp"

namespace rmsnorm::report::html {

/// A vector longer than this is shown by its first and last values.
inline constexpr std::size_t longest_vector = 12;

/// What a vector is on its way through the layer: its card's border.
enum class State { plain, input, normalized, output };

/// The tensor's values, one a line, each with its symbol, its index and a bar.
/// The longest bar stands for `largest`, or for the tensor's own largest magnitude.
std::string value_list(const View& view, const std::string& path, const std::string& symbol,
                       double largest = 0);

/// "[3.000000, 4.000000]"; a long one with its first and last values and how many there are.
std::string vector(const View& view, const std::string& path);

/// "[2, 2]".
std::string shape(const tensor::Tensor& tensor);

/// A card: a titled box. `content` is HTML.
std::string card(State state, const std::string& title, const std::string& content);

/// A term and what it is.
std::string pair(const std::string& term, const std::string& content);

/// `pairs` as a list of terms.
std::string pairs(const std::string& content);

/// What may be wider than the screen: scrolls by itself and takes the keyboard.
std::string region(const std::string& label, const std::string& content);

/// A verdict that does not rely on color: a mark and the word.
std::string verdict(bool good, const std::string& words);

struct Table {
    std::string caption;             // HTML
    std::vector<std::string> heads;  // of the columns, HTML
    /// HTML; the first cell heads its row.
    std::vector<std::vector<std::string>> rows;
    std::string name;                      // a class; empty for none
    std::vector<std::size_t> points = {};  // the columns of `aligned` figures
};

std::string table(const Table& table);

/// Figures of one column that begins at its left, so that their points stand under each other
/// though their digits and signs differ.
std::vector<std::string> aligned(const View& view, const std::vector<std::string>& paths);

/// A section with a heading; `id` is its address in the page.
std::string section(const std::string& id, const std::string& title, const std::string& content);

std::string paragraph(const std::string& content);

}  // namespace rmsnorm::report::html
