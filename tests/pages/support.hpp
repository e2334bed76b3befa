// What the tests of pages share: documents with a few figures, and templates filled with them.
#pragma once

#include <string>

#include "pages/error.hpp"
#include "pages/filler.hpp"
#include "report/document.hpp"

namespace rmsnorm::pages_tests {

using namespace rmsnorm;
using evidence::Record;
using pages::Branches;
using pages::PageError;
using report::Document;
using report::DocumentKind;
using tensor::Tensor;

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

inline std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

inline Document experiment(Record results) {
    return {DocumentKind::experiment, "some", Record(), std::move(results), {}};
}

// A template's text with one document's figures.
inline std::string filled(const std::string& text, const Document& document,
                          Branches branches = Branches::taken) {
    pages::Content content;
    content.documents.emplace_back("evidence", document);
    return pages::filled_text(text, content, branches);
}

// What PageError says of it.
inline std::string fault(const std::string& text, const Document& document,
                         Branches branches = Branches::taken) {
    try {
        filled(text, document, branches);
    } catch (const PageError& error) {
        return error.what();
    }
    return "";
}

}  // namespace rmsnorm::pages_tests
