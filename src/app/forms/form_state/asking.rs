//! Look-ups in the store while a form is filled in.

use super::FormState;
use crate::app::forms::field::FieldId;
use crate::app::forms::{batch, withdraw};
use crate::app::msg::{Effect, RequestId, StoreQuery};
use crate::domain::WalletId;
use crate::domain::draft::Operation;

/// The number of wallets requested at once.
const OFFERED: u32 = 50;

impl FormState {
    /// The look-ups that the form needs now.
    pub fn pending_queries(&mut self, turn: &mut RequestId) -> Vec<Effect> {
        let mut effects = Vec::new();
        if let Some(slot @ (FieldId::Wallet | FieldId::Recipient)) = self.focused_field() {
            let filter = self.value(slot).to_owned();
            if self.wallet_matches.filter.as_ref() != Some(&filter) {
                self.wallet_matches.turn = turn.advance();
                effects.push(Effect::QueryStore {
                    query: StoreQuery::PayerWallets { filter, rows: OFFERED },
                    turn: self.wallet_matches.turn,
                });
            }
        }
        if let Some(wallet) = &self.selection.wallet
            && self.holdings.wallet.as_ref() != Some(&wallet.id)
        {
            effects.push(self.query_holdings(turn));
        }
        let holding = withdraw::holding(self).map(|holding| (holding.symbol.clone(), holding.token.clone()));
        if let Some((symbol, token)) = holding
            && self.fee.token.as_ref() != Some(&token)
        {
            self.fee.turn = turn.advance();
            effects.push(Effect::QueryStore { query: StoreQuery::FeeEstimate(symbol, token), turn: self.fee.turn });
        }
        if self.operation == Operation::Batch {
            effects.extend(batch::pending_queries(self, turn));
        }
        effects
    }

    /// Queries the holdings of the chosen wallet, even if they are already loaded.
    pub fn query_holdings(&mut self, turn: &mut RequestId) -> Effect {
        self.holdings.turn = turn.advance();
        let wallet = self.selection.wallet.as_ref().map_or_else(|| WalletId::read(""), |wallet| wallet.id.clone());
        Effect::QueryStore { query: StoreQuery::WalletHoldings(wallet), turn: self.holdings.turn }
    }
}
