//! The folder through which desks exchange proposals and signatures: a synced folder, or a checkout.
//!
//! Each proposal is `ID.proposal`, byte for byte what is signed; each signature over it is `ID.PERSON.KIND.sig`, so that
//! no two desks write the same file, and `ssh-keygen -Y verify` checks both. Names only help people: what a file is
//! comes out of its content. `ID.sent` is there from when a desk begins to send the order.

use std::collections::{BTreeMap, HashSet};
use std::io::{Read as _, Write as _};
use std::path::Path;

use crate::domain::approval::{Envelope, Statement, StatementKind, split_signatures};
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
pub fn read_text(_host: &HostPermission, path: &Path) -> Result<Option<String>, String> {
    let trouble = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let about = match std::fs::metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
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
    /// Orders that a desk has begun to send.
    pub sent: HashSet<OrderId>,
    /// Files that are named like proposals and are none: the name, and why.
    pub faults: Vec<String>,
}

pub fn read_folder(host: &HostPermission, folder: &Path) -> Result<FolderContent, String> {
    let trouble = |error: std::io::Error| format!("cannot read the folder of approvals {}: {error}", folder.display());
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .map_err(trouble)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .take(MAX_FILES)
        .collect();
    names.sort_unstable();
    let text = |name: &str| read_text(host, &folder.join(name)).ok().flatten();
    let mut found: BTreeMap<String, Envelope> = BTreeMap::new();
    let mut faults = Vec::new();
    for name in names.iter().filter(|name| name.ends_with(PROPOSAL) && !name.starts_with('.')) {
        let read = read_text(host, &folder.join(name))
            .and_then(|text| Envelope::parse(&text.unwrap_or_default()).map_err(|fault| format!("{name}: {fault}")));
        match read {
            Ok(envelope) => drop(found.insert(envelope.proposal.order.to_string(), envelope)),
            Err(why) => faults.push(why),
        }
    }
    for name in names.iter().filter(|name| name.ends_with(SIGNATURE)) {
        let order = name.split('.').next().unwrap_or_default();
        if let Some(envelope) = found.get_mut(order) {
            envelope.signatures.extend(split_signatures(&text(name).unwrap_or_default()));
        }
    }
    let order_sent = |name: &String| name.strip_suffix(SENT)?.strip_suffix('.')?.parse().ok().map(OrderId);
    let sent = names.iter().filter_map(order_sent).collect();
    Ok(FolderContent { proposals: found.into_values().collect(), sent, faults })
}

/// Why somebody refused a proposal. It is not signed.
pub fn read_reason(host: &HostPermission, folder: &Path, order: OrderId, signed: &Statement) -> Option<String> {
    let path = folder.join(file_name(order, Some(signed), REASON));
    read_text(host, &path).ok().flatten().map(|text| text.trim().to_owned())
}

/// Writes a proposal, unless it is there.
pub fn write_proposal(host: &HostPermission, folder: &Path, order: OrderId, file: &str) -> Result<(), String> {
    write_new(host, &folder.join(file_name(order, None, PROPOSAL)), file)
}

/// Writes a signature over a proposal and, of a refusal, the reason, unless they are there.
pub fn write_statement(host: &HostPermission, folder: &Path, order: OrderId, signed: &Statement) -> Result<(), String> {
    if let Some(reason) = &signed.reason {
        write_new(host, &folder.join(file_name(order, Some(signed), REASON)), reason)?;
    }
    write_new(host, &folder.join(file_name(order, Some(signed), SIGNATURE)), &signed.signature)
}

/// Marks an order as one that this desk sends, so that no other does. It is not signed: the history proves what was paid.
pub fn mark_sent(host: &HostPermission, folder: &Path, order: OrderId, at: Timestamp) -> Result<(), String> {
    write_new(host, &folder.join(file_name(order, None, SENT)), &format!("{at}\n"))
}

fn file_name(order: OrderId, signed: Option<&Statement>, ending: &str) -> String {
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
fn write_new(_host: &HostPermission, path: &Path, text: &str) -> Result<(), String> {
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
