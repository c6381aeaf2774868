//! The journal's JSON of a batch.

use serde::{Deserialize, Serialize};

use super::{metadata_body, read_metadata};
use crate::domain::draft::{Batch, BatchFile, Recipient};
use crate::domain::{Text, WalletId};
use crate::journal::record::fields::{to_string_option, to_text};

#[derive(Serialize, Deserialize)]
pub(in crate::journal::record) struct BatchBody {
    wallet: String,
    blockchain: String,
    token: String,
    to: Vec<RecipientBody>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ref_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    metadata: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    queue: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<FileBody>,
}

#[derive(Serialize, Deserialize)]
struct RecipientBody {
    address: String,
    amount: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
}

#[derive(Serialize, Deserialize)]
struct FileBody {
    name: String,
    sha256: String,
}

impl From<&Batch> for BatchBody {
    fn from(batch: &Batch) -> Self {
        let Batch { wallet, blockchain, token, to, ref_id, note, metadata, queue, file } = batch;
        let recipient = |Recipient { address, amount, label, reference, line }: &Recipient| RecipientBody {
            address: address.to_string(),
            amount: amount.to_string(),
            label: to_string_option(label.as_ref()),
            reference: to_string_option(reference.as_ref()),
            line: *line,
        };
        Self {
            wallet: wallet.to_string(),
            blockchain: blockchain.to_string(),
            token: token.to_string(),
            to: to.iter().map(recipient).collect(),
            ref_id: to_string_option(ref_id.as_ref()),
            note: to_string_option(note.as_ref()),
            metadata: metadata_body(metadata),
            queue: *queue,
            file: file
                .as_ref()
                .map(|BatchFile { name, sha256 }| FileBody { name: name.to_string(), sha256: sha256.to_string() }),
        }
    }
}

impl From<BatchBody> for Batch {
    fn from(body: BatchBody) -> Self {
        let clean = |words: String| Text::clean(&words);
        let recipient = |RecipientBody { address, amount, label, reference, line }: RecipientBody| Recipient {
            address: clean(address),
            amount: clean(amount),
            label: to_text(label),
            reference: to_text(reference),
            line,
        };
        Self {
            wallet: WalletId::read(&body.wallet),
            blockchain: clean(body.blockchain),
            token: clean(body.token),
            to: body.to.into_iter().map(recipient).collect(),
            ref_id: to_text(body.ref_id),
            note: to_text(body.note),
            metadata: read_metadata(body.metadata),
            queue: body.queue,
            file: body.file.map(|FileBody { name, sha256 }| BatchFile { name: clean(name), sha256: clean(sha256) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As it was written before recipients had references of their own.
    const BEFORE: &str = r#"{"wallet":"wallet-1","blockchain":"base","token":"USDC","to":[{"address":"0xde709f2102306220921060314715629080e2fb77","amount":"1","label":"Ada","line":2}]}"#;

    #[test]
    fn a_batch_without_own_references_is_written_as_before_and_one_with_them_reads_back() {
        let mut batch = Batch::from(serde_json::from_str::<BatchBody>(BEFORE).unwrap());
        assert_eq!(serde_json::to_string(&BatchBody::from(&batch)).unwrap(), BEFORE);
        batch.to[0].reference = Some("INV-7".into());
        batch.metadata = [("department".into(), "treasury".into())].into_iter().collect();
        batch.queue = Some(true);
        let written = serde_json::to_string(&BatchBody::from(&batch)).unwrap();
        assert_eq!(Batch::from(serde_json::from_str::<BatchBody>(&written).unwrap()), batch);
    }
}
