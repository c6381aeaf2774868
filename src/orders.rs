//! Decides about money that leaves, purely, from an order and from what was read of it: whose a row is, what a read of
//! the history proves, what may be sent again, when an order has ended, and what is worth a record.

pub mod claim;
pub mod evidence;
#[cfg(test)]
pub(crate) mod fixtures;
pub mod lookup;
pub mod resend;
pub mod settle;
#[cfg(test)]
mod tests;
