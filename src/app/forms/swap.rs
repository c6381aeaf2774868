//! A swap of one coin of a wallet for another: what its fields may hold, and what it would give.

pub mod quoting;

use super::field::Slot;
use super::sheet::Sheet;
use super::supply::{Choice, Take};
use super::withdraw::{self, MAX, balance, decimals, holding, name_of};
use crate::app::model::Model;
use crate::app::panes::Tone;
use crate::domain::chain::{display_name, same as same_chain};
use crate::domain::draft::{InstantSwap, Swap};
use crate::domain::imitation::is_disguised;
use crate::domain::v1::SwapPair;
use crate::domain::{Amount, Draft, Operation, Sender, Text};
pub use quoting::Quoting;

/// What a check settles: nothing more than the words, or what they stand for.
type Settled = Option<(String, Take)>;

/// What is to be known of a swap before it is filled in.
pub(super) fn promise(operation: Operation) -> Option<&'static str> {
    match operation {
        Operation::Swap => Some(
            "By version 2. The service's document does not show this request: its names are assumed, and so is its \
             idempotency key. If the answer is lost, the swap is looked for and never sent a second time.",
        ),
        Operation::InstantSwap => Some(
            "By version 1, which promises less: it has no idempotency key and takes the coins from any wallet of the \
             sub-wallet. If the answer is lost, the swap is looked for by its reference and never sent a second time.",
        ),
        _ => None,
    }
}

/// Checks a field that is left.
pub(super) fn check(model: &Model, sheet: &Sheet, slot: Slot) -> Result<Settled, String> {
    match slot {
        Slot::Wallet => {
            let settled = withdraw::check(model, sheet, slot)?;
            let wallet = match &settled {
                Some((_, Take::Wallet(wallet))) => Some(wallet.as_ref()),
                _ => sheet.picked.wallet.as_ref(),
            };
            let is_owned = wallet.is_some_and(|wallet| wallet.user.is_some());
            if sheet.operation == Operation::InstantSwap && !is_owned {
                return Err("version 1 swaps within a sub-wallet, and whose wallet this is, is not known".into());
            }
            Ok(settled)
        }
        Slot::Token => {
            let settled = withdraw::check(model, sheet, slot)?;
            let symbol = settled.as_ref().map_or_else(|| sheet.value(slot), |(symbol, _)| symbol.as_str());
            match &model.prices.pairs {
                Some(_) if model.prices.pairs_of(&Text::clean(symbol)).is_empty() => {
                    Err(format!("the service swaps {symbol} for no other coin; choose another token"))
                }
                _ => Ok(settled),
            }
        }
        Slot::Amount => amount(model, sheet).map(|_| None),
        Slot::Bought => bought(model, sheet).map(|symbol| Some((symbol.to_string(), Take::Words))),
        Slot::Note => withdraw::check(model, sheet, slot),
        _ => Ok(None),
    }
}

/// How much is sold: the fee is part of it, so that all of a balance can be.
pub(super) fn amount(model: &Model, sheet: &Sheet) -> Result<Amount, String> {
    let Some(holding) = holding(sheet) else { return Err("choose the token that is sold first".into()) };
    let typed = sheet.value(Slot::Amount);
    let there = balance(model, holding);
    if typed.eq_ignore_ascii_case(MAX) {
        let most = there.ok_or("max needs a fresh balance that the service told; type the amount")?;
        return if most.is_zero() { Err("nothing of this token is there".into()) } else { Ok(most) };
    }
    let decimals =
        decimals(model, sheet).ok_or("how many fraction digits this token has is not known; nothing can be sold")?;
    let amount = Amount::parse(typed, decimals).map_err(|error| error.to_string())?;
    if amount.is_zero() {
        return Err("sell more than nothing".into());
    }
    match there {
        Some(there) if amount.cmp_value(there).is_gt() => {
            Err(format!("the balance is {} {}", there.grouped(), holding.symbol))
        }
        _ => Ok(amount),
    }
}

/// The coins that what is sold can be swapped for, on the chain of the wallet. What only looks like one is none.
fn offered(model: &Model, sheet: &Sheet) -> Vec<SwapPair> {
    let from = Text::clean(sheet.value(Slot::Token));
    let mut pairs = model.prices.pairs_of(&from);
    pairs.retain(|pair| !is_elsewhere(model, sheet, &pair.to) && !is_disguised(&pair.to));
    pairs.sort_by(|one, other| one.to.cmp(&other.to));
    pairs
}

/// Whether the service lists a coin, and not on the wallet's chain.
fn is_elsewhere(model: &Model, sheet: &Sheet, symbol: &str) -> bool {
    // Version 1 looks for a chain on which both live by itself.
    let Some(wallet) = sheet.picked.wallet.as_ref().filter(|_| sheet.operation == Operation::Swap) else {
        return false;
    };
    let mut places = model
        .tokens
        .held()
        .iter()
        .filter(|token| token.symbol.eq_ignore_ascii_case(symbol))
        .flat_map(|token| &token.blockchains)
        .peekable();
    places.peek().is_some() && !places.any(|place| same_chain(&place.slug, &wallet.blockchain))
}

