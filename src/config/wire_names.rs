//! `[profiles.NAME.wire]`: names on the wire of a service that departs from its specification.

use super::toml_reader::{TomlFault, TomlTable};
use crate::api::WireNames;

pub(super) fn parse_wire_names(table: TomlTable<'_>) -> Result<WireNames, TomlFault> {
    let mut names = WireNames::default();
    let mut entries = names.profile_entries();
    table.reject_unknown_keys(&entries.each_ref().map(|(key, _, _)| *key))?;
    for (key, is_path, slot) in &mut entries {
        let Some(value) = table.get(key) else { continue };
        let text = value.text()?;
        if *is_path && !(text.starts_with("/v1/") || text.starts_with("/v2/")) {
            return Err(value.fault("write a path with its version, as in \"/v2/accounts\""));
        }
        // A name that the request already uses would make a request that cannot be confirmed.
        if *key == "withdrawal_address" && !is_unused_request_member(text) {
            return Err(value
                .fault("write only the member's name, as in \"toAddress\", and not one that the request has already"));
        }
        text.clone_into(slot);
    }
    Ok(names)
}

/// Whether a withdrawal's request could have a member of this name beside its others.
fn is_unused_request_member(name: &str) -> bool {
    let reserved = ["idempotencyKey", "walletId", "amount", "token", "blockchain", "refId", "note", "metadata"];
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !name.is_empty() && name.chars().all(plain) && !reserved.contains(&name)
}
