//! The file after a change: what was meant is in it, and what a person wrote still is.

use std::fs;

use crate::domain::ServicePreferences;

use tempfile::TempDir;

use super::*;
use crate::config::{Environment, Overrides, Profile};

const CONFIG_TEXT: &str = "\
# Our treasury; ask Ada before you change it.
theme = \"plain\"   # for the beamer

# The real one.
[profiles.live]
base_url = \"https://api.example.com\"  # not the old one
poll_seconds = 2

[profiles.live.wire]
page_no = \"page\"
";

fn config_folder(toml: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("config.toml"), toml).unwrap();
    folder
}

fn resolved_config(folder: &TempDir) -> Config {
    let overrides = Overrides { config_dir: Some(folder.path().to_owned()), ..Overrides::default() };
    Config::resolve(overrides, &Environment::default()).unwrap()
}

fn file_text(folder: &TempDir) -> String {
    fs::read_to_string(folder.path().join("config.toml")).unwrap()
}

fn new_profile(name: &str) -> NewProfile {
    NewProfile {
        name: name.into(),
        base_url: BaseUrl::parse("https://api.trial.com").unwrap(),
        network: Some(Network::Testnet),
        read_only: true,
        poll_seconds: Some(9),
        probe_lists: false,
        ca_file: None,
        proxy: Some(ProxyAddress::parse("http://proxy.example.com:3128").unwrap()),
        key_storage: Some(KeyStorage::File),
    }
}

#[test]
fn a_profile_is_added_whole_and_every_comment_stays() {
    let folder = config_folder(CONFIG_TEXT);
    let edited = resolved_config(&folder).add_profile(&new_profile("trial")).unwrap();
    assert_eq!(edited.default.as_deref(), Some("live"), "what was opened without a word is opened still");
    for line in CONFIG_TEXT.lines() {
        assert!(file_text(&folder).contains(line), "{line} is lost in\n{}", file_text(&folder));
    }
    let config = resolved_config(&folder);
    assert_eq!((config.profiles.len(), config.default_profile()), (2, Some("live")));
    let trial = &config.profiles[1];
    let expected = Profile {
        network: Some(Network::Testnet),
        preferences: ServicePreferences {
            poll_period: std::time::Duration::from_secs(9),
            probe_lists: false,
            ..ServicePreferences::default()
        },
        proxy: new_profile("trial").proxy,
        read_only: true,
        key_storage: Some(KeyStorage::File),
        // Beside the file, whether or not they are there.
        approvals: trial.approvals.clone(),
        ..Profile::new("trial".into(), new_profile("trial").base_url)
    };
    assert_eq!(trial, &expected);
}

#[test]
fn the_first_profile_becomes_the_default_in_a_file_that_is_its_owners_alone() {
    let place = tempfile::tempdir().unwrap();
    let home: Environment = [("HOME", place.path())].into_iter().collect();
    let config = Config::resolve(Overrides::default(), &home).unwrap();
    let edited = config.add_profile(&new_profile("trial")).unwrap();
    assert_eq!(edited.default.as_deref(), Some("trial"));
    assert_eq!(edited.path, place.path().join(".config/bursar/config.toml"));
    assert_eq!(private_file::access_by_others(&edited.path), None);
    assert_eq!(private_file::access_by_others(edited.path.parent().unwrap()), None);
}

#[test]
fn what_cannot_be_is_refused_and_the_file_stays_as_it_was() {
    let folder = config_folder(CONFIG_TEXT);
    let config = resolved_config(&folder);
    let refused = |draft: NewProfile| config.add_profile(&draft).unwrap_err().to_string();
    assert!(refused(new_profile("a b")).starts_with("a profile's name may contain only letters"));
    assert!(refused(new_profile("environment")).contains("means BURSAR_BASE_URL"));
    assert!(refused(new_profile("live")).starts_with("there is a profile live already, for https://api.example.com"));
    let local = BaseUrl::parse("http://127.0.0.1:8460").unwrap();
    assert!(refused(NewProfile { base_url: local, ..new_profile("b") }).contains("reached without a proxy"));
    let missing = folder.path().join("missing.pem");
    assert!(refused(NewProfile { ca_file: Some(missing), ..new_profile("b") }).starts_with("ca_file: cannot read"));
    for error in [
        config.set_default_profile("lvie").unwrap_err(),
        config.remove_profile("lvie").unwrap_err(),
        config.set_key_storage("lvie", KeyStorage::File).unwrap_err(),
    ] {
        assert_eq!(error.to_string(), "there is no profile lvie; the configuration has live");
    }
    assert_eq!(file_text(&folder), CONFIG_TEXT);
}

#[test]
fn a_file_that_was_broken_meanwhile_is_not_written_over() {
    let folder = config_folder(CONFIG_TEXT);
    let config = resolved_config(&folder);
    let broken = format!("{CONFIG_TEXT}\nnonsense = ");
    fs::write(folder.path().join("config.toml"), &broken).unwrap();
    assert!(config.add_profile(&new_profile("trial")).unwrap_err().to_string().contains("line 12"));
    assert_eq!(file_text(&folder), broken);
}

