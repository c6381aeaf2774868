//! The lines of a review: what the request states, and the facts around it.

mod batch;
mod payment;
mod proposal;
mod swap;

use super::Review;
use crate::app::data::link;
use crate::app::model::Model;
use crate::app::orders;
use crate::app::orders::order_subject;
use crate::app::pages::Tone;
use crate::domain::chain::chain_display_name;
use crate::domain::{Amount, BalanceBasis, Draft, Sender, Text, Withdrawal, address};
use crate::guard::{GuardFacts, Severity};

/// A name and a value; a line with an empty name continues the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewLine {
    pub name: &'static str,
    pub value: String,
    pub tone: Tone,
    /// Whether the value is shown on one line as it is, without wrapping.
    pub is_monospaced: bool,
}

fn review_line(name: &'static str, value: impl Into<String>, tone: Tone) -> ReviewLine {
    ReviewLine { name, value: value.into(), tone, is_monospaced: false }
}

/// The lines that never scroll away: how much goes to whom, or what is created.
pub fn key_facts(model: &Model, review: &Review) -> Vec<ReviewLine> {
    let draft = &review.draft;
    if draft.operation().is_swap() {
        return swap::key_facts(model, review);
    }
    if let Draft::Batch(batch) = draft {
        return batch::key_facts(model, review, batch);
    }
    if let Draft::Payment(payment) = draft {
        return payment::key_facts(model, review, &payment.withdrawal, "To", payment.memo.as_ref());
    }
    if let Draft::Withdraw(withdrawal) = draft {
        let to = if review.undocumented_names.is_empty() { "To" } else { "To †" };
        return payment::key_facts(model, review, withdrawal, to, None);
    }
    let subject = order_subject(draft, &model.address_formatter()).into_owned();
    let to = draft.only_recipient().map(|to| review_line("To", address::format_grouped(to), Tone::Accent));
    [review_line(draft.operation().subject_label(), subject, Tone::Accent)].into_iter().chain(to).collect()
}

/// The findings, the gravest first, then what the request states, then the bytes. Of what moves no money, what the
/// request states stands before the findings that are not grave.
pub fn other_facts(model: &Model, review: &Review) -> Vec<ReviewLine> {
    let mut facts = Vec::new();
    if !review.is_request_fully_judged() {
        let sentence =
            "There is not enough information to check exactly what these bytes say. Prepare the review again.";
        facts.push(review_line("✗ STOP", sentence, Tone::Bad));
    }
    add_finding_lines(review, true, &mut facts);
    let moves_money = review.draft.operation().moves_money();
    if moves_money {
        add_finding_lines(review, false, &mut facts);
    }
    proposal::add_proposal_lines(model, review, &mut facts);
    let draft = &review.draft;
    if let Draft::Batch(batch) = draft {
        batch::add_payer_lines(model, review, batch, &mut facts);
    } else if draft.operation().is_swap() {
        swap::add_swap_lines(model, review, &mut facts);
    } else if let Draft::Payment(payment) = draft {
        facts.push(review_line("Warning", orders::V1_WARNING, Tone::Warn));
        add_payment_lines(model, review, &payment.withdrawal, 1, &mut facts);
        facts.push(review_line("Paid by", v1_payer_text(review, &payment.withdrawal), Tone::Text));
        if payment.memo.is_none() {
            facts.push(review_line("Memo", "none", Tone::Text));
        }
        let most = payment.fee.as_ref().map(|fee| {
            format!("{fee} {}; the service rejects the payment if the fee is higher", payment.withdrawal.token)
        });
        facts.push(review_line(
            "Maximum fee",
            most.unwrap_or_else(|| "no limit: whatever the service charges".into()),
            Tone::Text,
        ));
    } else if let Draft::Withdraw(withdrawal) = draft {
        add_payment_lines(model, review, withdrawal, 1, &mut facts);
    } else if !matches!(draft, Draft::CreateAccount(_)) {
        // The name of a new account is among the key facts.
        facts.extend(orders::draft_values(model, draft).into_iter().map(|(name, value)| match value {
            Some(value) => review_line(name, value, Tone::Text),
            None if keeps_omitted_fields(draft) => review_line(name, "unchanged", Tone::Dim),
            None => review_line(name, "—", Tone::Text),
        }));
    }
    if !moves_money {
        add_finding_lines(review, false, &mut facts);
    }
    if let Draft::Batch(batch) = &review.draft {
        batch::add_all_recipient_lines(review, batch, &mut facts);
    }
    if let Some(of) = &review.order.drafted.template {
        facts.push(review_line("Template", of.description(), Tone::Text));
    }
    let request = &review.order.drafted.request;
    match request.key {
        Some(key) if request.operation.has_documented_key() => {
            facts.push(review_line("Key", key.to_string(), Tone::Dim));
        }
        Some(key) => {
            let sentence = format!("{key}, to find the request later; this request is sent once and never again");
            facts.push(review_line("Key", sentence, Tone::Dim));
        }
        None => facts.push(review_line(
            "Key",
            "none: this request carries no idempotency key, so it is sent once and never again",
            Tone::Warn,
        )),
    }
    let is_swap = review.draft.operation().is_swap();
    if is_swap {
        facts.push(review_line("†", swap::undocumented_names_text(&review.undocumented_names), Tone::Dim));
    }
    for name in review.undocumented_names.iter().filter(|_| !is_swap) {
        let sentence = format!("“{name}” is an assumed name; the specification does not define it");
        facts.push(review_line("†", sentence, Tone::Dim));
    }
    facts.push(review_line("Request", format!("{} {}", request.method, request.path), Tone::Dim));
    facts.push(review_line("Body", request.body.as_str(), Tone::Dim));
    facts
}

