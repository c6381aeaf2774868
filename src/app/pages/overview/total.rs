//! The total of all that is held, first and largest on the Overview.

pub mod view;
