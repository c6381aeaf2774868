//! Postings of a transaction at each step of its life.

use ruint::aliases::U256;

use super::refusal::RequestError;
use super::rows::RowDirection;
use super::unit_of_work::{LedgerAccountKey, LedgerAccountKind, UnitOfWork};

#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    pub(super) row: i64,
    pub(super) wallet: i64,
    pub(super) token: i64,
    pub(super) amount: U256,
    pub(super) fee: U256,
}

impl Posting {
    fn wallet(&self) -> LedgerAccountKey {
        LedgerAccountKey { wallet: self.wallet, token: self.token, kind: LedgerAccountKind::Wallet }
    }

    fn frozen(&self) -> LedgerAccountKey {
        LedgerAccountKey { wallet: self.wallet, token: self.token, kind: LedgerAccountKind::Frozen }
    }

    fn fees(&self) -> LedgerAccountKey {
        LedgerAccountKey { wallet: 0, token: self.token, kind: LedgerAccountKind::Fees }
    }

    fn outside(&self) -> LedgerAccountKey {
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
    pub(super) fn freeze(&mut self, moved: &Posting) -> Result<(), RequestError> {
        self.post(moved.row, moved.wallet(), moved.frozen(), moved.total()?)
    }

    /// The chain has confirmed the transaction.
    pub(super) fn succeed(&mut self, way: RowDirection, moved: &Posting) -> Result<(), RequestError> {
        match way {
            RowDirection::In => self.post(moved.row, moved.outside(), moved.wallet(), moved.amount),
            RowDirection::Out => {
                self.post(moved.row, moved.frozen(), moved.outside(), moved.amount)?;
                if moved.fee.is_zero() {
                    return Ok(());
                }
                self.post(moved.row, moved.frozen(), moved.fees(), moved.fee)
            }
        }
    }

    /// The chain has dropped the transaction: a withdrawal returns with its fee, a deposit never arrived.
    pub(super) fn fail(&mut self, way: RowDirection, moved: &Posting) -> Result<(), RequestError> {
        match way {
            RowDirection::In => Ok(()),
            RowDirection::Out => self.post(moved.row, moved.frozen(), moved.wallet(), moved.total()?),
        }
    }
}
