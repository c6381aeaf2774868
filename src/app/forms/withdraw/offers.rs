//! Choices of a payment form: wallets, their tokens, and recipients.

use crate::app::forms::field::FieldId;
use crate::app::forms::form_state::FormState;
use crate::app::forms::lookups::{FieldChoice, Picked};
use crate::app::forms::payer::{balance_basis_text, holdings_without_imitations, wallet_address_family, wallet_name};
use crate::app::model::Model;
use crate::app::orders;
use crate::domain::address::{ShortAddresses, is_same_address};
use crate::domain::book::BookEntry;
use crate::domain::chain::{chain_display_name, is_same_chain as same_chain};
use crate::domain::history::Scope;
use crate::domain::{Address, Holding, Text, Timestamp, Wallet};

#[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
pub(in crate::app::forms) fn field_choices(model: &Model, form: &FormState, slot: FieldId) -> Vec<FieldChoice> {
    match slot {
        FieldId::Wallet if form.selection.wallet.is_none() => {
            let typed = form.value(FieldId::Wallet).to_lowercase();
            let rows = || form.wallet_matches.window.rows.iter().map(|wallet| &wallet.entry);
            let short = ShortAddresses::new(rows().filter_map(|wallet| wallet.address.as_deref()));
            let mut choices: Vec<FieldChoice> = rows().map(|wallet| wallet_choice(model, &short, wallet)).collect();
            // Names that begin with the text come first: the beginning of a name means that name.
            choices.sort_by_key(|choice| !choice.name.to_lowercase().starts_with(&typed));
            choices
        }
        FieldId::Token if form.selection.token.is_none() => {
            let typed = form.value(FieldId::Token).to_lowercase();
            let matching_holdings: Vec<&Holding> = holdings_without_imitations(form)
                .filter(|holding| holding.symbol.to_lowercase().contains(&typed))
                .collect();
            let widest = |length: fn(&str, &str) -> usize| {
                matching_holdings
                    .iter()
                    .filter_map(|holding| split_balance_at_point(holding))
                    .map(|(whole, rest)| length(&whole, &rest))
                    .max()
                    .unwrap_or(0)
            };
            let column = (widest(|whole, _| whole.len()), widest(|_, rest| rest.len()));
            let short =
                ShortAddresses::new(matching_holdings.iter().filter_map(|holding| holding.token.contract.as_deref()));
            matching_holdings.into_iter().map(|holding| token_choice(model, &short, holding, column)).collect()
        }
        FieldId::Recipient => recipient_choices(model, form),
        _ => Vec::new(),
    }
}

fn wallet_choice(model: &Model, short: &ShortAddresses, wallet: &Wallet) -> FieldChoice {
    let address = wallet.address.as_deref().unwrap_or("no address known");
    let account = wallet.account.clone().map(Scope::Account);
    let account = account.map_or_else(String::new, |scope| format!("  {}", model.scope_name(&scope)));
    let name = wallet_name(wallet);
    FieldChoice {
        text: name.clone(),
        name,
        detail: format!("{:<10} {:<11}{account}", chain_display_name(&wallet.blockchain), short.shorten(address)),
        picked: Picked::Wallet(Box::new(wallet.clone())),
    }
}

/// A balance, split before its decimal point.
fn split_balance_at_point(holding: &Holding) -> Option<(String, String)> {
    let grouped = holding.amount.as_ref()?.even_if_disputed().format_grouped();
    let at = grouped.find('.').unwrap_or(grouped.len());
    let (whole, rest) = grouped.split_at(at);
    Some((whole.to_owned(), rest.to_owned()))
}

/// A token as a choice; balances are aligned at their decimal points, by the widths of the two halves.
fn token_choice(
    model: &Model,
    short: &ShortAddresses,
    holding: &Holding,
    (before, behind): (usize, usize),
) -> FieldChoice {
    let (whole, rest) = split_balance_at_point(holding).unwrap_or_else(|| ("—".into(), String::new()));
    let surely = balance_basis_text(model, holding);
    let contract =
        holding.token.contract.as_deref().map_or_else(|| "native coin".to_owned(), |contract| short.shorten(contract));
    FieldChoice {
        text: holding.symbol.to_string(),
        name: holding.symbol.to_string(),
        detail: format!("{whole:>before$}{rest:<behind$}  {surely} · {contract}"),
        picked: Picked::Token(holding.token.clone()),
    }
}

