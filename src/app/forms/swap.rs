//! A swap of one coin of a wallet for another.

pub mod live_quote;

use super::field::FieldId;
use super::form_state::FormState;
use super::lookups::{FieldChoice, Picked};
use super::payer::{self, CheckedValue, MAX_AMOUNT_WORD, chosen_holding, reliable_balance, wallet_name};
use super::typed_amount::{AmountUse, parse_typed_amount};
use super::{balance_share, withdraw};
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::domain::chain::{chain_display_name, is_same_chain as same_chain};
use crate::domain::draft::{InstantSwap, Swap};
use crate::domain::imitation::has_disguised_word;
use crate::domain::v1::SwapPair;
use crate::domain::{Amount, Draft, Operation, Sender, Text};

/// The warning shown before a swap is filled in: what its version does not guarantee.
pub(super) fn disclaimer(operation: Operation) -> Option<&'static str> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other operations are no swaps")]
    match operation {
        Operation::Swap => Some(
            "Uses version 2. The service's specification does not document this request: its names are assumed, and so is its \
             idempotency key. If the answer is lost, this console looks for the swap and never sends it a second time.",
        ),
        Operation::InstantSwap => Some(
            "Uses version 1, which guarantees less: it has no idempotency key and takes the coins from any wallet of the \
             sub-wallet. If the answer is lost, this console looks for the swap by its reference and never sends it a second time.",
        ),
        _ => None,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
pub(super) fn check_field(model: &Model, form: &FormState, slot: FieldId) -> Result<CheckedValue, String> {
    match slot {
        FieldId::Wallet => {
            let settled = withdraw::check_field(model, form, slot)?;
            let wallet = match &settled {
                Some((_, Picked::Wallet(wallet))) => Some(wallet.as_ref()),
                _ => form.selection.wallet.as_ref(),
            };
            let is_owned = wallet.is_some_and(|wallet| wallet.user.is_some());
            if form.operation == Operation::InstantSwap && !is_owned {
                return Err("version 1 swaps within a sub-wallet, and the owner of this wallet is not known".into());
            }
            Ok(settled)
        }
        FieldId::Token => {
            let settled = withdraw::check_field(model, form, slot)?;
            let symbol = settled.as_ref().map_or_else(|| form.value(slot), |(symbol, _)| symbol.as_str());
            match &model.data.prices.pairs {
                Some(_) if model.data.prices.pairs_selling(&Text::clean(symbol)).is_empty() => {
                    Err(format!("the service offers no swap of {symbol}; choose another token"))
                }
                _ => Ok(settled),
            }
        }
        FieldId::Amount => {
            parse_sell_amount(model, form).map(|amount| balance_share::settle_share(form.value(slot), amount))
        }
        FieldId::BuyToken => parse_buy_token(model, form).map(|symbol| Some((symbol.to_string(), Picked::TextOnly))),
        FieldId::Note | FieldId::Reference => withdraw::check_field(model, form, slot),
        _ => Ok(None),
    }
}

/// The amount sold. It includes the fee, so that a whole balance can be sold.
pub(super) fn parse_sell_amount(model: &Model, form: &FormState) -> Result<Amount, String> {
    let Some(holding) = chosen_holding(form) else { return Err("choose the token to sell first".into()) };
    if form.value(FieldId::Amount).eq_ignore_ascii_case(MAX_AMOUNT_WORD) {
        let most = reliable_balance(model, holding)
            .ok_or("max needs a fresh balance reported by the service; type the amount")?;
        return if most.is_zero() { Err("the balance of this token is zero".into()) } else { Ok(most) };
    }
    parse_typed_amount(model, form, holding, AmountUse { verb: "sell", participle: "sold" })
}

/// The pairs in which the coin can be sold on the wallet's chain, without imitation tokens.
fn offered_pairs(model: &Model, form: &FormState) -> Vec<SwapPair> {
    let from = Text::clean(form.value(FieldId::Token));
    let mut pairs = model.data.prices.pairs_selling(&from);
    pairs.retain(|pair| !is_on_other_chain(model, form, &pair.to) && !has_disguised_word(&pair.to));
    pairs.sort_by(|one, other| one.to.cmp(&other.to));
    pairs
}

/// Whether the service lists a coin, but not on the wallet's chain.
fn is_on_other_chain(model: &Model, form: &FormState, symbol: &str) -> bool {
    // Version 1 finds a chain that both coins share by itself.
    let Some(wallet) = form.selection.wallet.as_ref().filter(|_| form.operation == Operation::Swap) else {
        return false;
    };
    let mut places = model
        .pages
        .markets
        .tokens
        .rows()
        .iter()
        .filter(|token| token.symbol.eq_ignore_ascii_case(symbol))
        .flat_map(|token| &token.blockchains)
        .peekable();
    places.peek().is_some() && !places.any(|place| same_chain(&place.slug, &wallet.blockchain))
}

/// Whether the pairs were not read yet, and no read of them has failed.
pub(super) fn is_awaiting_pairs(model: &Model) -> bool {
    model.data.remotes.pairs.last_success.is_none() && model.data.remotes.pairs.failure.is_none()
}

/// The coin to buy, as the service spells it.
pub(super) fn parse_buy_token(model: &Model, form: &FormState) -> Result<Text, String> {
    let (from, typed) = (form.value(FieldId::Token), form.value(FieldId::BuyToken));
    if from.is_empty() {
        return Err("choose the token to sell first".into());
    }
    if typed.eq_ignore_ascii_case(from) {
        return Err(format!("{from} is the token to sell; choose another coin"));
    }
    let Some(pairs) = &model.data.prices.pairs else {
        if is_awaiting_pairs(model) {
            return Err("the pairs are still being looked up; press the key again".into());
        }
        // A service that does not list its pairs is asked for a quote all the same.
        return match form
            .fields
            .iter()
            .find(|field| field.id == FieldId::BuyToken)
            .map(super::field::Field::checked_text)
        {
            Some(Ok(symbol)) if !symbol.is_empty() => Ok(symbol),
            Some(Err(reason)) => Err(reason),
            _ => Err("type the symbol of the coin to buy; the service does not list the coins that it swaps".into()),
        };
    };
    let choices = offered_pairs(model, form);
    if let Some(pair) = choices.iter().find(|pair| pair.to.eq_ignore_ascii_case(typed)) {
        return Ok(pair.to.clone());
    }
    let exists: Vec<&str> = choices.iter().map(|pair| pair.to.as_str()).collect();
    let exists = match exists.as_slice() {
        [] => format!("the service offers no swap of {from} here"),
        all => format!("the service swaps {from} here for {}", all.join(", ")),
    };
    let is_pair = |pair: &SwapPair| pair.from.eq_ignore_ascii_case(from) && pair.to.eq_ignore_ascii_case(typed);
    Err(match (typed, &form.selection.wallet) {
        ("", _) => format!("choose what to buy: {exists}"),
        (_, Some(wallet)) if pairs.iter().any(is_pair) => {
            format!("{typed} does not exist on {}; {exists}", chain_display_name(&wallet.blockchain))
        }
        _ => format!("{from} cannot be swapped for {typed}; {exists}"),
    })
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
pub(super) fn field_choices(model: &Model, form: &FormState, slot: FieldId) -> Vec<FieldChoice> {
    match slot {
        FieldId::Wallet | FieldId::Token => withdraw::field_choices(model, form, slot),
        FieldId::BuyToken => {
            let typed = form.value(slot).to_lowercase();
            let pairs = offered_pairs(model, form);
            // A complete symbol needs no completion.
            if pairs.iter().any(|pair| pair.to.to_lowercase() == typed) {
                return Vec::new();
            }
            let matching = pairs.into_iter().filter(|pair| pair.to.to_lowercase().contains(&typed));
            matching.map(|pair| pair_choice(model, &pair)).collect()
        }
        _ => Vec::new(),
    }
}

fn pair_choice(model: &Model, pair: &SwapPair) -> FieldChoice {
    let name =
        model.data.listed_tokens.iter().find(|token| token.symbol == pair.to).map(|token| token.name.to_string());
    let rate = model.data.prices.history_of(pair).and_then(crate::app::data::prices::QuoteHistory::newest);
    let rate = rate.map(|newest| format!("1 {} gives about {}", pair.from, newest.rate.format_rate()));
    let about: Vec<String> = name.into_iter().chain(rate).collect();
    FieldChoice {
        text: pair.to.to_string(),
        name: pair.to.to_string(),
        detail: about.join(" · "),
        picked: Picked::TextOnly,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
pub(super) fn field_hint(model: &Model, form: &FormState, slot: FieldId) -> Option<(String, Tone)> {
    if form.value(slot).is_empty() {
        let hint = match slot {
            FieldId::Token => "the symbol of the token to sell",
            FieldId::Amount => "the amount to sell, fee included: digits and one point, or max, or 25%",
            FieldId::BuyToken => "the symbol of the coin to buy",
            _ => return withdraw::field_hint(model, form, slot),
        };
        return Some((hint.to_owned(), Tone::Dim));
    }
    match slot {
        FieldId::Wallet if form.operation == Operation::InstantSwap => {
            let wallet = form.selection.wallet.as_ref()?;
            let owner =
                wallet.user.as_ref().map_or_else(|| "of an unknown user".to_owned(), |user| format!("of {user}"));
            Some((format!("{} · sub-wallet {owner}", chain_display_name(&wallet.blockchain)), Tone::Dim))
        }
        FieldId::Amount => {
            let symbol = &chosen_holding(form)?.symbol;
            let amount = parse_sell_amount(model, form).ok()?;
            let typed = form.value(slot);
            if let Some(hint) = balance_share::share_hint(typed, symbol, amount) {
                return Some((hint, Tone::Text));
            }
            let all = if typed.eq_ignore_ascii_case(MAX_AMOUNT_WORD) { ": all of the balance" } else { "" };
            Some((format!("sells {} {symbol}{all}", amount.format_grouped()), Tone::Dim))
        }
        FieldId::BuyToken => form.live_quote.quote_summary(model, form),
        _ => withdraw::field_hint(model, form, slot),
    }
}

pub(super) fn build_draft(model: &Model, form: &FormState) -> Result<(Draft, Sender), (FieldId, String)> {
    let at = |slot| move |error: String| (slot, error);
    let wallet = form.selection.wallet.as_ref().ok_or((FieldId::Wallet, "choose the wallet".to_owned()))?;
    let holding = chosen_holding(form).ok_or((FieldId::Token, "choose a token that this wallet holds".to_owned()))?;
    let amount = parse_sell_amount(model, form).map_err(at(FieldId::Amount))?;
    let to = parse_buy_token(model, form).map_err(at(FieldId::BuyToken))?;
    let reference = withdraw::parse_reference(form).map_err(at(FieldId::Reference))?;
    let (from, sold) = (holding.symbol.clone(), Text::clean(&amount.to_string()));
    let draft = if form.operation == Operation::InstantSwap {
        let owner = wallet.user.clone();
        let sub_wallet =
            owner.ok_or((FieldId::Wallet, format!("the owner of wallet {} is not known", wallet_name(wallet))))?;
        Draft::InstantSwap(InstantSwap { sub_wallet, from, amount: sold, to, ext_id: reference })
    } else {
        let note = withdraw::parse_note(form).map_err(at(FieldId::Note))?;
        let blockchain = super::chains::request_chain_name(model, &wallet.blockchain);
        Draft::Swap(Swap { wallet: wallet.id.clone(), blockchain, from, amount: sold, to, ref_id: reference, note })
    };
    Ok((draft, payer::build_sender(wallet, holding, amount)))
}
