//! Ways in which a service can go wrong, so that tests of a client can have them from a real one.
//!
//! Only Rust code that holds a running service can set a fault; no request and no argument of `serve` can.
//!
//! ```text
//!   request ─▶ which rule means it? ─┬─ none ───────────────▶ the service ──────────────────▶ answer
//!                                    ├─ before executing ─▶ an answer that is forged ───────▶
//!                                    └─ after executing ──▶ the service ─▶ spoilt, cut, held back
//! ```

mod fault;
mod forge;
mod named;
mod pages;
mod pass;
mod plan;
mod rule;
mod split;
mod spoil;
mod swaps;

pub use fault::{Fault, Part, Spoilt, Told};
pub use named::Named;
pub use rule::Rule;

pub(in crate::service) use plan::Faults;
