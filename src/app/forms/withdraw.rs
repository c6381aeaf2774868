//! A payment to one recipient.

mod by_v1;
mod limit;
mod offers;
pub(super) mod percent;
mod recipient;

use super::field::FieldId;
use super::form_state::FormState;
use super::lookups::Picked;
use crate::app::data::link;
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::domain::chain::{self, chain_display_name, is_same_chain as same_chain};
use crate::domain::{
    Address, AddressAssurance, Amount, BalanceBasis, Draft, Family, Holding, Metadata, Operation, ReportedAmount,
    Sender, Text, Wallet, Withdrawal, address, shorten_address,
};

pub(super) use offers::field_choices;

/// The word for the whole balance in an amount field.
pub(super) const MAX_AMOUNT_WORD: &str = "max";

/// The value that a check puts into the field, and what it stands for; `None` leaves the field as it is.
pub(super) type CheckedValue = Option<(String, Picked)>;

#[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
pub(super) fn check_field(model: &Model, form: &FormState, slot: FieldId) -> Result<CheckedValue, String> {
    match slot {
        FieldId::Wallet => by_v1::check_payer(model, form, resolve_wallet(form)?),
        FieldId::Token => resolve_token(form),
        FieldId::Recipient => recipient::check_recipient(model, form),
        FieldId::Amount => parse_amount(model, form).map(|amount| percent::settle_share(form.value(slot), amount)),
        FieldId::Note | FieldId::Reference => parse_free_text(form, slot).map(|_| None),
        FieldId::Memo => by_v1::parse_memo(model, form).map(|_| None),
        FieldId::Fee => by_v1::parse_maximum_fee(model, form).map(|_| None),
        _ => Ok(None),
    }
}

fn resolve_wallet(form: &FormState) -> Result<CheckedValue, String> {
    if form.selection.wallet.is_some() {
        return Ok(None);
    }
    let typed = form.value(FieldId::Wallet);
    if form.wallet_matches.filter.as_deref() != Some(typed) {
        return Err("the wallets are still being looked up; press the key again".into());
    }
    let rows: Vec<&Wallet> = form.wallet_matches.window.rows.iter().map(|wallet| &wallet.entry).collect();
    let matches: Vec<&Wallet> = rows
        .iter()
        .copied()
        .filter(|wallet| {
            wallet_name(wallet).eq_ignore_ascii_case(typed)
                || wallet.address.as_deref().is_some_and(|address| address.eq_ignore_ascii_case(typed))
        })
        .collect();
    match (typed.is_empty(), matches.as_slice(), rows.as_slice()) {
        (true, _, []) => Err("no wallet is known yet; n creates one".into()),
        (true, ..) => Err("choose the wallet that pays: Down and Enter, or type its name".into()),
        (false, [one], _) | (false, [], [one]) => {
            Ok(Some((wallet_name(one), Picked::Wallet(Box::new((*one).clone())))))
        }
        (false, _, []) => Err("no wallet has this name, address or chain".into()),
        (false, ..) => {
            let count = form.wallet_matches.window.count.number();
            Err(format!("{count} wallets match; choose one with Down and Enter"))
        }
    }
}

fn resolve_token(form: &FormState) -> Result<CheckedValue, String> {
    let Some(wallet) = &form.selection.wallet else { return Err("choose the wallet first".into()) };
    if form.selection.token.is_some() {
        return Ok(None);
    }
    if form.holdings.wallet.as_ref() != Some(&wallet.id) {
        return Err("what this wallet holds is still being looked up; press the key again".into());
    }
    let typed = form.value(FieldId::Token);
    let matches: Vec<&Holding> =
        holdings_without_imitations(form).filter(|holding| holding.symbol.eq_ignore_ascii_case(typed)).collect();
    match (typed.is_empty(), matches.as_slice()) {
        (_, [one]) => Ok(Some((one.symbol.to_string(), Picked::Token(one.token.clone())))),
        (_, []) if holdings_without_imitations(form).next().is_none() => Err("this wallet has no known balance".into()),
        (true, _) => Err("choose a token that this wallet holds: Down and Enter, or type its symbol".into()),
        (false, []) => Err("this wallet holds no token with this symbol".into()),
        (false, _) => Err("two tokens have this symbol here; choose one by its contract with Down and Enter".into()),
    }
}

