//! What a form asks the store for while it is filled in.

use super::Sheet;
use crate::app::forms::field::Slot;
use crate::app::forms::{batch, withdraw};
use crate::app::msg::{Effect, Question, Turn};
use crate::domain::WalletId;
use crate::domain::draft::Operation;

/// How many wallets are asked for at once.
const OFFERED: u32 = 50;

impl Sheet {
    /// The questions whose answers the form needs where it stands now.
    pub fn ask(&mut self, turn: &mut Turn) -> Vec<Effect> {
        let mut effects = Vec::new();
        if let Some(slot @ (Slot::Wallet | Slot::Recipient)) = self.focus() {
            let filter = self.value(slot).to_owned();
            if self.found.filter.as_ref() != Some(&filter) {
                self.found.turn = turn.advance();
                effects
                    .push(Effect::Ask { question: Question::Payers { filter, rows: OFFERED }, turn: self.found.turn });
            }
        }
        if let Some(wallet) = &self.picked.wallet
            && self.held.of.as_ref() != Some(&wallet.id)
        {
            effects.push(self.ask_held(turn));
        }
        let holding = withdraw::holding(self).map(|holding| (holding.symbol.clone(), holding.token.clone()));
        if let Some((symbol, token)) = holding
            && self.fee.of.as_ref() != Some(&token)
        {
            self.fee.turn = turn.advance();
            effects.push(Effect::Ask { question: Question::Fee(symbol, token), turn: self.fee.turn });
        }
        if self.operation == Operation::Batch {
            effects.extend(batch::ask(self, turn));
        }
        effects
    }

    /// Asks for what the chosen wallet holds, whatever is known of it.
    pub fn ask_held(&mut self, turn: &mut Turn) -> Effect {
        self.held.turn = turn.advance();
        let wallet = self.picked.wallet.as_ref().map_or_else(|| WalletId::read(""), |wallet| wallet.id.clone());
        Effect::Ask { question: Question::Held(wallet), turn: self.held.turn }
    }
}
