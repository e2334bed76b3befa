#include "cli/parse.hpp"

#include <algorithm>
#include <numeric>

#include "cli/error.hpp"
#include "experiments/all.hpp"

namespace rmsnorm::cli {
namespace {

std::vector<std::string> option_names(const std::vector<Option>& options) {
    std::vector<std::string> names;
    for (const Option& option : options) {
        if (!option.names.empty()) names.push_back(display_name(option));
    }
    return names;
}

// The subcommands whose results have a derivation.
std::vector<std::string> explaining() {
    std::vector<std::string> names;
    for (const experiments::Entry& entry : experiments::all()) {
        const bool subcommand = entry.kind != experiments::Kind::variant;
        if (subcommand && entry.make()->explains()) names.emplace_back(entry.name);
    }
    return names;
}

[[noreturn]] void refuse_extra(const std::string& command, const std::vector<Option>& options,
                               const std::string& word) {
    const std::string help = "; see rmsnorm-fixture " + command + " --help";
    if (word.size() > 1 && word[0] == '-') {
        const std::string name = word.substr(0, word.find('='));
        if (name == "--man") {
            throw InputError(
                "unknown option " + quoted(name) + " after " + command +
                "; accepted: rmsnorm-fixture --man, the manual page of all subcommands");
        }
        if (name == "--explain") {
            throw InputError("--explain: " + command +
                             " has no derivation to print; accepted by: " + listed(explaining()));
        }
        const std::string near = nearest(name, option_names(options));
        throw InputError("unknown option " + quoted(name) +
                         (near.empty() ? "" : ", did you mean " + near + "?") +
                         "; accepted: " + listed(option_names(options)) + help);
    }
    throw InputError("unexpected argument " + quoted(word) + "; " + command +
                     " accepts options only" + help);
}

Option* option_named(std::vector<Option>& options, const std::string& name) {
    for (Option& option : options) {
        const std::string names = "," + option.names + ",";
        if (!option.names.empty() && names.find("," + name + ",") != std::string::npos) {
            return &option;
        }
    }
    return nullptr;
}

bool takes_value(const Option* option) { return option != nullptr && !option->value_name.empty(); }

// A word alone never is a value when it could be an option: behind an = it always is.
bool looks_like_option(std::vector<Option>& options, const std::string& word) {
    return word.rfind("--", 0) == 0 || word == "-h" || option_named(options, word) != nullptr;
}

[[noreturn]] void refuse_without_value(const std::string& command, const Option& option,
                                       const std::string& where, const std::string& hint) {
    throw InputError(display_name(option) + ": found no value" + where +
                     "; accepted: " + option.value_name + " (" + option.help + ")" + hint +
                     "; see rmsnorm-fixture " + command + " --help");
}

void require_value(const std::string& command, std::vector<Option>& options, const Option& option,
                   const std::vector<std::string>& words, std::size_t at) {
    const bool ends = at == words.size();
    if (!ends && !looks_like_option(options, words[at])) return;
    const std::string name = display_name(option);
    refuse_without_value(
        command, option, ends ? "" : " before " + quoted(words[at]),
        ends ? "" : ", or " + quoted(name + "=" + words[at]) + " if that is the value");
}

[[noreturn]] void refuse_value(const std::string& name, const std::string& value) {
    throw InputError(name + " takes no value; found " + quoted(value) + "; accepted: " + name);
}

// Gives each word of a command line to the option that it names, as POSIX and GNU have it:
// --name VALUE, --name=VALUE, -n VALUE, -nVALUE, flags one by one or as -ab, and arguments, which
// are all words behind "--". A flag gets "true" each time.
class Distribution {
  public:
    Distribution(const std::string& command, std::vector<Option>& options,
                 const std::vector<std::string>& words)
        : command_(command), options_(options), words_(words) {}

    Parsed run() {
        bool arguments_only = false;
        for (; at_ < words_.size(); ++at_) {
            const std::string& word = words_[at_];
            if (arguments_only || word.size() < 2 || word[0] != '-') {
                take_argument(word);
            } else if (word == "--") {
                arguments_only = true;
            } else if (word[1] == '-') {
                take_named(word);
            } else {
                take_letters(word);
            }
        }
        return help_ ? Parsed::help : version_ ? Parsed::version : Parsed::run;
    }

  private:
    void take_argument(const std::string& word) {
        for (Option& option : options_) {
            if (option.names.empty()) {
                option.values.push_back(word);
                return;
            }
        }
        refuse_extra(command_, options_, word);
    }

