// The fixture 23-normalization: its six experiments and six exercises with their own values.
#pragma once

#include <string>
#include <vector>

#include "evidence/parts.hpp"

namespace rmsnorm::experiments::normalization {

struct Book {
    std::vector<Part> parts;
    Proof proof;
};

Book book();

/// The objects of a report in their documented order.
Record results(const Book& evidence);
std::string text(const Book& evidence);

}  // namespace rmsnorm::experiments::normalization
