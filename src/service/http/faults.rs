//! Fault injection: ways in which a service can go wrong, for tests of a client and for the demo.
//!
//! Only Rust code that has a running service can set a fault; no request and no argument of `serve` can.
//!
//! ```text
//!   request ─▶ matching rule? ─┬─ none ───────────────▶ the service ──────────────────▶ response
//!                              ├─ before executing ─▶ forged response ───────────────▶
//!                              └─ after executing ──▶ the service ─▶ altered, cut, delayed
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

pub use fault::{Fault, FaultBody, PaymentField, RowFieldDamage};
pub use fault_presets::FaultPreset;
pub use rule::FaultRule;

pub(in crate::service) use fault_plan::Faults;