/// Whether omitted fields stay unchanged.
fn keeps_omitted_fields(draft: &Draft) -> bool {
    matches!(draft, Draft::UpdateWallet(_) | Draft::UpdateUser(_))
}

fn add_payment_lines(
    model: &Model,
    review: &Review,
    withdrawal: &Withdrawal,
    count: usize,
    facts: &mut Vec<ReviewLine>,
) {
    let sender = review.order.drafted.sender.as_ref();
    payment::add_payer_lines(model, review, withdrawal, facts);
    facts.push(review_line(
        "Chain",
        format!("{} ({})", chain_display_name(&withdrawal.blockchain), withdrawal.blockchain),
        Tone::Text,
    ));
    let contract = sender.map(|sender| sender.token.contract.as_ref());
    let contract = match contract {
        Some(Some(contract)) => format!(" · contract {contract}"),
        Some(None) => " · native coin".into(),
        None => String::new(),
    };
    facts.push(review_line("Token", format!("{}{contract}", withdrawal.token), Tone::Text));
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
fn add_balance_lines(
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
        |as_of| format!(", read {} ago", link::format_age(as_of.age(model.now))),
    );
    facts.push(review_line("", format!("{basis}{age}"), if funds.is_stale { Tone::Warn } else { Tone::Dim }));
}

/// The grave findings or the others, each with its severity and its lines.
fn add_finding_lines(review: &Review, grave: bool, facts: &mut Vec<ReviewLine>) {
    let chosen = review.findings.iter().filter(|finding| (finding.severity >= Severity::Danger) == grave);
    for finding in chosen {
        let (name, tone) = match finding.severity {
            Severity::Stop => ("✗ STOP", Tone::Bad),
            Severity::Danger => ("▲ DANGER", Tone::Bad),
            Severity::Caution => ("! Caution", Tone::Warn),
            Severity::Note => ("· Note", Tone::Dim),
        };
        facts.push(review_line(name, finding.message.as_str(), tone));
        facts.extend(
            finding
                .lines
                .iter()
                .map(|line| ReviewLine { is_monospaced: true, ..review_line("", line.as_str(), Tone::Text) }),
        );
    }
}

fn text_or_dash(value: Option<&Text>) -> String {
    value.map_or_else(|| "—".into(), ToString::to_string)
}
