//! Transactions: the pane of the Overview, and the page of the whole history.

mod masking;
pub mod pane;
pub mod view;
