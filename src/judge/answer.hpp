// What is said of a tensor that another program computed.
#pragma once

namespace rmsnorm::judge {

enum class Answer {
    right,      // inside the bound of every right implementation
    imprecise,  // the formula is right, and a step is rounded more than the format needs
    wrong,
    undecided,  // no bound of use at this width and format, or no row that has a result
};

/// How it is called: right, imprecise, wrong, undecided.
const char* name(Answer answer);

}  // namespace rmsnorm::judge
