//! The lines of a payment's review that never scroll away: how much, to whom, and from where.

use super::{Review, ReviewLine, address, amount_text, review_line};
use crate::app::forms::review::confirmation_prompt::PromptKind;
use crate::app::forms::review::view;
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::domain::chain::chain_display_name;
use crate::domain::history::Scope;
use crate::domain::{AccountType, Text, Withdrawal};

/// Amount, address and memo; and where there is room, the recipient's name, the numbers of the groups of the address
/// and the payer.
pub(super) fn key_facts(
    model: &Model,
    review: &Review,
    withdrawal: &Withdrawal,
    to: &'static str,
    memo: Option<&Text>,
) -> Vec<ReviewLine> {
    let amount = review_line("Amount", amount_text(withdrawal, review.order.drafted.sender.as_ref()), Tone::Accent);
    let address = review_line(to, address::format_grouped(&withdrawal.to), Tone::Accent);
    // At an exchange the memo decides whose money it is, as the address does.
    let memo = memo.map(|memo| review_line("Memo", memo.as_str(), Tone::Accent));
    let required: Vec<ReviewLine> = [amount.clone(), address.clone()].into_iter().chain(memo.clone()).collect();
    let name = model
        .party_name(&withdrawal.to, &withdrawal.blockchain)
        .map(|name| review_line("Name", name.as_str(), Tone::Accent));
    let groups = group_numbers(model, review, withdrawal);
    let all: Vec<ReviewLine> = [amount, address]
        .into_iter()
        .chain(groups)
        .chain(name)
        .chain(memo)
        .chain([review_line("From", payer_text(model, review, withdrawal), Tone::Accent)])
        .collect();
    let room = view::room_for_key_facts(model, review, view::lines_for_other_facts(review));
    if view::height_of(model, &all) <= room { all } else { required }
}

/// The numbers of the groups of four, each below its group, where one of them is to be typed.
fn group_numbers(model: &Model, review: &Review, withdrawal: &Withdrawal) -> Option<ReviewLine> {
    let is_asked = |kind: PromptKind| matches!(kind, PromptKind::AddressGroup(Some(_)));
    let is_whole = address::format_grouped(&withdrawal.to).chars().count() <= usize::from(view::value_width(model));
    if !is_whole || !review.prompts.iter().any(|prompt| is_asked(prompt.kind)) {
        return None;
    }
    let mut nth = 0;
    let numbers: Vec<String> = address::split_into_groups(&withdrawal.to)
        .into_iter()
        .map(|group| {
            let width = group.chars().count();
            nth += usize::from(width == 4);
            if width == 4 { format!("{nth:^width$}") } else { " ".repeat(width) }
        })
        .collect();
    Some(ReviewLine { is_monospaced: true, ..review_line("Group", numbers.join(" "), Tone::Dim) })
}

/// The paying wallet and its chain, and its account with its kind.
fn payer_text(model: &Model, review: &Review, withdrawal: &Withdrawal) -> String {
    format!(
        "{} on {}{}",
        wallet_text(review, withdrawal),
        chain_display_name(&withdrawal.blockchain),
        account_text(model, review)
    )
}

fn wallet_text(review: &Review, withdrawal: &Withdrawal) -> String {
    let name = review.order.drafted.sender.as_ref().and_then(|sender| sender.name.as_ref());
    name.map_or_else(|| withdrawal.wallet.to_string(), ToString::to_string)
}

fn account_text(model: &Model, review: &Review) -> String {
    let account = review.facts.as_ref().and_then(|facts| facts.account.as_ref());
    let id = account
        .map(|account| &account.id)
        .or_else(|| review.order.drafted.sender.as_ref().and_then(|sender| sender.account.as_ref()));
    let Some(id) = id else { return String::new() };
    let name = model.scope_name(&Scope::Account(id.clone()));
    let kind = match account.and_then(|account| account.kind.as_ref()) {
        Some(AccountType::Settlement) => ", the settlement account".to_owned(),
        Some(AccountType::Users) => ", an account of users".to_owned(),
        Some(other) => format!(", {}", other.word()),
        None => String::new(),
    };
    format!(" · {name}{kind}")
}

/// The payer, as far as it does not stand among the key facts, and its address.
pub(super) fn add_payer_lines(model: &Model, review: &Review, withdrawal: &Withdrawal, facts: &mut Vec<ReviewLine>) {
    let is_above = super::key_facts(model, review).iter().any(|fact| fact.name == "From");
    let sender = review.order.drafted.sender.as_ref();
    let own = sender.and_then(|sender| sender.address.as_ref()).map(|address| address::format_grouped(address));
    if !is_above {
        let payer = format!("{}{}", wallet_text(review, withdrawal), account_text(model, review));
        facts.push(review_line("From", payer, Tone::Text));
    }
    facts.extend(own.map(|own| review_line(if is_above { "Wallet" } else { "" }, own, Tone::Text)));
}
