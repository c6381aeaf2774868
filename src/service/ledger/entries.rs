//! Postings of a transaction at each step of its life.

use ruint::aliases::U256;

use super::request_error::RequestError;
use super::rows::RowDirection;
use super::unit_of_work::{LedgerAccountKey, LedgerAccountKind, UnitOfWork};

#[derive(Debug, Clone, Copy)]
pub(super) struct TransactionPosting {
    pub(super) row: i64,
    pub(super) wallet: i64,
    pub(super) token: i64,
    pub(super) amount: U256,
    pub(super) fee: U256,
}

impl TransactionPosting {
    fn wallet_account(&self) -> LedgerAccountKey {
        LedgerAccountKey { wallet: self.wallet, token: self.token, kind: LedgerAccountKind::Wallet }
    }

    fn frozen_account(&self) -> LedgerAccountKey {
        LedgerAccountKey { wallet: self.wallet, token: self.token, kind: LedgerAccountKind::Frozen }
    }

    fn fees_account(&self) -> LedgerAccountKey {
        LedgerAccountKey { wallet: 0, token: self.token, kind: LedgerAccountKind::Fees }
    }

    fn outside_account(&self) -> LedgerAccountKey {
        LedgerAccountKey { wallet: 0, token: self.token, kind: LedgerAccountKind::Outside }
    }

    fn total(&self) -> Result<U256, RequestError> {
        self.amount
            .checked_add(self.fee)
            .ok_or_else(|| RequestError::Internal("an amount and its fee are too large".into()))
    }
}

impl UnitOfWork<'_> {
    /// A withdrawal is accepted: its funds cannot be spent twice.
    pub(super) fn freeze_funds(&mut self, posting: &TransactionPosting) -> Result<(), RequestError> {
        self.post_entry(posting.row, posting.wallet_account(), posting.frozen_account(), posting.total()?)
    }

    /// The chain has confirmed the transaction.
    pub(super) fn post_success(
        &mut self,
        direction: RowDirection,
        posting: &TransactionPosting,
    ) -> Result<(), RequestError> {
        match direction {
            RowDirection::In => {
                self.post_entry(posting.row, posting.outside_account(), posting.wallet_account(), posting.amount)
            }
            RowDirection::Out => {
                self.post_entry(posting.row, posting.frozen_account(), posting.outside_account(), posting.amount)?;
                if posting.fee.is_zero() {
                    return Ok(());
                }
                self.post_entry(posting.row, posting.frozen_account(), posting.fees_account(), posting.fee)
            }
        }
    }

    /// The chain has dropped the transaction: a withdrawal returns with its fee, a deposit never arrived.
    pub(super) fn post_failure(
        &mut self,
        direction: RowDirection,
        posting: &TransactionPosting,
    ) -> Result<(), RequestError> {
        match direction {
            RowDirection::In => Ok(()),
            RowDirection::Out => {
                self.post_entry(posting.row, posting.frozen_account(), posting.wallet_account(), posting.total()?)
            }
        }
    }
}