    void take_named(const std::string& word) {
        const std::string name = word.substr(0, word.find('='));
        const bool has_value = name.size() < word.size();
        const std::string value = has_value ? word.substr(name.size() + 1) : "";
        Option* const option = option_named(options_, name);
        if (!takes_value(option)) {
            if (option == nullptr && name != "--help" && name != "--version") {
                refuse_extra(command_, options_, word);
            }
            if (has_value) refuse_value(name, value);
            take_flag(name, option);
        } else if (!has_value) {
            take_next_word(*option);
        } else if (value.empty()) {
            refuse_without_value(command_, *option, " after the =", "");
        } else {
            option->values.push_back(value);
        }
    }

    void take_letters(const std::string& word) {
        for (std::size_t i = 1; i < word.size(); ++i) {
            const std::string name = {'-', word[i]};
            Option* const option = option_named(options_, name);
            if (option == nullptr && name != "-h") refuse_extra(command_, options_, name);
            const std::string rest = word.substr(i + 1);
            const bool equals = rest.rfind('=', 0) == 0;
            if (!takes_value(option)) {
                if (equals) refuse_value(name, rest.substr(1));
                take_flag(name, option);
                continue;
            }
            if (equals) {
                throw InputError(name + ": found " + quoted(rest) + "; accepted: " + name + " " +
                                 option->value_name +
                                 (rest == "=" ? "" : ", or " + display_name(*option) + rest));
            }
            if (rest.empty()) {
                take_next_word(*option);
            } else {
                option->values.push_back(rest);
            }
            return;
        }
    }

    void take_flag(const std::string& name, Option* option) {
        if (option != nullptr) {
            option->values.emplace_back("true");
        } else if (name == "--version") {
            version_ = true;
        } else {
            help_ = true;
        }
    }

    void take_next_word(Option& option) {
        require_value(command_, options_, option, words_, ++at_);
        option.values.push_back(words_[at_]);
    }

    const std::string& command_;
    std::vector<Option>& options_;
    const std::vector<std::string>& words_;
    std::size_t at_ = 0;
    bool help_ = false;
    bool version_ = false;
};

}  // namespace

const std::vector<std::string>& values_of(const std::vector<Option>& options,
                                          std::string_view name) {
    static const std::vector<std::string> none;
    const auto found = std::find_if(options.begin(), options.end(), [&](const Option& option) {
        return display_name(option) == name;
    });
    return found == options.end() ? none : found->values;
}

std::optional<std::string> value_of(const std::vector<Option>& options, std::string_view name) {
    const std::vector<std::string>& values = values_of(options, name);
    return values.empty() ? std::nullopt : std::optional(values.front());
}

bool given(const std::vector<Option>& options, std::string_view name) {
    return !values_of(options, name).empty();
}

void require_one_reader(const std::vector<Option>& options, const std::vector<std::string>& names) {
    std::ptrdiff_t readers = 0;
    for (const std::string& name : names) {
        const std::vector<std::string>& values = values_of(options, name);
        readers += std::count(values.begin(), values.end(), "-");
    }
    if (readers > 1) {
        throw InputError(
            "standard input (-) is named more than once; accepted: once, since it can only be "
            "read once");
    }
}

Parsed parse(const std::string& command, std::vector<Option>& options,
             const std::vector<std::string>& words) {
    const Parsed asked = Distribution(command, options, words).run();
    if (asked != Parsed::run) return asked;
    for (const Option& option : options) {
        const std::vector<std::string>& values = option.values;
        if (option.required && values.empty()) {
            throw InputError(command + " needs " + display_name(option) + "; see rmsnorm-fixture " +
                             command + " --help");
        }
        if (values.size() > 1 && !option.repeatable) {
            throw InputError(display_name(option) + " is given " + std::to_string(values.size()) +
                             " times; accepted: once");
        }
        for (const std::string& value : values) {
            if (option.check) option.check(value);
        }
    }
    return Parsed::run;
}

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
    std::string best;
    std::size_t best_distance = 3;
    for (const std::string& candidate : candidates) {
        // Levenshtein's distance, one row at a time.
        std::vector<std::size_t> row(candidate.size() + 1);
        std::iota(row.begin(), row.end(), std::size_t{0});
        for (std::size_t i = 0; i < word.size(); ++i) {
            std::size_t diagonal = row[0]++;
            for (std::size_t j = 0; j < candidate.size(); ++j) {
                const std::size_t replaced = diagonal + (word[i] == candidate[j] ? 0 : 1);
                diagonal = row[j + 1];
                row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
            }
        }
        if (row.back() < best_distance) {
            best = candidate;
            best_distance = row.back();
        }
    }
    return best;
}

std::vector<std::string_view> names_of(const Option& option) {
    std::vector<std::string_view> names;
    for (std::string_view rest = option.names; !rest.empty();) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        names.push_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return names;
}

std::string display_name(const Option& option) {
    if (option.names.empty()) return option.value_name;
    const std::size_t comma = option.names.rfind(',');
    return comma == std::string::npos ? option.names : option.names.substr(comma + 1);
}

}  // namespace rmsnorm::cli