/// The coin that is bought, as the service spells it.
fn bought(model: &Model, sheet: &Sheet) -> Result<Text, String> {
    let (from, typed) = (sheet.value(Slot::Token), sheet.value(Slot::Bought));
    if from.is_empty() {
        return Err("choose the token that is sold first".into());
    }
    if typed.eq_ignore_ascii_case(from) {
        return Err(format!("{from} is what is sold; choose another coin"));
    }
    let Some(pairs) = &model.prices.pairs else {
        if model.remotes.pairs.last_good.is_none() && model.remotes.pairs.failure.is_none() {
            return Err("the pairs are still being looked up; press the key again".into());
        }
        // A service that does not say what it swaps is asked for a quote all the same.
        return match sheet.fields.iter().find(|field| field.slot == Slot::Bought).map(super::field::Field::text) {
            Some(Ok(symbol)) if !symbol.is_empty() => Ok(symbol),
            Some(Err(why)) => Err(why),
            _ => Err("type the symbol of the coin to buy; the service does not say which ones it swaps".into()),
        };
    };
    let there = offered(model, sheet);
    if let Some(pair) = there.iter().find(|pair| pair.to.eq_ignore_ascii_case(typed)) {
        return Ok(pair.to.clone());
    }
    let exists: Vec<&str> = there.iter().map(|pair| pair.to.as_str()).collect();
    let exists = match exists.as_slice() {
        [] => format!("the service swaps {from} for nothing here"),
        all => format!("the service swaps {from} here for {}", all.join(", ")),
    };
    let is_pair = |pair: &SwapPair| pair.from.eq_ignore_ascii_case(from) && pair.to.eq_ignore_ascii_case(typed);
    Err(match (typed, &sheet.picked.wallet) {
        ("", _) => format!("choose what to buy: {exists}"),
        (_, Some(wallet)) if pairs.iter().any(is_pair) => {
            format!("{typed} does not live on {}; {exists}", display_name(&wallet.blockchain))
        }
        _ => format!("{from} is not swapped for {typed}; {exists}"),
    })
}

/// What may be chosen for a field.
pub(super) fn choices(model: &Model, sheet: &Sheet, slot: Slot) -> Vec<Choice> {
    match slot {
        Slot::Wallet | Slot::Token => withdraw::choices(model, sheet, slot),
        Slot::Bought => {
            let typed = sheet.value(slot).to_lowercase();
            let pairs = offered(model, sheet);
            // A whole symbol needs no completing.
            if pairs.iter().any(|pair| pair.to.to_lowercase() == typed) {
                return Vec::new();
            }
            let matching = pairs.into_iter().filter(|pair| pair.to.to_lowercase().contains(&typed));
            matching.map(|pair| choice(model, &pair)).collect()
        }
        _ => Vec::new(),
    }
}

fn choice(model: &Model, pair: &SwapPair) -> Choice {
    let name = model.listed.iter().find(|token| token.symbol == pair.to).map(|token| token.name.to_string());
    let rate = model.prices.track(pair).and_then(crate::app::prices::Track::newest);
    let rate = rate.map(|newest| format!("1 {} gives about {}", pair.from, newest.rate.words()));
    let about: Vec<String> = name.into_iter().chain(rate).collect();
    Choice { text: pair.to.to_string(), name: pair.to.to_string(), about: about.join(" · "), take: Take::Words }
}

/// What is said of a field while nothing is wrong with it.
pub(super) fn hint(model: &Model, sheet: &Sheet, slot: Slot) -> Option<(String, Tone)> {
    if sheet.value(slot).is_empty() {
        let words = match slot {
            Slot::Token => "its symbol: what is sold",
            Slot::Amount => "how much is sold, fee included: digits and one point, or max",
            Slot::Bought => "the symbol of the coin to buy",
            _ => return withdraw::hint(model, sheet, slot),
        };
        return Some((words.to_owned(), Tone::Dim));
    }
    match slot {
        Slot::Wallet if sheet.operation == Operation::InstantSwap => {
            let wallet = sheet.picked.wallet.as_ref()?;
            let whose = wallet.user.as_ref().map_or_else(|| "of nobody known".to_owned(), |user| format!("of {user}"));
            Some((format!("{} · sub-wallet {whose}", display_name(&wallet.blockchain)), Tone::Dim))
        }
        Slot::Amount => {
            let symbol = &holding(sheet)?.symbol;
            let amount = amount(model, sheet).ok()?;
            let all = if sheet.value(slot).eq_ignore_ascii_case(MAX) { ": all of the balance" } else { "" };
            Some((format!("sells {} {symbol}{all}", amount.grouped()), Tone::Dim))
        }
        Slot::Bought => sheet.swap.words(model, sheet),
        _ => withdraw::hint(model, sheet, slot),
    }
}

/// The draft that the fields make; an error names the field that is to blame.
pub(super) fn draft(model: &Model, sheet: &Sheet) -> Result<(Draft, Sender), (Slot, String)> {
    let at = |slot| move |words: String| (slot, words);
    let wallet = sheet.picked.wallet.as_ref().ok_or((Slot::Wallet, "choose the wallet".to_owned()))?;
    let holding = holding(sheet).ok_or((Slot::Token, "choose a token that this wallet holds".to_owned()))?;
    let amount = amount(model, sheet).map_err(at(Slot::Amount))?;
    let to = bought(model, sheet).map_err(at(Slot::Bought))?;
    let (from, sold) = (holding.symbol.clone(), Text::clean(&amount.to_string()));
    let draft = if sheet.operation == Operation::InstantSwap {
        let owner = wallet.user.clone();
        let sub_wallet = owner.ok_or((Slot::Wallet, format!("whose wallet {} is, is not known", name_of(wallet))))?;
        Draft::InstantSwap(InstantSwap { sub_wallet, from, amount: sold, to, ext_id: None })
    } else {
        let note = withdraw::note(sheet).map_err(at(Slot::Note))?;
        let blockchain = super::chain_word(model, &wallet.blockchain);
        Draft::Swap(Swap { wallet: wallet.id.clone(), blockchain, from, amount: sold, to, ref_id: None, note })
    };
    Ok((draft, withdraw::payer(wallet, holding, amount)))
}