pub(super) fn parse_note(form: &FormState) -> Result<Option<Text>, String> {
    parse_free_text(form, FieldId::Note)
}

/// The operator's own reference; without one, the request gets one that is made up.
pub(super) fn parse_reference(form: &FormState) -> Result<Option<Text>, String> {
    parse_free_text(form, FieldId::Reference)
}

fn parse_free_text(form: &FormState, slot: FieldId) -> Result<Option<Text>, String> {
    let field = form.fields.iter().find(|field| field.id == slot);
    let Some(text) = field.map(super::field::Field::checked_text).transpose()?.filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    // The words go into the journal and to the service, and cannot be removed from either.
    match address::find_secret(&text) {
        Some(secret) => Err(format!("this contains {secret}: anyone who sees it can take what it protects; remove it")),
        None => Ok(Some(text)),
    }
}

/// The address format of the wallet's chain, as far as this program or the service's token list knows it.
pub(super) fn wallet_address_family(model: &Model, wallet: &Wallet) -> Option<Family> {
    chain_address_family(model, &wallet.blockchain)
}

/// The address format of a chain.
pub(in crate::app) fn chain_address_family(model: &Model, chain: &Text) -> Option<Family> {
    chain::address_family_by_listed_protocol(&model.data.listed_tokens, chain)
}

pub(super) fn chosen_holding(form: &FormState) -> Option<&Holding> {
    let token = form.selection.token.as_ref()?;
    form.holdings.rows.iter().find(|holding| holding.token == *token)
}

pub(super) fn chosen_token_decimals(model: &Model, form: &FormState) -> Option<u8> {
    let holding = chosen_holding(form)?;
    holding.amount.as_ref().map(|amount| amount.even_if_disputed().decimals()).or_else(|| {
        let token = model.data.listed_tokens.iter().find(|token| token.symbol == holding.symbol)?;
        let chain = token.blockchains.iter().find(|chain| same_chain(&chain.slug, &holding.token.blockchain));
        chain.and_then(|chain| chain.decimals).or(token.decimals)
    })
}

fn parse_amount(model: &Model, form: &FormState) -> Result<Amount, String> {
    let Some(holding) = chosen_holding(form) else { return Err("choose the token first".into()) };
    let typed = form.value(FieldId::Amount);
    if typed.eq_ignore_ascii_case(MAX_AMOUNT_WORD) {
        return max_payable_amount(model, form);
    }
    if let Some(share) = percent::share_of_balance(typed, reliable_balance(model, holding)) {
        return share;
    }
    let decimals = chosen_token_decimals(model, form)
        .ok_or("the number of decimals of this token is not known; nothing can be paid")?;
    let amount = Amount::parse(typed, decimals).map_err(|error| error.to_string())?;
    if amount.is_zero() {
        return Err("pay an amount greater than zero".into());
    }
    match reliable_balance(model, holding) {
        Some(balance) if amount.cmp_value(balance).is_gt() => {
            Err(format!("the amount exceeds the balance of {} {}", balance.format_grouped(), holding.symbol))
        }
        _ => Ok(amount),
    }
}

/// The balance, if it can be relied on: reported by the service, undisputed and fresh. A balance reported for the
/// wallet's user counts too: the review states it, and asks for the words that accept it.
pub(super) fn reliable_balance(model: &Model, holding: &Holding) -> Option<Amount> {
    let sure = holding.basis <= BalanceBasis::Assumed && model.figure_staleness(holding.as_of).is_none();
    holding.amount.as_ref().and_then(ReportedAmount::exact).filter(|_| sure && holding.as_of.is_some())
}

/// The wallet's holdings without imitation tokens.
fn holdings_without_imitations(form: &FormState) -> impl Iterator<Item = &Holding> {
    form.holdings.rows.iter().filter(|holding| !holding.suspicious)
}

