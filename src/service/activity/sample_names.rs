//! The names of the sample business's customers and counterparties, from `assets/sample-names.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::counterparties::CounterpartyKind;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SampleNameLists {
    pub(super) first_names: Vec<String>,
    pub(super) last_names: Vec<String>,
    pub(super) company_names: Vec<String>,
    pub(super) company_kinds: Vec<String>,
    pub(super) counterparties: Vec<CounterpartyName>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CounterpartyName {
    pub(super) name: String,
    /// The beginning of a payment's reference.
    pub(super) code: String,
    pub(super) kind: CounterpartyKind,
}

#[expect(
    clippy::expect_used,
    reason = "the file is part of the program, and every test of the sample business reads it"
)]
pub(super) static SAMPLE_NAMES: LazyLock<SampleNameLists> = LazyLock::new(|| {
    toml::from_str(include_str!("../../../assets/sample-names.toml")).expect("assets/sample-names.toml is valid")
});
