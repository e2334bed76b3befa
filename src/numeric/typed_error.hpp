// The base of a floor's typed errors.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace rmsnorm::numeric {

/// A rejection as one of several plain structs, on which a caller can switch. Two errors are equal
/// when their cases are, in every field, and their messages.
template <class... Cases>
class TypedError : public std::runtime_error {
  public:
    using Case = std::variant<Cases...>;

    const Case& rejection() const { return rejection_; }

    friend bool operator==(const TypedError& a, const TypedError& b) {
        return a.rejection_ == b.rejection_ && std::string_view(a.what()) == b.what();
    }

  protected:
    /// `message` gives the text of each case.
    template <class Message>
    TypedError(Case rejection, Message message, const std::string& subject = "")
        : std::runtime_error(subject + std::visit(message, rejection)),
          rejection_(std::move(rejection)) {}

  private:
    Case rejection_;
};

}  // namespace rmsnorm::numeric
