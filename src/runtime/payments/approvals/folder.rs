//! The folder through which desks exchange proposals and signatures: a synced folder, or a checkout.
//!
//! Each proposal is `ID.proposal`, byte for byte what is signed; each signature over it is `ID.PERSON.KIND.sig`, so that
//! no two desks write the same file, and `ssh-keygen -Y verify` checks both. Names only help people: what a file is
//! comes out of its content; a copy that a synchronising program made of a conflict is read, but where it is another
//! proposal of the same order. `ID.sent` is there from when a desk begins to send the order: a time, and the hash of the
//! record that drafted it in the journal of that desk.

use std::collections::{BTreeMap, HashMap};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::Path;

use crate::domain::approval::{Envelope, SignedStatement, StatementKind, split_signatures};
use crate::domain::{OrderId, Timestamp};
use crate::runtime::HostPermission;

const PROPOSAL: &str = "proposal";
const SIGNATURE: &str = "sig";
const REASON: &str = "reason";
/// Written by the desk that sends, before it does.
const SENT: &str = "sent";

/// The most files of a folder that are looked at.
const MAX_FILES: usize = 5_000;
/// The longest file that is read whole, in bytes.
const LONGEST_TEXT: u64 = 1024 * 1024;

/// A regular file as text; `None` where there is none.
pub fn read_text_file(_host: &HostPermission, path: &Path) -> Result<Option<String>, String> {
    let trouble = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let about = match std::fs::metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(trouble(error)),
    };
    // A pipe or a device would block the program for ever.
    if !about.is_file() || about.len() > LONGEST_TEXT {
        return Err(format!("{} is not a text file of a megabyte at most", path.display()));
    }
    let mut text = String::new();
    std::fs::File::open(path).and_then(|mut file| file.read_to_string(&mut text)).map_err(trouble)?;
    Ok(Some(text))
}

/// What lies in the folder. Nothing is verified yet.
#[derive(Debug, Clone, Default)]
pub struct FolderContent {
    /// With the signatures beside them, by order.
    pub proposals: Vec<Envelope>,
    /// Orders that a desk has begun to send, each with the content of its mark.
    pub sent_orders: HashMap<OrderId, String>,
    /// Files that are named like proposals and are none: the name, and why. Files that are not looked at.
    pub faults: Vec<String>,
}

impl FolderContent {
    /// Whether a desk has begun to send an order, other than the one whose journal drafted it by a record of this hash.
    pub fn is_sent_elsewhere(&self, order: OrderId, draft_hash: &[u8; 32]) -> bool {
        self.sent_orders.get(&order).is_some_and(|mark| !mark.contains(&hex::encode(draft_hash)))
    }
}

pub fn read_folder(host: &HostPermission, folder: &Path) -> Result<FolderContent, String> {
    let trouble = |error: std::io::Error| format!("cannot read the folder of approvals {}: {error}", folder.display());
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .map_err(trouble)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .take(MAX_FILES + 1)
        .collect();
    let mut faults = Vec::new();
    if names.len() > MAX_FILES {
        names.truncate(MAX_FILES);
        faults.push(format!(
            "{} has more than {MAX_FILES} files, and not all are read: move those of payments that are over elsewhere",
            folder.display()
        ));
    }
    names.sort_unstable();
    let text = |name: &str| read_text_file(host, &folder.join(name)).ok().flatten().unwrap_or_default();
    let mut envelopes: BTreeMap<String, Envelope> = BTreeMap::new();
    for name in names.iter().filter(|name| name.ends_with(PROPOSAL) && !name.starts_with('.')) {
        let content = read_text_file(host, &folder.join(name))
            .and_then(|text| Envelope::parse(&text.unwrap_or_default()).map_err(|fault| format!("{name}: {fault}")));
        match content {
            Ok(envelope) => {
                let order = envelope.proposal.order.to_string();
                let is_named_after_order = *name == format!("{order}.{PROPOSAL}");
                if envelopes.get(&order).is_some_and(|other| other.file != envelope.file) {
                    faults.push(format!("{name}: there is another proposal of the same order; keep the maker's alone"));
                }
                if is_named_after_order || !envelopes.contains_key(&order) {
                    envelopes.insert(order, envelope);
                }
            }
            Err(reason) => faults.push(reason),
        }
    }
    for name in names.iter().filter(|name| name.ends_with(SIGNATURE)) {
        let order = name.split('.').next().unwrap_or_default();
        if let Some(envelope) = envelopes.get_mut(order) {
            envelope.signatures.extend(split_signatures(&text(name)));
        }
    }
    let order_sent = |name: &String| {
        let order = name.strip_suffix(SENT)?.strip_suffix('.')?.parse().ok().map(OrderId)?;
        Some((order, text(name)))
    };
    let sent_orders = names.iter().filter_map(order_sent).collect();
    Ok(FolderContent { proposals: envelopes.into_values().collect(), sent_orders, faults })
}

/// Why somebody refused a proposal. It is not signed.
pub fn read_refusal_reason(
    host: &HostPermission,
    folder: &Path,
    order: OrderId,
    signed: &SignedStatement,
) -> Option<String> {
    let path = folder.join(file_name(order, Some(signed), REASON));
    read_text_file(host, &path).ok().flatten().map(|text| text.trim().to_owned())
}

