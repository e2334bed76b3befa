#include "nn/parameter_groups.hpp"

#include <doctest/doctest.h>

#include "nn/parameter.hpp"
#include "support/rejection.hpp"

using namespace rmsnorm::nn;
using rmsnorm::testing::rejection;

namespace {

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("each name stands in the group that it was put in") {
    const ParameterGroups groups({"linear.weight"}, {"norm.gain", "linear.bias"});
    CHECK(groups.decay() == Names{"linear.weight"});
    CHECK(groups.no_decay() == Names{"norm.gain", "linear.bias"});
    const ParameterGroups empty({}, {});
    CHECK(empty.decay().empty());
    CHECK(empty.no_decay().empty());
}

TEST_CASE("a gain in both groups is refused") {
    const auto refused = rejection<ParameterGroupError, NameInBothGroups>([] {
        ParameterGroups({"weight", "norm.gain"}, {"bias", "norm.gain"});
    });
    CHECK(refused.fields.name == "norm.gain");
    CHECK(refused.message ==
          "parameter norm.gain must stand in one of decay and no-decay, not in both");
}

TEST_CASE("a name twice in one group is refused") {
    const auto decay = rejection<ParameterGroupError, DuplicateName>([] {
        ParameterGroups({"a", "b", "a"}, {});
    });
    CHECK(decay.fields.name == "a");
    CHECK(decay.fields.group == "decay");
    CHECK(decay.message == "parameter a stands twice in the decay group");
    const auto no_decay = rejection<ParameterGroupError, DuplicateName>([] {
        ParameterGroups({"a"}, {"b", "b"});
    });
    CHECK(no_decay.message == "parameter b stands twice in the no-decay group");
    // Before the overlap that it is, too.
    rejection<ParameterGroupError, DuplicateName>([] { ParameterGroups({"a"}, {"a", "a"}); });
}

TEST_CASE("names that are no names are refused in either group") {
    rejection<ParameterNameError, EmptyName>([] { ParameterGroups({""}, {}); });
    rejection<ParameterNameError, NameCharacter>([] { ParameterGroups({"a"}, {"a b"}); });
    rejection<ParameterNameError, EmptyNamePart>(
        [] { ParameterGroups::covering({"a."}, {"a."}, {}); });
}

TEST_CASE("names that differ in a letter's case or dots are different names") {
    CHECK_NOTHROW(ParameterGroups({"gain", "gain.0"}, {"Gain", "gain.00"}));
}

TEST_CASE("groups that cover a model hold each of its parameters once") {
    const ParameterGroups groups =
        ParameterGroups::covering({"weight", "norm.gain"}, {"weight"}, {"norm.gain"});
    CHECK(groups.decay() == Names{"weight"});
    CHECK(groups.no_decay() == Names{"norm.gain"});
    CHECK_NOTHROW(ParameterGroups::covering({}, {}, {}));
}

TEST_CASE("a name that the model does not have is refused in either group") {
    const auto decay = rejection<ParameterGroupError, UnknownName>([] {
        ParameterGroups::covering({"weight"}, {"weight", "waste"}, {});
    });
    CHECK(decay.fields.name == "waste");
    CHECK(decay.fields.group == "decay");
    CHECK(decay.message == "the decay group names waste, which is no parameter of the model");
    CHECK(rejection<ParameterGroupError, UnknownName>([] {
              ParameterGroups::covering({"weight"}, {"weight"}, {"gain"});
          }).message == "the no-decay group names gain, which is no parameter of the model");
}

TEST_CASE("a parameter of the model in no group is refused") {
    const auto refused = rejection<ParameterGroupError, UnassignedName>([] {
        ParameterGroups::covering({"weight", "norm.gain"}, {"weight"}, {});
    });
    CHECK(refused.fields.name == "norm.gain");
    CHECK(refused.message ==
          "parameter norm.gain must stand in one of decay and no-decay, not in neither");
    rejection<ParameterGroupError, UnassignedName>(
        [] { ParameterGroups::covering({"a"}, {}, {}); });
}

TEST_CASE("a model that has a name twice is refused") {
    const auto refused = rejection<ParameterGroupError, DuplicateName>([] {
        ParameterGroups::covering({"gain", "gain"}, {}, {"gain"});
    });
    CHECK(refused.fields.name == "gain");
    CHECK(refused.fields.group == "model");
    CHECK(refused.message == "parameter gain stands twice in the model");
}

TEST_CASE("overlaps come before unknown names, and those before unassigned ones") {
    rejection<ParameterGroupError, NameInBothGroups>(
        [] { ParameterGroups::covering({"a"}, {"b"}, {"b"}); });
    rejection<ParameterGroupError, UnknownName>(
        [] { ParameterGroups::covering({"a"}, {"b"}, {}); });
}
