#include "judge/answer.hpp"

namespace rmsnorm::judge {

const char* name(Answer answer) {
    switch (answer) {
        case Answer::right: return "right";
        case Answer::imprecise: return "imprecise";
        case Answer::wrong: return "wrong";
        default: return "undecided";
    }
}

}  // namespace rmsnorm::judge
