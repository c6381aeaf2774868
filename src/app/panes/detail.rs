//! One transaction with everything that is known of it.

pub mod view;
