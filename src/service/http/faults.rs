//! Ways in which a service can go wrong, so that tests of a client can have them from a real one.
//!
//! Only Rust code that holds a running service can set a fault; no request and no argument of `serve` can.
//!
//! ```text
//!   request ─▶ which rule means it? ─┬─ none ───────────────▶ the service ──────────────────▶ answer
//!                                    ├─ before executing ─▶ an answer that is forged ───────▶
//!                                    └─ after executing ──▶ the service ─▶ spoilt, cut, held back
//! ```

mod apply;
mod batch_rows;
mod fault;
mod fault_plan;
mod fault_presets;
mod faulty_pages;
mod forged_response;
mod mutation;
mod rule;
mod swaps;

pub use fault::{Fault, FaultBody, PaymentField, RowDamage};
pub use fault_presets::Named;
pub use rule::FaultRule;

pub(in crate::service) use fault_plan::Faults;
