#include "cli/parse.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <numeric>

#include "cli/error.hpp"

namespace rmsnorm::cli {
namespace {

std::vector<std::string> option_names(const std::vector<Option>& options) {
    std::vector<std::string> names;
    for (const Option& option : options) {
        if (!option.names.empty()) names.push_back(display_name(option));
    }
    return names;
}

// CLI11 takes "[a]" for a list of one and drops the brackets; behind a NUL, which no word of a
// command line holds, it leaves them alone.
std::vector<std::string> protected_from_lists(std::vector<std::string> words) {
    for (std::string& word : words) {
        if (!word.empty() && word.back() == ']') word += '\0';
    }
    return words;
}

std::string unprotected(std::string word) {
    if (!word.empty() && word.back() == '\0') word.pop_back();
    return word;
}

// CLI11 would give "--output=" the next word as its value.
void refuse_empty_values(const std::string& command, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        if (word == "--") return;
        if (word.rfind("--", 0) == 0 && word.find('=') == word.size() - 1) {
            throw InputError(quoted(word) + " has no value behind the =; see rmsnorm-fixture " +
                             command + " --help");
        }
    }
}

bool takes_arguments(const std::vector<Option>& options) {
    return std::any_of(options.begin(), options.end(),
                       [](const Option& option) { return option.names.empty(); });
}

[[noreturn]] void refuse_extra(const std::string& command, const std::vector<Option>& options,
                               const std::string& word) {
    const std::string help = "; see rmsnorm-fixture " + command + " --help";
    if (word.size() > 1 && word[0] == '-') {
        const std::string name = word.substr(0, word.find('='));
        const std::string near = nearest(name, option_names(options));
        throw InputError("unknown option " + quoted(name) +
                         (near.empty() ? "" : ", did you mean " + near + "?") +
                         "; accepted: " + listed(option_names(options)) + help);
    }
    throw InputError("unexpected argument " + quoted(word) + "; " + command +
                     (takes_arguments(options) ? " accepts no more than it got before it"
                                               : " accepts options only") +
                     help);
}

const Option* option_named(const std::vector<Option>& options, const std::string& name) {
    for (const Option& option : options) {
        const std::string names = "," + option.names + ",";
        if (!option.names.empty() && names.find("," + name + ",") != std::string::npos) {
            return &option;
        }
    }
    return nullptr;
}

bool takes_value(const Option* option) { return option != nullptr && !option->value_name.empty(); }

// A word alone never is a value when it could be an option: behind an = it always is.
bool looks_like_option(const std::vector<Option>& options, const std::string& word) {
    return word.rfind("--", 0) == 0 || word == "-h" || option_named(options, word) != nullptr;
}

void require_value(const std::string& command, const std::vector<Option>& options,
                   const Option& option, const std::vector<std::string>& words, std::size_t at) {
    const bool ends = at == words.size();
    if (!ends && !looks_like_option(options, words[at])) return;
    const std::string name = display_name(option);
    throw InputError(name + ": found no value" + (ends ? "" : " before " + quoted(words[at])) +
                     "; accepted: " + option.value_name + ", " + option.help +
                     (ends ? "" : " (as a value it is " + quoted(name + "=" + words[at]) + ")") +
                     "; see rmsnorm-fixture " + command + " --help");
}

[[noreturn]] void refuse_value(const std::string& name, const std::string& value) {
    throw InputError(name + " takes no value; found " + quoted(value) + "; accepted: " + name);
}

// A word such as -ofile, -o or -ho, at `at`; the number of words that belong to it.
std::size_t words_of_letters(const std::string& command, const std::vector<Option>& options,
                             const std::vector<std::string>& words, std::size_t at) {
    const std::string& word = words[at];
    for (std::size_t i = 1; i < word.size(); ++i) {
        const std::string name = {'-', word[i]};
        const Option* const option = option_named(options, name);
        if (option == nullptr && name != "-h") return 1;
        const std::string rest = word.substr(i + 1);
        if (takes_value(option)) {
            if (rest.rfind('=', 0) == 0) {
                throw InputError(name + ": found " + quoted(rest) + "; accepted: " + name + " " +
                                 option->value_name +
                                 (rest == "=" ? "" : ", or " + display_name(*option) + rest));
            }
            if (!rest.empty()) return 1;
            require_value(command, options, *option, words, at + 1);
            return 2;
        }
        if (rest.rfind('=', 0) == 0) refuse_value(name, rest.substr(1));
    }
    return 1;
}

// What the parser would take and nobody means: a value for a flag, and an option for the value of
// the one before it.
void refuse_strange_values(const std::string& command, const std::vector<Option>& options,
                           const std::vector<std::string>& words) {
    for (std::size_t at = 0; at < words.size() && words[at] != "--"; ++at) {
        const std::string& word = words[at];
        if (word.size() < 2 || word[0] != '-') continue;
        if (word[1] != '-') {
            at += words_of_letters(command, options, words, at) - 1;
            continue;
        }
        const std::string name = word.substr(0, word.find('='));
        const Option* const option = option_named(options, name);
        const bool flag =
            option == nullptr ? name == "--help" || name == "--version" : !takes_value(option);
        const bool has_value = name.size() < word.size();
        if (flag && has_value) refuse_value(name, word.substr(name.size() + 1));
        if (takes_value(option) && !has_value) {
            require_value(command, options, *option, words, ++at);
        }
    }
}

// The words that belong to each option: its values, or "true" for each time a flag is given.
struct SortedWords {
    std::vector<std::vector<std::string>> of_option;
    bool help = false;
    bool version = false;
};

SortedWords sorted(const std::string& command, const std::vector<Option>& options,
                   const std::vector<std::string>& words) {
    SortedWords sorted{std::vector<std::vector<std::string>>(options.size())};
    // Nothing to sort, and the parser is not cheap to set up.
    if (words.empty()) return sorted;
    CLI::App app;
    app.set_help_flag();
    app.add_flag("-h,--help", sorted.help);
    app.add_flag("--version", sorted.version);
    std::vector<CLI::Option*> parsed(options.size());
    for (std::size_t i = 0; i < options.size(); ++i) {
        const Option& option = options[i];
        if (option.names.empty()) {
            parsed[i] = app.add_option(option.value_name, sorted.of_option[i]);
            parsed[i]->expected(0, CLI::detail::expected_max_vector_size);
        } else if (option.value_name.empty()) {
            parsed[i] = app.add_flag(option.names);
        } else {
            parsed[i] = app.add_option(option.names, sorted.of_option[i]);
            // One value each time: CLI11 would give it the positional arguments behind it too.
            parsed[i]->type_size(1)->expected(1)->allow_extra_args(false)->multi_option_policy(
                CLI::MultiOptionPolicy::TakeAll);
        }
    }
    refuse_empty_values(command, words);
    refuse_strange_values(command, options, words);
    std::vector<std::string> reversed = protected_from_lists(words);
    std::reverse(reversed.begin(), reversed.end());
    try {
        app.parse(std::move(reversed));
    } catch (const CLI::ExtrasError&) {
        refuse_extra(command, options, unprotected(app.remaining().front()));
    } catch (const CLI::ParseError& error) {
        throw InputError(command + ": " + error.what() + "; see rmsnorm-fixture " + command +
                         " --help");
    }
    for (std::size_t i = 0; i < options.size(); ++i) {
        std::vector<std::string>& values = sorted.of_option[i];
        if (options[i].value_name.empty() && parsed[i]->count() > 0) values = parsed[i]->results();
        for (std::string& value : values) value = unprotected(value);
    }
    return sorted;
}

}  // namespace

