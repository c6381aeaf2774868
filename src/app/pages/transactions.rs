//! Transactions: the pane of the Overview, and the page of the whole history.

mod masking;
pub(in crate::app) mod page;
pub mod pane;
pub mod view;
