//! Look-ups in the store while a form is filled in.

use super::FormState;
use crate::app::forms::field::FieldId;
use crate::app::forms::{batch, payer};
use crate::app::msg::{Effect, StoreQuery};
use crate::app::request_id::RequestId;
use crate::domain::WalletId;
use crate::domain::draft::Operation;

/// The number of wallets requested at once.
const MAX_WALLETS: u32 = 50;

impl FormState {
    /// The look-ups that the form needs now.
    pub fn start_due_lookups(&mut self, request_id: &mut RequestId) -> Vec<Effect> {
        let mut effects = Vec::new();
        if let Some(slot @ (FieldId::Wallet | FieldId::Recipient)) = self.focused_field() {
            let filter = self.value(slot).to_owned();
            if self.wallet_matches.filter.as_ref() != Some(&filter) {
                self.wallet_matches.request_id = request_id.advance();
                effects.push(Effect::QueryStore {
                    query: StoreQuery::PayerWallets { filter, rows: MAX_WALLETS },
                    request_id: self.wallet_matches.request_id,
                });
            }
        }
        if let Some(wallet) = &self.selection.wallet
            && self.holdings.wallet.as_ref() != Some(&wallet.id)
        {
            effects.push(self.query_holdings(request_id));
        }
        let holding = payer::chosen_holding(self).map(|holding| (holding.symbol.clone(), holding.token.clone()));
        if let Some((symbol, token)) = holding
            && self.fee_lookup.token.as_ref() != Some(&token)
        {
            self.fee_lookup.request_id = request_id.advance();
            effects.push(Effect::QueryStore {
                query: StoreQuery::FeeEstimate(symbol, token),
                request_id: self.fee_lookup.request_id,
            });
        }
        if self.operation == Operation::Batch {
            effects.extend(batch::start_due_lookups(self, request_id));
        }
        effects
    }

    /// Queries the holdings of the chosen wallet, even if they are already loaded.
    pub fn query_holdings(&mut self, request_id: &mut RequestId) -> Effect {
        self.holdings.request_id = request_id.advance();
        let wallet = self.selection.wallet.as_ref().map_or_else(|| WalletId::from_text(""), |wallet| wallet.id.clone());
        Effect::QueryStore { query: StoreQuery::WalletHoldings(wallet), request_id: self.holdings.request_id }
    }
}
