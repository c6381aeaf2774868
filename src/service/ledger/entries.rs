//! What a transaction moves between books, at each point of its life.

use ruint::aliases::U256;

use super::books::{Books, Kind, Shelf};
use super::refusal::Refusal;
use super::rows::Way;

/// What moves: by which row, of which wallet and token, and how much.
#[derive(Debug, Clone, Copy)]
pub(super) struct Movement {
    pub(super) row: i64,
    pub(super) wallet: i64,
    pub(super) token: i64,
    pub(super) amount: U256,
    pub(super) fee: U256,
}

impl Movement {
    fn wallet(&self) -> Shelf {
        Shelf { wallet: self.wallet, token: self.token, kind: Kind::Wallet }
    }

    fn frozen(&self) -> Shelf {
        Shelf { wallet: self.wallet, token: self.token, kind: Kind::Frozen }
    }

    fn fees(&self) -> Shelf {
        Shelf { wallet: 0, token: self.token, kind: Kind::Fees }
    }

    fn outside(&self) -> Shelf {
        Shelf { wallet: 0, token: self.token, kind: Kind::Outside }
    }

    fn total(&self) -> Result<U256, Refusal> {
        self.amount.checked_add(self.fee).ok_or_else(|| Refusal::Broken("an amount and its fee are too large".into()))
    }
}

impl Books<'_> {
    /// A withdrawal is accepted: it cannot be spent twice.
    pub(super) fn freeze(&mut self, moved: &Movement) -> Result<(), Refusal> {
        self.post(moved.row, moved.wallet(), moved.frozen(), moved.total()?)
    }

    /// The chain has confirmed it.
    pub(super) fn succeed(&mut self, way: Way, moved: &Movement) -> Result<(), Refusal> {
        match way {
            Way::In => self.post(moved.row, moved.outside(), moved.wallet(), moved.amount),
            Way::Out => {
                self.post(moved.row, moved.frozen(), moved.outside(), moved.amount)?;
                if moved.fee.is_zero() {
                    return Ok(());
                }
                self.post(moved.row, moved.frozen(), moved.fees(), moved.fee)
            }
        }
    }

    /// The chain has dropped it: a withdrawal comes back with its fee, a deposit never came.
    pub(super) fn fail(&mut self, way: Way, moved: &Movement) -> Result<(), Refusal> {
        match way {
            Way::In => Ok(()),
            Way::Out => self.post(moved.row, moved.frozen(), moved.wallet(), moved.total()?),
        }
    }
}