pub(super) fn wallet_name(wallet: &Wallet) -> String {
    let name = wallet.name.as_ref().or(wallet.address.as_ref());
    name.map_or_else(|| wallet.id.to_string(), ToString::to_string)
}

fn balance_basis_text(model: &Model, holding: &Holding) -> String {
    let basis = match (&holding.amount, holding.basis) {
        (None, _) => return "balance not known".into(),
        (Some(ReportedAmount::Disputed { .. }), _) => "disputed",
        (_, BalanceBasis::Reported) => "reported",
        (_, BalanceBasis::Assumed) => "assumed",
        (_, BalanceBasis::Derived) => "calculated from history",
        (_, BalanceBasis::Unknown) => "unknown",
    };
    let age =
        holding.as_of.map_or_else(String::new, |as_of| format!(" {} ago", link::format_age(as_of.age(model.now))));
    format!("{basis}{age}")
}

/// The largest amount that can be paid: the balance less the highest known fee of a payment of this token.
fn max_payable_amount(model: &Model, form: &FormState) -> Result<Amount, String> {
    let holding = chosen_holding(form).ok_or("choose the token first")?;
    let funds = reliable_balance(model, holding)
        .ok_or("max needs a fresh balance reported by the service, not one calculated from history; type the amount")?;
    let fee = highest_expected_fee(form, funds.decimals())
        .ok_or("max needs a past payment of this token to estimate the fee; type the amount")?;
    match funds.checked_sub(fee) {
        Some(most) if !most.is_zero() => Ok(most),
        _ => {
            Err(format!("the balance of {} does not cover the fee of {}", funds.format_grouped(), fee.format_grouped()))
        }
    }
}

/// The highest fee expected; zero for a gasless wallet.
fn highest_expected_fee(form: &FormState, decimals: u8) -> Option<Amount> {
    if form.selection.wallet.as_ref().is_some_and(|wallet| wallet.gasless_withdraw == Some(true)) {
        return Some(Amount::zero(decimals));
    }
    let is_same_token = form.fee_lookup.token == form.selection.token;
    form.fee_lookup.estimate.as_ref().filter(|_| is_same_token).and_then(|fee| fee.highest.rescaled(decimals))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
pub(super) fn field_hint(model: &Model, form: &FormState, slot: FieldId) -> Option<(String, Tone)> {
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
            if let Some(hint_text) = amount.and_then(|amount| percent::share_hint(typed, &holding.symbol, amount)) {
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

pub(super) fn build_draft(model: &Model, form: &FormState) -> Result<(Draft, Sender), (FieldId, String)> {
    let at = |slot| move |error: String| (slot, error);
    let wallet = form.selection.wallet.as_ref().ok_or((FieldId::Wallet, "choose the wallet that pays".to_owned()))?;
    let holding = chosen_holding(form).ok_or((FieldId::Token, "choose a token that this wallet holds".to_owned()))?;
    let to = recipient::parse_recipient(model, form).map_err(at(FieldId::Recipient))?;
    let amount = parse_amount(model, form).map_err(at(FieldId::Amount))?;
    let note = parse_note(form).map_err(at(FieldId::Note))?;
    let ref_id = parse_reference(form).map_err(at(FieldId::Reference))?;
    let draft = Withdrawal {
        wallet: wallet.id.clone(),
        blockchain: super::chains::request_chain_name(model, &wallet.blockchain),
        token: holding.symbol.clone(),
        amount: Text::clean(&amount.to_string()),
        to,
        ref_id,
        note,
        metadata: Metadata::default(),
    };
    let sender = build_sender(wallet, holding, amount);
    if form.operation == Operation::Payment {
        return Ok((by_v1::build_draft(model, form, wallet, draft)?, sender));
    }
    Ok((Draft::Withdraw(draft), sender))
}

pub(super) fn build_sender(wallet: &Wallet, holding: &Holding, amount: Amount) -> Sender {
    Sender {
        name: wallet.name.clone(),
        address: wallet.address.clone(),
        account: wallet.account.clone(),
        user: wallet.user.clone(),
        token: holding.token.clone(),
        amount,
    }
}