/// Writes a proposal, unless it is there.
pub fn write_proposal(host: &HostPermission, folder: &Path, order: OrderId, file: &str) -> Result<(), String> {
    write_new_file(host, &folder.join(file_name(order, None, PROPOSAL)), file)
}

/// Writes a signature over a proposal and, of a refusal, the reason, unless they are there.
pub fn write_statement(
    host: &HostPermission,
    folder: &Path,
    order: OrderId,
    signed: &SignedStatement,
) -> Result<(), String> {
    if let Some(reason) = &signed.reason {
        write_new_file(host, &folder.join(file_name(order, Some(signed), REASON)), reason)?;
    }
    write_new_file(host, &folder.join(file_name(order, Some(signed), SIGNATURE)), &signed.signature)
}

/// What marking an order as being sent came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentMarking {
    Created,
    /// This desk had marked it: it was killed meanwhile, or has another console.
    AlreadyOwn,
    /// Another desk was quicker.
    Elsewhere,
}

/// Marks an order as one that this desk sends, so that no other does. It is not signed: the history proves what was paid.
pub fn mark_sent(
    _host: &HostPermission,
    folder: &Path,
    order: OrderId,
    draft_hash: &[u8; 32],
    at: Timestamp,
) -> Result<SentMarking, String> {
    let (path, own) = (folder.join(file_name(order, None, SENT)), hex::encode(draft_hash));
    let trouble = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
    match std::fs::File::create_new(&path) {
        Ok(mut file) => {
            // On a full disk the mark is empty: it keeps the others off as well.
            if let Err(error) = file.write_all(format!("{at} {own}\n").as_bytes()) {
                tracing::warn!(%error, path = %path.display(), "the mark of an order that is sent is empty");
            }
            Ok(SentMarking::Created)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let is_own = std::fs::read_to_string(&path).is_ok_and(|mark| mark.contains(&own));
            Ok(if is_own { SentMarking::AlreadyOwn } else { SentMarking::Elsewhere })
        }
        Err(error) => Err(trouble(error)),
    }
}

/// Takes the mark of this desk away again: nothing was sent.
pub fn remove_sent_mark(_host: &HostPermission, folder: &Path, order: OrderId) {
    let path = folder.join(file_name(order, None, SENT));
    if let Err(error) = std::fs::remove_file(&path) {
        tracing::warn!(%error, path = %path.display(), "the mark of an order that was not sent could not be removed");
    }
}

fn file_name(order: OrderId, signed: Option<&SignedStatement>, ending: &str) -> String {
    let Some(signed) = signed else { return format!("{order}.{ending}") };
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_@".contains(c) { c } else { '-' };
    let person: String = signed.principal.chars().map(plain).collect();
    let kind = match signed.kind {
        StatementKind::Propose => "propose",
        StatementKind::Approve => "approve",
        StatementKind::Refuse => "refuse",
        StatementKind::Policy => "policy",
    };
    format!("{order}.{person}.{kind}.{ending}")
}

/// Writes a file whole or not at all: others may read the folder at any moment.
fn write_new_file(_host: &HostPermission, path: &Path, text: &str) -> Result<(), String> {
    if path.exists() {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let write = || -> std::io::Result<()> {
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(path.file_name().unwrap_or_default());
        hidden.push(format!(".{}", uuid::Uuid::new_v4().simple()));
        let hidden = folder.join(hidden);
        let mut file = std::fs::File::create_new(&hidden)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&hidden, path)
    };
    write().map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_marked_by_one_desk_alone() {
        let (folder, host) = (tempfile::TempDir::new().unwrap(), HostPermission::for_local_operator());
        let (order, at) = (OrderId(uuid::Uuid::from_u128(1)), Timestamp::from_millis(1_700_000_000_000));
        let marks = |desk: u8| mark_sent(&host, folder.path(), order, &[desk; 32], at).unwrap();
        assert_eq!(marks(1), SentMarking::Created, "nobody was quicker");
        assert_eq!(marks(2), SentMarking::Elsewhere, "another desk was");
        assert_eq!(marks(1), SentMarking::AlreadyOwn, "a desk that was killed knows its own mark");
        let is_sent_elsewhere =
            |desk: u8| read_folder(&host, folder.path()).unwrap().is_sent_elsewhere(order, &[desk; 32]);
        assert_eq!((is_sent_elsewhere(1), is_sent_elsewhere(2)), (false, true));
        remove_sent_mark(&host, folder.path(), order);
        assert!(!is_sent_elsewhere(2));
        assert_eq!(marks(2), SentMarking::Created);
    }

    #[test]
    fn a_folder_with_too_many_files_is_said_to_be_read_in_part() {
        let (folder, host) = (tempfile::TempDir::new().unwrap(), HostPermission::for_local_operator());
        let fills = |files: std::ops::Range<usize>| {
            for number in files {
                std::fs::File::create(folder.path().join(number.to_string())).unwrap();
            }
            read_folder(&host, folder.path()).unwrap().faults
        };
        assert_eq!(fills(0..MAX_FILES), Vec::<String>::new());
        assert!(fills(MAX_FILES..MAX_FILES + 1)[0].contains("has more than 5000 files"));
    }
}
