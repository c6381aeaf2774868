//! The lines of a payment's review. Key facts: how much, to whom, and from where. Below them: payer, token, fee, balance
//! before and after, reference.

use super::{Review, ReviewLine, address, batch, review_line, text_or_dash};
use crate::app::forms::review::confirmation_prompt::PromptKind;
use crate::app::forms::review::view;
use crate::app::model::Model;
use crate::app::orders;
use crate::app::pages::Tone;
use crate::domain::chain::chain_display_name;
use crate::domain::draft::V1Payment;
use crate::domain::duration;
use crate::domain::history::Scope;
use crate::domain::{AccountType, Amount, BalanceBasis, Sender, Text, Withdrawal};
use crate::guard::GuardFacts;

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

/// Everything about a payment but the key facts, for `count` recipients.
pub(super) fn add_payment_lines(
    model: &Model,
    review: &Review,
    withdrawal: &Withdrawal,
    count: usize,
    facts: &mut Vec<ReviewLine>,
) {
    let sender = review.order.drafted.sender.as_ref();
    add_payer_lines(model, review, withdrawal, facts);
    facts.push(review_line(
        "Chain",
        format!("{} ({})", chain_display_name(&withdrawal.blockchain), withdrawal.blockchain),
        Tone::Text,
    ));
    facts.push(token_line(&withdrawal.token, sender));
    if let Some(guard_facts) = &review.facts {
        facts.push(review_line("Fee", expected_fee_text(guard_facts, &withdrawal.token, count), Tone::Text));
        let gasless = guard_facts.wallet.as_ref().is_some_and(|wallet| wallet.gasless_withdraw == Some(true));
        let fee = if gasless { Some(Amount::zero(0)) } else { guard_facts.fee.as_ref().map(|fee| fee.highest) };
        // The fee of a payment to several recipients is not known.
        add_balance_lines(model, guard_facts, withdrawal, fee.filter(|_| gasless || count <= 1), sender, facts);
    }
    facts.push(review_line("Reference", text_or_dash(withdrawal.ref_id.as_ref()), Tone::Text));
    if let Some(note) = &withdrawal.note {
        facts.push(review_line("Note", note.as_str(), Tone::Text));
    }
    if !withdrawal.metadata.is_empty() {
        facts.push(review_line("Metadata", withdrawal.metadata.to_string(), Tone::Text));
    }
}

/// The token with its contract, where the sender was recorded.
pub(super) fn token_line(symbol: &Text, sender: Option<&Sender>) -> ReviewLine {
    let contract = match sender.map(|sender| sender.token.contract.as_ref()) {
        Some(Some(contract)) => format!(" · contract {contract}"),
        Some(None) => " · native coin".into(),
        None => String::new(),
    };
    review_line("Token", format!("{symbol}{contract}"), Tone::Text)
}

/// The same of a payment by version 1, with the payer, the memo and the limit of the fee.
pub(super) fn add_v1_payment_lines(model: &Model, review: &Review, payment: &V1Payment, facts: &mut Vec<ReviewLine>) {
    facts.push(review_line("Warning", orders::V1_WARNING, Tone::Warn));
    add_payment_lines(model, review, &payment.withdrawal, 1, facts);
    facts.push(review_line("Paid by", v1_payer_text(review, &payment.withdrawal), Tone::Text));
    if payment.memo.is_none() {
        facts.push(review_line("Memo", "none", Tone::Text));
    }
    let most = payment
        .fee
        .as_ref()
        .map(|fee| format!("{fee} {}; the service rejects the payment if the fee is higher", payment.withdrawal.token));
    facts.push(review_line(
        "Maximum fee",
        most.unwrap_or_else(|| "no limit: whatever the service charges".into()),
        Tone::Text,
    ));
}

/// The payer named in a version 1 request.
fn v1_payer_text(review: &Review, withdrawal: &Withdrawal) -> String {
    let user = review.order.drafted.sender.as_ref().and_then(|sender| sender.user.as_ref());
    if user.is_some() {
        format!("sub-wallet {}: the service decides which of its wallets on this chain pays", withdrawal.wallet)
    } else {
        format!("{} †, assumed to be the Prime Wallet: the specification does not define its name", withdrawal.wallet)
    }
}

/// The amount in the bytes, with its thousands grouped.
fn amount_text(withdrawal: &Withdrawal, sender: Option<&Sender>) -> String {
    let exact = sender.and_then(|sender| Amount::parse(&withdrawal.amount, sender.amount.decimals()).ok());
    format!("{} {}", exact.map_or_else(|| withdrawal.amount.to_string(), Amount::format_grouped), withdrawal.token)
}

/// The fee expected from past payments.
fn expected_fee_text(guard_facts: &GuardFacts, token: &Text, count: usize) -> String {
    if guard_facts.wallet.as_ref().is_some_and(|wallet| wallet.gasless_withdraw == Some(true)) {
        return "none: the service pays the fees of this wallet".into();
    }
    match &guard_facts.fee {
        None => "set by the service; no past payment of this token to estimate the fee from".into(),
        Some(fee) if count > 1 => batch::batch_fee_text(fee, token, count),
        Some(fee) => {
            let (highest, median) = (fee.highest.format_grouped(), fee.median.format_grouped());
            let source = match fee.payments {
                1 => "as in the one past payment of this token here".to_owned(),
                count => format!("the highest of {count} past payments here; median {median}"),
            };
            format!("about {highest} {token}: {source}")
        }
    }
}

/// The balance before and after, its basis and its age.
pub(super) fn add_balance_lines(
    model: &Model,
    guard_facts: &GuardFacts,
    withdrawal: &Withdrawal,
    fee: Option<Amount>,
    sender: Option<&Sender>,
    facts: &mut Vec<ReviewLine>,
) {
    let Some((funds, balance)) = guard_facts.funds.as_ref().and_then(|funds| Some((funds, funds.amount?))) else {
        facts.push(review_line("Balance", "not known", Tone::Warn));
        return;
    };
    let amount = sender.and_then(|sender| Amount::parse(&withdrawal.amount, sender.amount.decimals()).ok());
    let less = |whole: Amount, cost: Amount| whole.checked_sub(cost.rescaled(balance.decimals())?);
    let after = amount.and_then(|amount| less(balance, amount));
    let token = &withdrawal.token;
    let then = match (after, fee) {
        (None, _) => "insufficient".into(),
        (Some(after), None) => format!("{} less the fee", after.format_grouped()),
        (Some(after), Some(fee)) => match less(after, fee) {
            Some(remainder) => remainder.format_grouped(),
            None => "insufficient for amount and fee".into(),
        },
    };
    facts.push(review_line("Balance", format!("{} {token} → {then} after", balance.format_grouped()), Tone::Text));
    let basis = match funds.basis {
        BalanceBasis::Reported => "reported by the service",
        BalanceBasis::Assumed => "assumed: reported for the wallet's user",
        BalanceBasis::Derived => "calculated from the history",
        BalanceBasis::Unknown => "not known",
    };
    let age = funds.as_of.map_or_else(
        || ", of unknown age".to_owned(),
        |as_of| format!(", read {} ago", duration::format_age(as_of.age(model.now))),
    );
    facts.push(review_line("", format!("{basis}{age}"), if funds.is_stale { Tone::Warn } else { Tone::Dim }));
}
