//! Compares the answer to a swap with its request: a transaction, whose amount may be told with the fee or without it, or
//! the executed quote. What was bought is compared with what the review showed, by whoever knows that.

use super::{ANSWER, told, told_amount};
use crate::api::WireNames;
use crate::api::fields::Fields;
use crate::domain::comparison::{Asked, Told, ToldAmount, differences_of_sale};
use crate::domain::intent::Frozen;
use crate::domain::{Operation, Text};

/// Where the object in an answer says something else than the request of a swap.
pub(super) fn differences(frozen: &Frozen, asked: &Fields<'_>, answer: &Fields<'_>, wire: &WireNames) -> Vec<Text> {
    let is_instant = frozen.operation == Operation::InstantSwap;
    let (from, amount, to, reference) = if is_instant {
        let WireNames {
            instant_swap_from_coin,
            instant_swap_from_amount,
            instant_swap_to_coin,
            instant_swap_ext_id,
            ..
        } = wire;
        (instant_swap_from_coin, instant_swap_from_amount, instant_swap_to_coin, instant_swap_ext_id)
    } else {
        let WireNames { swap_from_coin, swap_from_amount, swap_to_coin, swap_ref_id, .. } = wire;
        (swap_from_coin, swap_from_amount, swap_to_coin, swap_ref_id)
    };
    // What version 1 calls a wallet is whoever owns it, and which chain it takes is its own choice.
    let (wallet, chain) =
        if is_instant { (None, None) } else { (Some(&wire.swap_wallet), Some(&wire.swap_blockchain)) };
    let sale = Asked {
        key: frozen.key.map(|key| Text::clean(&key.to_string())),
        wallet: wallet.and_then(|name| asked.text(name)),
        chain: chain.and_then(|name| asked.text(name)),
        token: asked.text(from),
        amount: asked.text(amount),
        to: None,
        reference: asked.text(reference),
    };
    let told_amounts = ["fromAmount", "totalAmount", "amount"].map(|name| told_amount(answer, name));
    let amounts: Vec<ToldAmount> = told_amounts.into_iter().flatten().collect();
    let told = told(answer);
    let tokens = answer.text_or_raw("fromCoin").map_or(told.tokens, |coin| vec![coin]);
    let told = Told { tokens, ..told };
    let mut found = differences_of_sale(&sale, &told, &amounts, ANSWER);
    if let Some((asked, told)) = asked.text(to).zip(answer.text_or_raw("toCoin"))
        && !asked.eq_ignore_ascii_case(told.trim())
    {
        found.push(Text::clean(&format!("coin bought: the request says {asked}, {ANSWER} {told}")));
    }
    found
}