/// Recipients on the wallet's chain: contacts, then those that this console paid, then the business's own wallets.
pub(super) fn recipient_choices(model: &Model, form: &FormState) -> Vec<FieldChoice> {
    let Some(payer) = &form.selection.wallet else { return Vec::new() };
    let typed = form.value(FieldId::Recipient);
    let family = wallet_address_family(model, payer);
    // A complete address needs no completion, and a stray key must not replace it.
    if family.is_some_and(|family| Address::parse(family, typed).is_ok()) {
        return Vec::new();
    }
    let matches = |text: &str| text.to_lowercase().contains(&typed.to_lowercase());
    let payees = past_payees(model, &payer.blockchain);
    let same_chain = |wallet: &Wallet| same_chain(&wallet.blockchain, &payer.blockchain) && wallet.id != payer.id;
    let own: Vec<&Wallet> = form
        .wallet_matches
        .window
        .rows
        .iter()
        .map(|wallet| &wallet.entry)
        .filter(|wallet| same_chain(wallet))
        .collect();
    let contacts = model.journal.book.entries().iter().map(|entry| entry.contact.address.as_str());
    let offered = contacts.chain(payees.iter().map(|payee| payee.address.as_str()));
    let short = ShortAddresses::new(offered.chain(own.iter().filter_map(|wallet| wallet.address.as_deref())));
    let mut choices = contact_choices(model, payer, &short, matches);
    let is_offered =
        |choices: &[FieldChoice], address: &str| choices.iter().any(|choice| is_same_address(&choice.text, address));
    let past_recipients: Vec<FieldChoice> = payees
        .into_iter()
        .filter(|payee| matches(&payee.address) && !is_offered(&choices, &payee.address))
        .map(|payee| FieldChoice {
            text: payee.address.to_string(),
            name: short.shorten(&payee.address),
            detail: format!("paid {}×, last {}", payee.payments, payee.last.format("%Y-%m-%d")),
            picked: Picked::TextOnly,
        })
        .collect();
    choices.extend(past_recipients);
    let own: Vec<FieldChoice> = own
        .into_iter()
        .filter_map(|wallet| Some((wallet, wallet.address.as_ref()?)))
        .filter(|(_, address)| !is_offered(&choices, address))
        .map(|(wallet, address)| FieldChoice {
            text: address.to_string(),
            name: short.shorten(address),
            detail: format!("own · {}", wallet_name(wallet)),
            picked: Picked::TextOnly,
        })
        .collect();
    choices.extend(own);
    choices
}

/// Contacts on the wallet's chain that match by name or address.
fn contact_choices(
    model: &Model,
    payer: &Wallet,
    short: &ShortAddresses,
    matches: impl Fn(&str) -> bool,
) -> Vec<FieldChoice> {
    let on_chain = |entry: &&BookEntry| same_chain(&entry.contact.blockchain, &payer.blockchain);
    let entries = model.journal.book.entries().iter().filter(on_chain);
    let contacts = entries.filter(|entry| matches(&entry.contact.name) || matches(&entry.contact.address));
    let choice = |entry: &BookEntry| FieldChoice {
        text: entry.contact.address.to_string(),
        name: entry.contact.name.to_string(),
        detail: format!("address book · {}", short.shorten(&entry.contact.address)),
        picked: Picked::TextOnly,
    };
    contacts.map(choice).collect()
}

struct Payee {
    address: Text,
    payments: u32,
    last: Timestamp,
}

/// Recipients of payments that the service accepted, in the order of `model.journal.orders`.
fn past_payees(model: &Model, blockchain: &str) -> Vec<Payee> {
    let mut payees: Vec<Payee> = Vec::new();
    for order in &model.journal.orders {
        let chain = order.drafted.draft.chain(order.drafted.sender.as_ref());
        if !chain.is_some_and(|chain| same_chain(chain, blockchain)) {
            continue;
        }
        for to in orders::recipients_paid_by_order(model, order) {
            match payees.iter_mut().find(|payee| payee.address == *to) {
                Some(payee) => payee.payments += 1,
                None => payees.push(Payee { address: to.clone(), payments: 1, last: order.created.at }),
            }
        }
    }
    payees
}