#[test]
fn profiles_are_used_and_removed() {
    let folder = config_folder(CONFIG_TEXT);
    resolved_config(&folder).add_profile(&new_profile("trial")).unwrap();
    resolved_config(&folder).set_default_profile("trial").unwrap();
    assert_eq!(resolved_config(&folder).default_profile(), Some("trial"));
    resolved_config(&folder).set_key_storage("trial", KeyStorage::Keyring).unwrap();
    assert_eq!(resolved_config(&folder).profiles[1].key_storage, Some(KeyStorage::Keyring));
    let removed = resolved_config(&folder).remove_profile("trial").unwrap();
    assert_eq!((removed.was_default, removed.remaining), (true, vec!["live".to_owned()]));
    assert_eq!(resolved_config(&folder).default_profile(), Some("live"));
    let removed = resolved_config(&folder).remove_profile("live").unwrap();
    assert_eq!((removed.was_default, removed.remaining), (false, vec![]));
    assert!(file_text(&folder).contains("# Our treasury; ask Ada before you change it."), "{}", file_text(&folder));
    assert!(resolved_config(&folder).profiles.is_empty());
    resolved_config(&folder).add_profile(&new_profile("again")).unwrap();
    assert_eq!(resolved_config(&folder).default_profile(), Some("again"));
}

#[test]
fn tables_in_one_line_are_changed_as_well() {
    let folder = config_folder("profiles = { live = { base_url = \"https://api.example.com\" } }\n");
    resolved_config(&folder).add_profile(&new_profile("trial")).unwrap();
    resolved_config(&folder).set_key_storage("live", KeyStorage::File).unwrap();
    let config = resolved_config(&folder);
    assert_eq!(config.profiles.len(), 2);
    assert_eq!(config.profiles[0].key_storage, Some(KeyStorage::File));
}

#[test]
fn what_is_wrong_in_one_profile_keeps_no_change_from_the_others_nor_itself_from_being_removed() {
    let odd = "\n[profiles.odd]\nbase_url = \"https://odd.example.com\"\npoll_seconds = 0\n";
    let folder = config_folder(&format!("{CONFIG_TEXT}{odd}"));
    resolved_config(&folder).add_profile(&new_profile("trial")).unwrap();
    resolved_config(&folder).set_key_storage("live", KeyStorage::File).unwrap();
    resolved_config(&folder).set_default_profile("trial").unwrap();
    assert!(file_text(&folder).contains(odd.trim()), "what is wrong stays for somebody to put right");
    // It is neither written over nor changed.
    let before = file_text(&folder);
    let refused = [
        resolved_config(&folder).add_profile(&new_profile("odd")).unwrap_err(),
        resolved_config(&folder).set_default_profile("odd").unwrap_err(),
        resolved_config(&folder).set_key_storage("odd", KeyStorage::File).unwrap_err(),
    ];
    assert!(refused.iter().all(|reason| reason.to_string().contains("poll_seconds")), "{refused:?}");
    // A change that would make another fault is none.
    let bad = |document: &mut DocumentMut| {
        document["profiles"]["live"]["poll_seconds"] = value(0);
        Ok(())
    };
    assert!(resolved_config(&folder).edit_file(bad).is_err());
    assert_eq!(file_text(&folder), before);
    let removed = resolved_config(&folder).remove_profile("odd").unwrap();
    assert_eq!((removed.was_default, removed.remaining), (false, vec!["live".to_owned(), "trial".to_owned()]));
    assert!(resolved_config(&folder).invalid_profiles.is_empty());
}

#[test]
fn a_watch_is_made_changed_and_removed_and_every_comment_stays() {
    use crate::domain::watch::{Watch, WatchEdit};
    let toml = format!(
        "{CONFIG_TEXT}\n# Ada wants to know.\n[[profiles.live.watch]]\ntoken = \"USDC\"  # not USDT\nbelow = \"10000\"\n\n\
         # The slow ones.\n[[profiles.live.watch]]\npending_longer_than = \"30m\"\n"
    );
    let folder = config_folder(&toml);
    let watches = || resolved_config(&folder).profiles[0].watches.clone();
    let edit = |edit: &WatchEdit| resolved_config(&folder).edit_watch("live", edit);
    let read = |sentence: &str| Watch::parse_sentence(sentence).unwrap();
    let sentences = || watches().iter().map(Watch::sentence).collect::<Vec<_>>();
    let all = [
        "total above 5 margin 1 named \"all of it\"",
        "USDC on base of wallet ops sent above 50 within 24h notify both",
        "failures 3 within 1h",
        "stuck muted",
        "USDC with \"Zebra Stores\" at least 10 within 24h age 5m",
        "ETH changes by 0.5 within 1h",
        "BTC of account Treasury received above 1 within 24h",
    ];
    for sentence in all {
        edit(&WatchEdit::Add(read(sentence))).unwrap();
    }
    let written: Vec<String> = all.iter().map(|sentence| read(sentence).sentence()).collect();
    assert_eq!(sentences()[2..], written);
    let changed = WatchEdit::Replace { index: 0, was: watches()[0].clone(), now: read("USDC below 20000 muted") };
    edit(&changed).unwrap();
    assert_eq!(sentences()[0], "USDC below 20000 margin 200 muted");
    assert!(edit(&changed).is_err(), "it is another one by now");
    edit(&WatchEdit::Remove { index: 2, was: watches()[2].clone() }).unwrap();
    assert_eq!(sentences().len(), 8);
    for line in toml.lines().filter(|line| !line.contains("10000")) {
        assert!(file_text(&folder).contains(line), "{line} is lost in\n{}", file_text(&folder));
    }
}
