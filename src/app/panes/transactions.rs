//! Transactions: the pane of the Overview and the page of the whole history.

pub mod view;