const std::vector<std::string>& values_of(const std::vector<Option>& options,
                                          std::string_view name) {
    static const std::vector<std::string> none;
    const auto found = std::find_if(options.begin(), options.end(), [&](const Option& option) {
        return display_name(option) == name;
    });
    return found == options.end() ? none : found->values;
}

Parsed parse(const std::string& command, std::vector<Option>& options,
             const std::vector<std::string>& words) {
    const SortedWords given = sorted(command, options, words);
    if (given.help) return Parsed::help;
    if (given.version) return Parsed::version;
    for (std::size_t i = 0; i < options.size(); ++i) {
        Option& option = options[i];
        const std::vector<std::string>& values = given.of_option[i];
        option.values = values;
        if (option.required && values.empty()) {
            throw InputError(command + " needs " + display_name(option) + "; see rmsnorm-fixture " +
                             command + " --help");
        }
        if (values.size() > 1 && !option.repeatable) {
            throw InputError(display_name(option) + " is given " + std::to_string(values.size()) +
                             " times; accepted: once");
        }
        for (const std::string& value : values) {
            if (option.accept) option.accept(option.value_name.empty() ? "" : value);
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

std::string display_name(const Option& option) {
    if (option.names.empty()) return option.value_name;
    const std::size_t comma = option.names.rfind(',');
    return comma == std::string::npos ? option.names : option.names.substr(comma + 1);
}

}  // namespace rmsnorm::cli
