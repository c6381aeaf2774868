//! `--fault`: the names of faults.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::service::{Fault, FaultPreset};

/// Parses the name of a fault, and lists all in the long help.
pub(super) fn fault_name_parser() -> impl TypedValueParser<Value = &'static FaultPreset> {
    let fault_names = Fault::ALL.iter().map(|fault| PossibleValue::new(fault.word).help(fault.sentence));
    PossibleValuesParser::new(fault_names).try_map(|word| Fault::by_name(&word).ok_or("there is no such fault"))
}
