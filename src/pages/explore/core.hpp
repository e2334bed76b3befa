// The experiments that the explorer runs in the browser, behind a C interface: a request is a
// command line, an answer the document that the program prints for it as JSON.
#pragma once

#include <cstddef>

extern "C" {

/// Where a request of `bytes` bytes is to be written. Words stand between single spaces, without
/// the program's name: "forward --input=3,4 --epsilon=1e-5".
/// For `predict` each further line is an answer: "output 1.27,0.57".
char* explorer_request(std::size_t bytes);

/// Runs the request. 0: the answer is what the program prints with --format json, byte for byte.
/// 1: it was refused, and the answer is the case of the typed error (may be empty), a line end,
/// and the message.
int explorer_run();

/// The last answer, ASCII or UTF-8.
const char* explorer_answer();
std::size_t explorer_answer_size();
}
