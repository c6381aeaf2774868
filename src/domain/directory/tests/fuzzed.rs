//! Files of any bytes: what is taken from them can be written down and read again as the same, and names its lines.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::super::{DirectoryEntry, ImportRow, parse_typed_entry};
use crate::domain::csv_table::mapping::KnownMappings;
use crate::domain::text::is_forbidden_in_text;
use crate::domain::{AccountId, Text, UserId};
use crate::fuzzing::{target, text};

/// What an entry says, by the names of the columns.
fn entry_columns(entry: &DirectoryEntry) -> Vec<(&'static str, String)> {
    let mut columns = vec![("kind", entry.kind().to_owned()), ("id", entry.id().to_owned())];
    let mut say = |name, value: Option<&str>| columns.extend(value.map(|value| (name, value.to_owned())));
    match entry {
        DirectoryEntry::User(user) => {
            say("name", user.display_name.as_deref());
            say("refId", user.ref_id.as_deref());
            say("email", user.email.as_deref());
        }
        DirectoryEntry::Account(account) => {
            say("name", account.name.as_deref());
            say("network", account.network.as_deref());
        }
        DirectoryEntry::Wallet(wallet) => {
            say("name", wallet.name.as_deref());
            say("refId", wallet.ref_id.as_deref());
            say("blockchain", Some(wallet.blockchain.as_str()));
            say("address", wallet.address.as_deref());
            say("network", wallet.network.as_deref());
            say("userId", wallet.user.as_ref().map(UserId::as_str));
            say("accountId", wallet.account.as_ref().map(AccountId::as_str));
        }
    }
    columns
}

fn entries_as_json(entries: &[DirectoryEntry]) -> Vec<u8> {
    let object = |entry: &DirectoryEntry| -> Map<String, Value> {
        entry_columns(entry).into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
    };
    serde_json::to_vec(&entries.iter().map(object).collect::<Vec<_>>()).unwrap()
}

fn entries_as_csv(entries: &[DirectoryEntry]) -> Vec<u8> {
    let header = ["kind", "id", "name", "refId", "email", "blockchain", "address", "network", "userId", "accountId"];
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(header).unwrap();
    for entry in entries {
        let columns = entry_columns(entry);
        let value =
            |name: &&str| columns.iter().find(|(column, _)| column == name).map_or("", |(_, value)| value.as_str());
        table.write_record(header.iter().map(value)).unwrap();
    }
    table.into_inner().unwrap()
}

fn valid_entries(rows: Vec<ImportRow>) -> Vec<DirectoryEntry> {
    rows.into_iter().map(|row| row.entry.unwrap()).collect()
}

fn parse_import_file(bytes: &[u8]) -> Result<Vec<ImportRow>, String> {
    super::super::parse_import_file(bytes, &KnownMappings::default()).map(|file| file.rows)
}

#[test]
fn a_file_is_read_as_what_it_says_and_no_row_is_lost() {
    let seeds: [&[u8]; 6] = [
        b"\xef\xbb\xbfID,Kind,ref_id,Name\r\nu-1,user,,\"Ada, Ltd\"\r\ns-2,sub-wallet,r2,\r\na-3,account,,Treasury\r\n",
        b"kind,id,blockchain,address\nwallet,w-1,base,0x52908400098527886E0F7030069857D2E4169EE7\n\nwallet,w 2,tron,x\n",
        b"[{\"kind\":\"wallet\",\"id\":77,\"blockchain\":\"base\",\"userId\":null,\"accountId\":\"a\"},\n {\"kind\":\"user\",\"id\":\"u\",\"email\":\"a@b.c\"}]",
        b"kind,id\nuser,u\nuser,u\naccount,u\n",
        b"[{\"kind\":\"user\",\"id\":1.0,\"id\":2},{\"kind\":\"account\",\"id\":\"\\u202e\"}]",
        b"kind,id,name\nuser,\"u\n1\",\"a\"\"b\"\n",
    ];
    target(&seeds, |input| {
        let Ok(rows) = parse_import_file(input) else { return };
        assert!(!rows.is_empty());
        let lines = u64::try_from(input.split(|byte| *byte == b'\n').count()).unwrap();
        assert!(rows.iter().all(|row| (1..=lines).contains(&row.line)), "{rows:?} of {lines} lines");
        assert!(rows.is_sorted_by_key(|row| row.line), "{rows:?}");
        assert!(rows.iter().all(|row| row.entry.as_ref().map_or_else(|fault| !fault.is_empty(), |_| true)));
        let sound: Vec<DirectoryEntry> = rows.into_iter().filter_map(|row| row.entry.ok()).collect();
        let mut ids = HashSet::new();
        for entry in &sound {
            assert!(ids.insert((entry.kind(), entry.id())), "{entry:?} stands there twice");
            assert!(!entry.id().is_empty() && !entry.id().contains(char::is_whitespace), "{entry:?}");
            for (name, value) in entry_columns(entry) {
                assert!(
                    !value.chars().any(is_forbidden_in_text) && *Text::clean(&value) == value,
                    "{name} of {entry:?}"
                );
            }
        }
        if !sound.is_empty() {
            assert_eq!(valid_entries(parse_import_file(&entries_as_json(&sound)).unwrap()), sound, "as a list");
            assert_eq!(valid_entries(parse_import_file(&entries_as_csv(&sound)).unwrap()), sound, "as a table");
        }
    });
}

#[test]
fn what_is_typed_is_read_again_as_the_same() {
    let seeds: [&[u8]; 4] = [
        b"user u-1 Ada Lovelace",
        b"account a-1",
        b"wallet w base 0x52908400098527886E0F7030069857D2E4169EE7",
        b"sub-wallet s",
    ];
    target(&seeds, |input| {
        let Ok(entry) = parse_typed_entry(text(input)) else { return };
        let values: Vec<String> = entry_columns(&entry).into_iter().map(|(_, value)| value).collect();
        assert_eq!(parse_typed_entry(&values.join(" ")), Ok(entry));
    });
}
