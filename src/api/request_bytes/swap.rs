//! Requests of swaps. The specification shows neither of them, so that every name in them is an assumption.

use super::{BodyWriter, DecodeError, MemberReader};
use crate::api::WireNames;
use crate::domain::draft::{InstantSwap, Swap};
use crate::domain::{UserId, WalletId};

impl BodyWriter {
    pub(super) fn swap(&mut self, swap: &Swap, wire: &WireNames) {
        self.text(&wire.swap_wallet, Some(swap.wallet.as_str()));
        self.text(&wire.swap_blockchain, Some(&swap.blockchain));
        self.text(&wire.swap_from_coin, Some(&swap.from));
        self.text(&wire.swap_from_amount, Some(&swap.amount));
        self.text(&wire.swap_to_coin, Some(&swap.to));
        self.text(&wire.swap_ref_id, swap.ref_id.as_deref());
        self.text(&wire.swap_note, swap.note.as_deref());
    }

    pub(super) fn instant_swap(&mut self, swap: &InstantSwap, wire: &WireNames) {
        self.text(&wire.instant_swap_wallet, Some(swap.sub_wallet.as_str()));
        self.text(&wire.instant_swap_from_coin, Some(&swap.from));
        self.text(&wire.instant_swap_from_amount, Some(&swap.amount));
        self.text(&wire.instant_swap_to_coin, Some(&swap.to));
        self.text(&wire.instant_swap_ext_id, swap.ext_id.as_deref());
    }
}

impl MemberReader<'_> {
    pub(super) fn swap(&mut self, wire: &WireNames) -> Result<Swap, DecodeError> {
        Ok(Swap {
            wallet: WalletId::read(&self.required(&wire.swap_wallet)?),
            blockchain: self.required(&wire.swap_blockchain)?,
            from: self.required(&wire.swap_from_coin)?,
            amount: self.amount(&wire.swap_from_amount)?,
            to: self.required(&wire.swap_to_coin)?,
            ref_id: self.text(&wire.swap_ref_id)?,
            note: self.text(&wire.swap_note)?,
        })
    }

    pub(super) fn instant_swap(&mut self, wire: &WireNames) -> Result<InstantSwap, DecodeError> {
        Ok(InstantSwap {
            sub_wallet: UserId::read(&self.required(&wire.instant_swap_wallet)?),
            from: self.required(&wire.instant_swap_from_coin)?,
            amount: self.amount(&wire.instant_swap_from_amount)?,
            to: self.required(&wire.instant_swap_to_coin)?,
            ext_id: self.text(&wire.instant_swap_ext_id)?,
        })
    }
}

pub(super) fn swap_wire_names(wire: &WireNames) -> Vec<&str> {
    vec![
        &wire.swap_key,
        &wire.swap_wallet,
        &wire.swap_blockchain,
        &wire.swap_from_coin,
        &wire.swap_from_amount,
        &wire.swap_to_coin,
        &wire.swap_ref_id,
        &wire.swap_note,
    ]
}

pub(super) fn instant_swap_wire_names(wire: &WireNames) -> Vec<&str> {
    vec![
        &wire.instant_swap_wallet,
        &wire.instant_swap_from_coin,
        &wire.instant_swap_from_amount,
        &wire.instant_swap_to_coin,
        &wire.instant_swap_ext_id,
    ]
}
