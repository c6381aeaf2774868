//! The request of a batch: the only one with a list.

use serde_json::value::RawValue;

use super::{BodyWriter, DecodeError, MemberReader};
use crate::domain::WalletId;
use crate::domain::draft::{Batch, Recipient};

impl BodyWriter {
    /// The members of a batch, in the order of the specification's table.
    pub(super) fn batch(&mut self, batch: &Batch) {
        self.text("walletId", Some(batch.wallet.as_str()));
        self.text("token", Some(&batch.token));
        self.text("blockchain", Some(&batch.blockchain));
        let recipient = |to: &Recipient| {
            let mut object = Self::new();
            object.text("address", Some(&to.address));
            object.text("amount", Some(&to.amount));
            object.finish()
        };
        let list: Vec<String> = batch.to.iter().map(recipient).collect();
        self.write_member("to", &format!("[{}]", list.join(",")));
        self.text("refId", batch.ref_id.as_deref());
        self.text("note", batch.note.as_deref());
        self.metadata(&batch.metadata);
        self.flag("queue", batch.queue);
    }
}

impl MemberReader<'_> {
    pub(super) fn batch(&mut self) -> Result<Batch, DecodeError> {
        Ok(Batch {
            wallet: WalletId::read(&self.required("walletId")?),
            blockchain: self.required("blockchain")?,
            token: self.required("token")?,
            to: self.recipients("to")?,
            ref_id: self.text("refId")?,
            note: self.text("note")?,
            metadata: self.metadata()?,
            queue: self.flag("queue")?,
            file: None,
        })
    }

    fn recipients(&mut self, name: &str) -> Result<Vec<Recipient>, DecodeError> {
        let raw = self.take_member(name).ok_or_else(|| DecodeError::Missing(name.into()))?;
        let list: Vec<&RawValue> =
            serde_json::from_str(raw.get()).map_err(|_no_list| DecodeError::Value(name.into()))?;
        let recipient = |one: &RawValue| {
            let mut members = MemberReader::parse(one.get())?;
            let (address, amount) = (members.required("address")?, members.amount("amount")?);
            members.expect_no_more()?;
            Ok(Recipient { address, amount, label: None, reference: None, line: None })
        };
        list.into_iter().map(recipient).collect()
    }
}
