//! What stands beside a field while it is typed: what it means, and what is odd about it.

use super::limit;
use super::payable_amount::{max_payable_amount, parse_amount};
use crate::app::forms::balance_share;
use crate::app::forms::field::FieldId;
use crate::app::forms::form_state::FormState;
use crate::app::forms::payer::{
    MAX_AMOUNT_WORD, balance_basis_text, chosen_holding, chosen_token_decimals, wallet_address_family,
};
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::domain::chain::chain_display_name;
use crate::domain::{Address, AddressAssurance, Amount, shorten_address};

#[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
pub(in crate::app::forms) fn field_hint(model: &Model, form: &FormState, slot: FieldId) -> Option<(String, Tone)> {
    if form.value(slot).is_empty() {
        let limit = (slot == FieldId::Amount).then(|| limit::empty_amount_hint(model, form)).flatten();
        return limit.or_else(|| empty_field_hint(slot).map(str::to_owned)).map(|hint_text| (hint_text, Tone::Dim));
    }
    match slot {
        FieldId::Wallet if form.selection.wallet.is_none() => {
            no_wallet_warning(model, form).map(|hint_text| (hint_text, Tone::Warn))
        }
        FieldId::Wallet => {
            let wallet = form.selection.wallet.as_ref()?;
            let address = wallet.address.as_deref().unwrap_or("no address known");
            Some((format!("{} · {address}", chain_display_name(&wallet.blockchain)), Tone::Dim))
        }
        FieldId::Token => {
            let holding = chosen_holding(form)?;
            let contract = holding.token.contract.as_deref().map_or_else(|| "native coin".into(), shorten_address);
            // The token was chosen before the service's token list was loaded.
            if holding.suspicious {
                let hint_text =
                    format!("imitation token, not the one that the service lists under such a name · {contract}");
                return Some((hint_text, Tone::Warn));
            }
            let old = holding.as_of.is_none() || model.figure_staleness(holding.as_of).is_some();
            let tone = if old { Tone::Warn } else { Tone::Dim };
            let amount =
                holding.amount.as_ref().map_or_else(|| "—".into(), |amount| amount.even_if_disputed().format_grouped());
            let basis = balance_basis_text(model, holding);
            Some((format!("holds {amount} {}, {basis} · {contract}", holding.symbol), tone))
        }
        FieldId::Recipient => {
            let wallet = form.selection.wallet.as_ref()?;
            let typed = form.value(slot);
            let chain = chain_display_name(&wallet.blockchain);
            // A recipient chosen by name is still shown with the name.
            let entry = model.journal.book.find(typed, &wallet.blockchain);
            let name = entry.as_ref().map_or_else(String::new, |entry| format!("{} · ", entry.contact.name));
            let hint = |hint_text: &str, tone| Some((format!("{name}{hint_text}"), tone));
            match wallet_address_family(model, wallet) {
                None => hint(&format!("the address format on {chain} is not checked"), Tone::Warn),
                Some(family) => match Address::parse(family, typed).ok()?.assurance() {
                    AddressAssurance::Checksum if entry.is_some() => {
                        hint(&format!("the checksum is valid for {chain}"), Tone::Good)
                    }
                    // A forged address has a valid checksum, too.
                    AddressAssurance::Checksum => hint(
                        &format!("not mistyped for {chain}; a checksum does not show who owns the address"),
                        Tone::Dim,
                    ),
                    AddressAssurance::FormOnly => hint(
                        "well formed; the address has no checksum, so a wrong letter would not be noticed",
                        Tone::Dim,
                    ),
                },
            }
        }
        FieldId::Amount => {
            let holding = chosen_holding(form)?;
            let typed = form.value(slot);
            if typed.eq_ignore_ascii_case(MAX_AMOUNT_WORD) {
                let most = max_payable_amount(model, form).ok()?;
                return Some((
                    format!("{} {}: the balance less the highest known fee", most.format_grouped(), holding.symbol),
                    Tone::Dim,
                ));
            }
            let amount = parse_amount(model, form).ok();
            if let Some(hint_text) = amount.and_then(|amount| limit::above_limit_warning(model, form, amount)) {
                return Some((hint_text, Tone::Warn));
            }
            if let Some(hint_text) = amount.and_then(|amount| balance_share::share_hint(typed, &holding.symbol, amount))
            {
                return Some((hint_text, Tone::Text));
            }
            let amount = Amount::parse(typed, chosen_token_decimals(model, form)?).ok()?;
            Some((format!("{} {}", amount.format_grouped(), holding.symbol), Tone::Dim))
        }
        _ => None,
    }
}

/// The warning that no wallet matches; if the text is the chain of a contact, that no wallet can pay the contact.
fn no_wallet_warning(model: &Model, form: &FormState) -> Option<String> {
    let typed = form.value(FieldId::Wallet);
    if form.wallet_matches.filter.as_deref() != Some(typed) || !form.wallet_matches.window.rows.is_empty() {
        return None;
    }
    let entry = model.journal.book.find(form.value(FieldId::Recipient), typed);
    Some(entry.map_or_else(
        || "no wallet has this name, address or chain".to_owned(),
        |entry| {
            let (name, chain) = (&entry.contact.name, chain_display_name(typed));
            format!(
                "no wallet is on {chain}, the chain of {name} in the address book: no wallet here can pay this entry"
            )
        },
    ))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
fn empty_field_hint(slot: FieldId) -> Option<&'static str> {
    match slot {
        FieldId::Wallet => Some("wallet name, address or chain"),
        FieldId::Token => Some("token symbol"),
        FieldId::Recipient => Some("the full address, or a name from the address book"),
        FieldId::Amount => Some("digits and one point, as in 1234.56; or max; or 25%"),
        FieldId::Note => Some("optional; the service keeps it with the payment"),
        FieldId::Reference => Some("such as an invoice number; made up if empty; Down goes here"),
        FieldId::Memo => Some("as the recipient requires for a deposit; empty if none"),
        FieldId::Fee => Some("digits and one point; empty: no limit"),
        _ => None,
    }
}
