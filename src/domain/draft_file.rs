//! An unfinished payment or batch as a file, by which one colleague hands it on to another.
//!
//! The file contains what is in the form, as typed, and no judgement: in the form that it fills, everything is judged as
//! new.

use serde::{Deserialize, Serialize};

use super::{Operation, Text, address};

/// The version of the format.
const VERSION: u8 = 1;
const MAX_BYTES: usize = 1024 * 1024;
/// Characters.
const MAX_TEXT: usize = 200;
const OPERATIONS: [Operation; 3] = [Operation::Withdraw, Operation::Payment, Operation::Batch];

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftFile {
    /// The version of the format.
    bursar_draft: u8,
    /// As in the journal: `withdraw`, `payment` or `batch`.
    operation: String,
    pub payer: DraftPayer,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub recipient: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub amount: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reference: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub memo: String,
    /// The highest fee allowed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fee: String,
    /// Of a batch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recipients: Vec<DraftRecipient>,
}

/// The paying wallet and the token, as far as they are chosen.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftPayer {
    /// The name of the wallet, or what was typed in its place.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub wallet: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub address: String,
    /// In the service's word.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub blockchain: String,
    /// The symbol.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub token: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub contract: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftRecipient {
    pub address: String,
    pub amount: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reference: String,
}

impl DraftFile {
    /// An empty draft; `None` for an operation that is not handed on as a file.
    pub fn new(operation: Operation) -> Option<Self> {
        OPERATIONS.contains(&operation).then(|| Self {
            bursar_draft: VERSION,
            operation: operation.journal_name().to_owned(),
            payer: DraftPayer::default(),
            recipient: String::new(),
            amount: String::new(),
            note: String::new(),
            reference: String::new(),
            memo: String::new(),
            fee: String::new(),
            recipients: Vec::new(),
        })
    }

    /// Parses a file.
    ///
    /// # Errors
    /// What is wrong with it. No secret is repeated in the words.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() > MAX_BYTES {
            return Err("this is larger than any draft".into());
        }
        let file: Self = serde_json::from_slice(bytes)
            .map_err(|error| format!("this is no draft of bursar, which x writes on a draft (E): {error}"))?;
        if file.bursar_draft != VERSION {
            return Err(format!("the draft has version {}; this bursar reads version {VERSION}", file.bursar_draft));
        }
        if OPERATIONS.iter().all(|operation| operation.journal_name() != file.operation) {
            return Err("the draft is neither a withdrawal nor a payment nor a batch".into());
        }
        for (name, text) in file.texts() {
            if let Some(secret) = address::find_secret(text) {
                return Err(format!(
                    "{name} contains {secret}; remove it from the file, and the file from where it was"
                ));
            }
            if Text::clean(text).as_str() != text || text.chars().count() > MAX_TEXT {
                return Err(format!("{name} is longer than {MAX_TEXT} characters, or has some that cannot be shown"));
            }
        }
        Ok(file)
    }

    pub fn operation(&self) -> Operation {
        OPERATIONS
            .into_iter()
            .find(|operation| operation.journal_name() == self.operation)
            .unwrap_or(Operation::Withdraw)
    }

    /// The file's content.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Each text with its name in words.
    fn texts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let DraftPayer { wallet, address, blockchain, token, contract } = &self.payer;
        let single = [
            ("the wallet", wallet),
            ("the wallet's address", address),
            ("the blockchain", blockchain),
            ("the token", token),
            ("the token's contract", contract),
            ("the recipient", &self.recipient),
            ("the amount", &self.amount),
            ("the note", &self.note),
            ("the reference", &self.reference),
            ("the memo", &self.memo),
            ("the maximum fee", &self.fee),
        ];
        let rows = self.recipients.iter().flat_map(|DraftRecipient { address, amount, label, reference }| {
            [
                ("a recipient's address", address),
                ("a recipient's amount", amount),
                ("a recipient's label", label),
                ("a recipient's reference", reference),
            ]
        });
        single.into_iter().chain(rows).map(|(name, text)| (name, text.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sample() -> DraftFile {
        let mut file = DraftFile::new(Operation::Withdraw).unwrap();
        file.recipient = "0x52908400098527886E0F7030069857D2E4169EE7".into();
        file.amount = "25".into();
        file
    }

    #[test]
    fn what_is_no_draft_is_refused_and_no_secret_is_repeated() {
        let changed = |from: &str, to: &str| sample().to_json().replace(from, to);
        let seed_phrase = "abandon ".repeat(11) + "about";
        for (text, fault) in [
            ("[]".to_owned(), "this is no draft"),
            (changed("\"bursar_draft\": 1", "\"bursar_draft\": 2"), "version 2"),
            (changed("withdraw", "swap"), "neither a withdrawal"),
            (changed("\"amount\"", "\"sum\""), "unknown field `sum`"),
            (changed("25", "2\\u200b5"), "the amount is longer"),
            (changed("25", &"2".repeat(201)), "the amount is longer"),
            (changed("25", &seed_phrase), "the amount contains"),
        ] {
            let error = DraftFile::parse(text.as_bytes()).unwrap_err();
            assert!(error.contains(fault) && !error.contains("abandon"), "{error}");
        }
        assert_eq!(DraftFile::new(Operation::Swap), None);
    }

    proptest! {
        #[test]
        fn a_draft_is_read_as_it_was_written(
            operation in prop::sample::select(OPERATIONS.to_vec()),
            texts in prop::array::uniform8("[ -~éß漢]{0,40}"),
            rows in prop::collection::vec(("[a-z0-9]{1,40}", "[0-9.]{1,9}", "[ -~]{0,9}", "[ -~]{0,9}"), 0..5),
        ) {
            let mut file = DraftFile::new(operation).unwrap();
            let [wallet, token, recipient, amount, note, reference, memo, fee] = texts;
            file.payer = DraftPayer { wallet, token, ..DraftPayer::default() };
            (file.recipient, file.amount, file.note, file.reference) = (recipient, amount, note, reference);
            (file.memo, file.fee) = (memo, fee);
            let row = |(address, amount, label, reference)| DraftRecipient { address, amount, label, reference };
            file.recipients = rows.into_iter().map(row).collect();
            match DraftFile::parse(file.to_json().as_bytes()) {
                Ok(copy) => prop_assert!(copy == file && copy.operation() == operation),
                Err(error) => prop_assert!(error.contains(" contains ") || error.contains("cannot be shown"), "{error}"),
            }
        }
    }
}
