// `einmal token create`, `list` and `revoke` (contract A3): who may use the API, while the server runs or not.
#include <einmal/catalog.hpp>
#include <einmal/open.hpp>
#include <einmal/scopes.hpp>

#include <iostream>
#include <set>
#include <sstream>

#include "base/time.hpp"
#include "cli/commands.hpp"
#include "cli/new_token.hpp"

namespace einmal::cli {

namespace {

Result<std::unique_ptr<StoreAdmin>> open(const Given& given) {
    Result<InForce> in_force = settings_in_force(given);
    if (!in_force) return in_force.error();
    return open_admin(in_force->settings.store, false);
}

/// An account name is shown in lists and never to clients; it must stay one readable word or phrase.
std::optional<std::string> refused_account(const std::string& name) {
    if (name.empty() || name.size() > 100 || one_line(name) != name || name.front() == ' ' || name.back() == ' ') {
        return "--account: a name has 1 to 100 characters without control characters or blanks at its ends, for "
               "example shop";
    }
    return std::nullopt;
}

/// Every scope that some type knows. A token for any other would be good for nothing, and only its user would notice.
std::set<std::string> known_scopes(const Catalog& catalog) {
    std::set<std::string> known{"*"};
    for (const auto& [name, type] : catalog.types()) {
        known.insert(name + ":read");
        known.insert(name + ":write");
        for (const auto& [member, scope] : type.scopes) known.insert(scope);
    }
    return known;
}

Result<void> check_scopes(const std::string& scopes, const Catalog& catalog) {
    if (const auto parsed = Scopes::parse(scopes); !parsed) {
        return Error{Errc::configuration, "--scopes: " + parsed.error() + ", for example contacts:read"};
    }
    const std::set<std::string> known = known_scopes(catalog);
    std::istringstream words(scopes);
    for (std::string word; words >> word;) {
        if (known.contains(word)) continue;
        return Error{Errc::configuration, "--scopes: no resource type has the scope " + word +
                                              ", for example contacts:read; --types names a directory with more types"};
    }
    return {};
}

ExitCode create(const Given& given, const std::string& account, const std::string& scopes) {
    if (const auto refusal = refused_account(account)) return fail(ExitCode::usage, *refusal);
    const Result<InForce> in_force = settings_in_force(given);
    if (!in_force) return fail(in_force.error());
    const Result<Catalog> catalog = Catalog::load(in_force->settings.types);
    if (!catalog) return fail(catalog.error());
    if (const Result<void> checked = check_scopes(scopes, *catalog); !checked) return fail(checked.error());
    // Also before the first start, so that a server need never have a token for everything.
    Result<std::unique_ptr<StoreAdmin>> admin = open_admin(in_force->settings.store, true);
    if (!admin) return fail(admin.error());
    const NewToken token = new_token(system_entropy());
    Result<TokenId> id = (*admin)->create_token(account, scopes, token.digest);
    if (!id) return fail(id.error());
    if (std::cout << token.text << std::endl) return ExitCode::done;
    // Nobody has seen the token, so nobody shall be able to use it.
    const Result<bool> revoked = (*admin)->revoke_token(*id);
    return fail(ExitCode::unavailable, "the token could not be written to stdout" +
                                           std::string(revoked && *revoked ? "; it has been revoked" : ""));
}

ExitCode list(const Given& given) {
    Result<std::unique_ptr<StoreAdmin>> admin = open(given);
    if (!admin) return fail(admin.error());
    Result<std::vector<Token>> tokens = (*admin)->list_tokens();
    if (!tokens) return fail(tokens.error());
    std::cout << "id\taccount\tscopes\tcreated\trevoked\n";
    for (const Token& token : *tokens) {
        std::cout << token.id.value << '\t' << token.account_name << '\t' << token.scopes << '\t'
                  << base::to_rfc3339(token.created_at) << '\t'
                  << (token.revoked_at ? base::to_rfc3339(*token.revoked_at) : "-") << '\n';
    }
    std::cout << std::flush;
    return ExitCode::done;
}

ExitCode revoke(const Given& given, std::int64_t id) {
    Result<std::unique_ptr<StoreAdmin>> admin = open(given);
    if (!admin) return fail(admin.error());
    Result<bool> revoked = (*admin)->revoke_token(TokenId{id});
    if (!revoked) return fail(revoked.error());
    if (!*revoked) return fail(ExitCode::refused, "there is no token " + std::to_string(id) + " that is still valid");
    return ExitCode::done;
}

void add_create(CLI::App& token, Chosen& chosen) {
    CLI::App* command =
        token.add_subcommand("create", "Make a token and print it, once; also the account if it is new");
    const auto given = add_setting_flags(*command, {"store", "types"});
    const auto account = std::make_shared<std::string>();
    const auto scopes = std::make_shared<std::string>();
    command->add_option("--account", *account, "Owner of the resources and keys the token works with")
        ->required()
        ->option_text("NAME");
    command
        ->add_option("--scopes", *scopes,
                     "What it may do, blank separated: \"contacts:read contacts:write\", * for all")
        ->required()
        ->option_text("SCOPES");
    command->callback([=, &chosen] { chosen = [=] { return create(*given, *account, *scopes); }; });
}

void add_list(CLI::App& token, Chosen& chosen) {
    CLI::App* command = token.add_subcommand("list", "Print all tokens, without their secrets, one a line");
    const auto given = add_setting_flags(*command, {"store"});
    command->callback([=, &chosen] { chosen = [=] { return list(*given); }; });
}

void add_revoke(CLI::App& token, Chosen& chosen) {
    CLI::App* command = token.add_subcommand("revoke", "End a token; running servers refuse it from now on");
    const auto given = add_setting_flags(*command, {"store"});
    const auto id = std::make_shared<std::int64_t>();
    command->add_option("id", *id, "Number from `einmal token list`")->required()->option_text("ID");
    command->callback([=, &chosen] { chosen = [=] { return revoke(*given, *id); }; });
}

}  // namespace

void add_token(CLI::App& program, Chosen& chosen) {
    CLI::App* token = program.add_subcommand("token", "Make, list and revoke bearer tokens");
    token->require_subcommand(1);
    add_create(*token, chosen);
    add_list(*token, chosen);
    add_revoke(*token, chosen);
}

}  // namespace einmal::cli
