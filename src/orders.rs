//! Decides about money that leaves, purely, from an order and from what was read of it: whose a row is, what a read of
//! the history proves, which event may follow which, what may be sent and sent again, when an order has ended, what
//! contradicts that, and what is worth a record.

pub mod answer;
pub mod claim;
mod contradiction;
pub mod evidence;
#[cfg(test)]
pub(crate) mod fixtures;
pub mod lookup;
pub mod resend;
mod rule;
pub mod send_deadline;
pub mod settle;
#[cfg(test)]
mod tests;
