//! Other addresses that were reported for a wallet: how they are stored, and how an operator settles them.

use super::entry::StoredEntry;
use crate::domain::address::is_same_address;
use crate::domain::entry_source::{ConflictingAddress, EntryField, EntrySource, Sourced};
use crate::domain::{Text, Wallet};
use crate::store::StoreError;
use crate::store::write::WriteBatch;

const MAX_OTHER_ADDRESSES: usize = 8;

/// The other addresses of a wallet, with one more if the new entry contradicts the stored one. The first address that
/// the service reported stays the wallet's own until an operator has reviewed them; the service and an import
/// contradict each other; the history contradicts nothing, since deposits may come to addresses that were used once.
pub(super) fn merge_conflicting_addresses(current: &Sourced<Wallet>, new: &Sourced<Wallet>) -> Vec<ConflictingAddress> {
    let mut others = current.conflicting_addresses.clone();
    // The service's address replaces an import's, and is never replaced by one.
    let other = match (new.source, current.imported_fields.has(EntryField::Address)) {
        (EntrySource::Created | EntrySource::Listed, true) => &current.entry.address,
        (EntrySource::Created | EntrySource::Listed | EntrySource::Imported, false) => &new.entry.address,
        (EntrySource::Imported, true) | (EntrySource::History, _) => return others,
    };
    if let (Some(own), Some(new_address), Some(other)) = (&current.entry.address, &new.entry.address, other)
        && !is_same_address(own, new_address)
        && !others.iter().any(|known_address| is_same_address(&known_address.address, other))
    {
        others.truncate(MAX_OTHER_ADDRESSES - 1);
        others.insert(0, ConflictingAddress { address: other.clone(), is_reviewed: false });
    }
    others
}

/// Records an operator's review of a wallet's addresses: the one in `chosen` is its own, the `rejected` ones are not.
/// All are stored: one that was not reviewed goes on contradicting. Returns whether anything has changed.
pub(super) fn record_address_review(
    batch: &mut WriteBatch<'_>,
    chosen: &Wallet,
    rejected: &[Text],
) -> Result<bool, StoreError> {
    let before = chosen.find_stored(batch.connection)?;
    chosen.save(batch, EntrySource::Imported)?;
    let (Some(own), Some(mut stored)) = (&chosen.address, chosen.find_stored(batch.connection)?) else {
        return Ok(false);
    };
    let replaced = stored.entry.address.replace(own.clone()).filter(|address| !is_same_address(address, own));
    let replaced = replaced.map(|address| ConflictingAddress { address, is_reviewed: false });
    let mut others: Vec<ConflictingAddress> =
        replaced.into_iter().chain(std::mem::take(&mut stored.conflicting_addresses)).collect();
    others.retain(|other| !is_same_address(&other.address, own));
    for rejected in rejected.iter().filter(|rejected| !is_same_address(rejected, own)) {
        match others.iter_mut().find(|other| is_same_address(&other.address, rejected)) {
            Some(other) => other.is_reviewed = true,
            None => others.push(ConflictingAddress { address: rejected.clone(), is_reviewed: true }),
        }
    }
    stored.conflicting_addresses = others;
    // The address comes from more than an import: the service reported it, and an operator compared it.
    stored.imported_fields = EntryField::ALL
        .into_iter()
        .filter(|field| *field != EntryField::Address && stored.imported_fields.has(*field))
        .collect();
    Wallet::write(&stored, batch.connection)?;
    batch.mark_directory_changed(Wallet::LIST);
    batch.state.own_address_changes += 1;
    Ok(before != Some(stored))
}

/// One address a line, after a mark of whether it was reviewed.
pub(super) fn pack_conflicting_addresses(others: &[ConflictingAddress]) -> String {
    let line = |other: &ConflictingAddress| format!("{}{}", if other.is_reviewed { '=' } else { '?' }, other.address);
    others.iter().map(line).collect::<Vec<_>>().join("\n")
}

pub(super) fn unpack_conflicting_addresses(lines: &str) -> Vec<ConflictingAddress> {
    let read = |line: &str| {
        let is_settled = line.starts_with('=');
        Some(ConflictingAddress { address: Text::clean(line.strip_prefix(['=', '?'])?), is_reviewed: is_settled })
    };
    lines.lines().filter_map(read).collect()
}
