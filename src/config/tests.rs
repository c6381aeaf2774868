//! Voices and their order, and the words for what is wrong.

use std::fs;
use std::time::Duration;

use crate::domain::ServicePreferences;

use tempfile::TempDir;

use super::*;
use crate::domain::watch::WatchCondition;
use crate::domain::{Network, Redaction};

mod fuzzed;

/// A configuration folder with this file in it.
fn config_folder(toml: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("config.toml"), toml).unwrap();
    folder
}

fn environment(variables: &[(&str, &str)]) -> Environment {
    variables.iter().copied().collect()
}

fn resolve(toml: &str, variables: &[(&str, &str)], overrides: Overrides) -> Result<Config, ConfigError> {
    let folder = config_folder(toml);
    let overrides = Overrides { config_dir: Some(folder.path().to_owned()), ..overrides };
    Config::resolve(overrides, &environment(variables))
}

/// What is said of a file, from its line on.
fn config_error_text(toml: &str) -> String {
    let error = match resolve(toml, &[], Overrides::default()) {
        Ok(config) => config.invalid_profiles[0].1.clone(),
        Err(error) => error.to_string(),
    };
    error.split_once("config.toml, ").unwrap().1.to_owned()
}

#[test]
fn what_is_wrong_in_one_profile_keeps_nobody_from_another() {
    let wrong = format!("{TWO_PROFILES}batch_recipients = 501\n");
    let config = resolve(&wrong, &[], Overrides::default()).unwrap();
    assert_eq!(config.profile().unwrap().name, "live");
    let profile_of = |name: &str| {
        let overrides = Overrides { profile: Some(name.into()), ..Overrides::default() };
        resolve(&wrong, &[], overrides).unwrap().profile().map(|profile| profile.name.clone())
    };
    assert_eq!(profile_of("live").unwrap(), "live");
    let error = profile_of("trial").unwrap_err().to_string();
    assert!(error.contains("config.toml, line ") && error.contains("batch_recipients: "), "{error}");
    // It is not guessed that the other one is meant, and what is wrong is not written over.
    let nobody = wrong.replace("default_profile = \"live\"", "");
    let error = resolve(&nobody, &[], Overrides::default()).unwrap().profile().unwrap_err().to_string();
    assert!(error.starts_with("there are several profiles (live, trial)"), "{error}");
    let folder = config_folder(&wrong);
    let overrides = Overrides { config_dir: Some(folder.path().to_owned()), ..Overrides::default() };
    let config = Config::resolve(overrides, &environment(&[])).unwrap();
    assert!(config.set_default_profile("trial").unwrap_err().to_string().contains("batch_recipients"));
    config.set_default_profile("live").unwrap();
    assert_eq!(fs::read_to_string(folder.path().join("config.toml")).unwrap(), wrong);
}

const ONE_PROFILE: &str = "[profiles.main]\nbase_url = \"https://api.example.com\"\n";

const TWO_PROFILES: &str = r#"
theme = "plain"
default_profile = "live"

[profiles.live]
base_url = "https://api.example.com/"
environment = "mainnet"
poll_seconds = 2
probe_lists = false
versions = ["v2"]
valuation = "none"
quote_seconds = 30
read_only = true
secrets = "file"
ca_file = "/etc/ssl/harbour.pem"
proxy = "http://proxy.example.com:3128"
final_ok = ["Done"]

[profiles.live.wire]
page_no = "page"
list_users = "/v2/users/list"

[profiles.trial]
base_url = "http://127.0.0.1:8460"
"#;

#[test]
fn a_word_that_failed_by_itself_later_on_may_stand_in_final_ok_as_before() {
    let read = |lists: &str| {
        let file = format!("[profiles.a]\nbase_url = \"https://a.example.com\"\n{lists}");
        let config = resolve(&file, &[], Overrides::default()).unwrap();
        config.profile().map(|profile| profile.final_failed.clone()).map_err(|fault| fault.to_string())
    };
    let failed = read("final_ok = [\"Returned\"]").unwrap();
    assert!(!failed.contains(&"returned".to_owned()) && failed.contains(&"reverted".to_owned()));
    // Whoever writes both lists says which of them is meant.
    assert!(read("final_ok = [\"Returned\"]\nfinal_failed = [\"returned\"]").unwrap_err().contains("leave it in one"));
}

#[test]
fn a_file_is_read_whole() {
    let config = resolve(TWO_PROFILES, &[], Overrides::default()).unwrap();
    assert_eq!(config.theme, ThemeName::Plain);
    let live = config.profile().unwrap();
    assert_eq!(live.name, "live");
    assert_eq!(live.base_url.as_str(), "https://api.example.com");
    assert_eq!(live.network, Some(Network::Mainnet));
    assert_eq!(live.preferences.poll_period.as_secs(), 2);
    assert!(!live.preferences.probe_lists && !live.preferences.v1 && live.read_only);
    assert_eq!((live.valuation.as_deref(), live.quote_max_age), (None, Duration::from_secs(30)));
    assert_eq!(live.key_storage, Some(KeyStorage::File));
    assert_eq!(live.ca_file.as_deref(), Some(std::path::Path::new("/etc/ssl/harbour.pem")));
    assert_eq!(live.proxy.as_ref().unwrap().as_str(), "http://proxy.example.com:3128");
    assert_eq!((live.final_ok.clone(), live.final_failed.len()), (vec!["done".to_owned()], 10));
    let wire = crate::api::WireNames {
        page_no: "page".into(),
        list_users: "/v2/users/list".into(),
        ..crate::api::WireNames::default()
    };
    assert_eq!(live.wire, wire);
    let trial = &config.profiles[1];
    assert_eq!(
        (trial.network, trial.preferences.poll_period, trial.preferences.probe_lists),
        (None, ServicePreferences::default().poll_period, true)
    );
    assert_eq!((trial.valuation.as_deref(), trial.quote_max_age), (Some("USDT"), Profile::DEFAULT_QUOTE_MAX_AGE));
}

#[test]
fn arguments_are_stronger_than_the_environment_and_that_is_stronger_than_the_file() {
    let url = [("BURSAR_BASE_URL", "https://other.example.com")];
    let config = resolve(TWO_PROFILES, &url, Overrides::default()).unwrap();
    assert_eq!(config.profile().unwrap().base_url.as_str(), "https://other.example.com");
    let overrides = Overrides { profile: Some("trial".into()), ..Overrides::default() };
    let config = resolve(TWO_PROFILES, &url, overrides).unwrap();
    assert_eq!(config.profile().unwrap().name, "trial");

    let dark = Overrides { theme: Some(ThemeName::Dark), ..Overrides::default() };
    assert_eq!(resolve(TWO_PROFILES, &[], dark.clone()).unwrap().theme, ThemeName::Dark);
    assert_eq!(resolve("", &[("NO_COLOR", "1")], dark).unwrap().theme, ThemeName::Dark);
    assert_eq!(resolve("", &[("NO_COLOR", "1")], Overrides::default()).unwrap().theme, ThemeName::Plain);
    assert_eq!(resolve("", &[("NO_COLOR", "")], Overrides::default()).unwrap().theme, ThemeName::Dark);
    assert_eq!(resolve("", &[("TERM", "dumb")], Overrides::default()).unwrap().theme, ThemeName::Plain);
    let file = resolve("theme = \"dark\"", &[("NO_COLOR", "1")], Overrides::default()).unwrap();
    assert_eq!(file.theme, ThemeName::Dark);
}

#[test]
fn one_profile_needs_no_choice_and_several_do() {
    let one = resolve("[profiles.a]\nbase_url = \"https://a.example.com\"", &[], Overrides::default()).unwrap();
    assert_eq!(one.profile().unwrap().name, "a");
    let several = TWO_PROFILES.replace("default_profile = \"live\"", "");
    let error = resolve(&several, &[], Overrides::default()).unwrap().profile().unwrap_err().to_string();
    assert_eq!(error, "there are several profiles (live, trial); choose one with --profile or default_profile");
    let overrides = Overrides { profile: Some("lvie".into()), ..Overrides::default() };
    let error = resolve(TWO_PROFILES, &[], overrides).unwrap().profile().unwrap_err().to_string();
    assert_eq!(error, "--profile names the profile “lvie”, which the configuration does not have; it has live, trial");
}

#[test]
fn without_a_service_the_way_on_is_named() {
    let config = resolve("", &[], Overrides::default()).unwrap();
    let error = config.profile().unwrap_err().to_string();
    for word in ["bursar demo", "bursar profile add", "BURSAR_BASE_URL", "BURSAR_API_KEY", "config.toml"] {
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn a_key_comes_from_the_environment_and_is_checked() {
    let read = |toml: &str, variables: &[(&str, &str)]| {
        let environment = environment(variables);
        let config = resolve(toml, variables, Overrides::default()).unwrap();
        let vault = config.vault(config.profile().unwrap(), &environment).unwrap();
        vault.keys().map(|keys| keys.wallet_secret.is_some()).map_err(|fault| fault.to_string())
    };
    let explicit = format!("{ONE_PROFILE}secrets = \"environment\"");
    let error = read(&explicit, &[]).unwrap_err();
    assert_eq!(error, "no API key for https://api.example.com; set BURSAR_API_KEY");
    let error = read(ONE_PROFILE, &[("BURSAR_API_KEY", "sk_1 \n")]).unwrap_err();
    assert!(error.starts_with("BURSAR_API_KEY: the API key contains a space at character 5"), "{error}");
    let error = read(ONE_PROFILE, &[("BURSAR_API_KEY", "sk_1"), ("BURSAR_WALLET_SECRET", "w s")]).unwrap_err();
    assert!(error.starts_with("BURSAR_WALLET_SECRET: the wallet secret contains a space at character 2"), "{error}");
    assert_eq!(read(ONE_PROFILE, &[("BURSAR_API_KEY", "sk_1")]), Ok(false));
    assert_eq!(read(ONE_PROFILE, &[("BURSAR_API_KEY", "sk_1"), ("BURSAR_WALLET_SECRET", "ws_1")]), Ok(true));
    let ambient = [("BURSAR_BASE_URL", "https://b.example.com"), ("BURSAR_API_KEY", "sk_1")];
    assert_eq!(read("", &ambient), Ok(false));
    let error = read("", &ambient[..1]).unwrap_err();
    assert_eq!(error, "no API key for https://b.example.com; set BURSAR_API_KEY");
}

#[test]
fn a_key_of_the_environment_goes_to_no_profile_that_has_keys_of_its_own() {
    let variables = [
        ("BURSAR_API_KEY", "sk_1"),
        ("BURSAR_PAYING_API_KEY", "sk_2"),
        ("BURSAR_WALLET_SECRET", "ws_1"),
        ("BURSAR_PASSPHRASE", "correct horse"),
    ];
    let key_of_profile = |toml: &str| {
        let config = resolve(toml, &variables, Overrides::default()).unwrap();
        let (profile, environment) = (config.profile().unwrap(), environment(&variables));
        (config.key_storage(profile, &environment).unwrap(), config.idle_variables(profile, &environment).unwrap())
    };
    assert_eq!(key_of_profile(ONE_PROFILE), (KeyStorage::Environment, vec!["BURSAR_PASSPHRASE"]));
    let keyring = format!("{ONE_PROFILE}secrets = \"keyring\"");
    assert_eq!(key_of_profile(&keyring), (KeyStorage::Keyring, SECRET_VARIABLES.to_vec()));
    let file = format!("{ONE_PROFILE}secrets = \"file\"");
    assert_eq!(
        key_of_profile(&file),
        (KeyStorage::File, vec!["BURSAR_API_KEY", "BURSAR_PAYING_API_KEY", "BURSAR_WALLET_SECRET"])
    );
    let config = resolve(ONE_PROFILE, &[], Overrides::default()).unwrap();
    assert_eq!(config.key_storage(config.profile().unwrap(), &environment(&[])).unwrap(), KeyStorage::Keyring);
}

#[test]
fn read_only_is_said_by_the_profile_or_by_the_argument() {
    let is_read_only = |toml: &str, read_only| {
        let config = resolve(toml, &[], Overrides { read_only, ..Overrides::default() }).unwrap();
        config.is_read_only(config.profile().unwrap())
    };
    assert!(!is_read_only(ONE_PROFILE, false));
    assert!(is_read_only(ONE_PROFILE, true));
    assert!(is_read_only(&format!("{ONE_PROFILE}read_only = true"), false));
    assert!(is_read_only(&format!("{ONE_PROFILE}read_only = false"), true), "the argument takes away and never gives");
}

#[test]
fn certificates_are_looked_for_beside_the_file_and_told_when_they_are_none() {
    let folder = config_folder(&format!("{ONE_PROFILE}ca_file = \"authority.pem\""));
    let overrides = Overrides { config_dir: Some(folder.path().to_owned()), ..Overrides::default() };
    let config = Config::resolve(overrides, &environment(&[])).unwrap();
    let path = folder.path().join("authority.pem");
    let connection_error = || {
        let error = config.profile().unwrap().connection("sk_1".into(), Redaction::default()).unwrap_err();
        assert!(error.to_string().contains(&path.display().to_string()), "{error}");
        error.to_string()
    };
    assert!(connection_error().starts_with("ca_file: cannot read "));
    fs::write(&path, "").unwrap();
    assert!(
        connection_error().ends_with(
            "is empty; it should hold the certificate of the authority, from -----BEGIN CERTIFICATE----- on"
        )
    );
    fs::write(&path, "no PEM").unwrap();
    assert!(
        connection_error()
            .ends_with("contains no certificate in PEM form, which begins with -----BEGIN CERTIFICATE-----")
    );
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(connection_error().contains("is not a certificate file"));
    fs::remove_dir(&path).unwrap();
    let authority = rcgen::generate_simple_self_signed(["authority.example.com".to_owned()]).unwrap();
    fs::write(&path, authority.cert.pem()).unwrap();
    assert!(
        config.profile().unwrap().connection("sk_1".into(), Redaction::default()).unwrap().route.certificates.is_some()
    );
}

#[test]
fn what_is_wrong_in_a_file_is_told_with_its_line_and_what_would_be_right() {
    for (toml, expected) in [
        ("theme = \"dark\"\ntheem = 1", "line 2: unknown key “theem”; did you mean “theme”?"),
        ("\n\nfoo = 1", "line 3: unknown key “foo”; known keys are theme, glyphs, default_profile, profiles"),
        (
            "theme = \"blue\"",
            "line 1: theme: write \"dark\" or \"light\" or \"high-contrast\" or \"colour-blind\" or \"colour-blind-light\" or \"plain\"",
        ),
        (
            "theme = 3",
            "line 1: theme: write \"dark\" or \"light\" or \"high-contrast\" or \"colour-blind\" or \"colour-blind-light\" or \"plain\"",
        ),
        ("profiles = 3", "line 1: profiles: write a table, as in [name]"),
        ("[profiles.a]\n", "line 1: a: base_url is missing, as in \"https://api.example.com\""),
        (
            "[profiles.a]\nbase_url = \"api.example.com\"",
            "line 2: base_url: the base address lacks https:// in front; write it like https://api.example.com",
        ),
        ("[profiles.a]\nbase_url = 7", "line 2: base_url: write a text in quotation marks"),
        (
            "[profiles.a]\nbaseurl = \"https://a.example.com\"",
            "line 2: unknown key “baseurl” in [profiles.a]; did you mean “base_url”?",
        ),
        (
            "[profiles.a]\nbase_url = \"https://a.example.com\"\napi_key = \"sk_1\"",
            "line 3: “api_key” does not belong in a file; run `bursar key set`",
        ),
        (
            "[profiles.a]\nbase_url = \"https://a.example.com\"\nenvironment = \"prod\"",
            "line 3: environment: write \"mainnet\" or \"testnet\"",
        ),
        (
            "[profiles.a]\nbase_url = \"https://a.example.com\"\npoll_seconds = 0",
            "line 3: poll_seconds: write a whole number from 1 to 3600",
        ),
        (
            "[profiles.a]\nbase_url = \"https://a.example.com\"\npoll_seconds = 1.5",
            "line 3: poll_seconds: write a whole number from 1 to 3600",
        ),
        (
            "[profiles.a]\nbase_url = \"https://a.example.com\"\nprobe_lists = \"no\"",
            "line 3: probe_lists: write true or false",
        ),
        (
            "[profiles.a]\nbase_url = \"https://a.example.com\"\nvaluation = \"U S\"",
            "line 3: valuation: write the symbol of a token, as in \"USDT\", or \"none\" for no values",
        ),
        (
            "[profiles.a]\nbase_url = \"https://a.example.com\"\nversions = [\"v3\"]",
            "line 3: versions: write [\"v1\", \"v2\"], [\"v2\"] for a service without version 1, or [\"v1\"] to pay by version 1",
        ),
        (
            "[profiles.a]\nbase_url = \"https://a.example.com\"\n[profiles.a.wire]\npageno = \"p\"",
            "line 4: unknown key “pageno” in [profiles.a.wire]; did you mean “page_no”?",
        ),
        (
            "[profiles.a]\nbase_url = \"https://a.example.com\"\n[profiles.a.wire]\nlist_users = \"users\"",
            "line 4: list_users: write a path with its version, as in \"/v2/accounts\"",
        ),
        (
            "[profiles.a]\nbase_url = \"https://a.example.com\"\n[profiles.a.wire]\nwithdrawal_address = \"amount\"",
            "line 4: withdrawal_address: write only the member's name, as in \"toAddress\", and not one that the \
             request has already",
        ),
        (
            "[profiles.a]\nbase_url = \"https://a.example.com\"\n[profiles.a.wire]\nwithdrawal_address = \"to address\"",
            "line 4: withdrawal_address: write only the member's name, as in \"toAddress\", and not one that the \
             request has already",
        ),
        (
            "[profiles.a]\nbase_url = \"https://a.example.com\"\nsecrets = \"plain\"",
            "line 3: secrets: write \"keyring\" or \"file\" or \"environment\"",
        ),
        (
            "[profiles.a]\nbase_url = \"https://a.example.com\"\nfinal_ok = \"done\"",
            "line 3: final_ok: write a list of words, as in [\"success\", \"completed\"]",
        ),
        (
            "[profiles.a]\nbase_url = \"https://a.example.com\"\nfinal_ok = [\"Failed\"]",
            "line 1: a: “failed” is in both final_ok and final_failed; leave it in one",
        ),
        (
            "[profiles.a]\nbase_url = \"https://a.example.com\"\nproxy = \"http://me:pw@p.example.com\"",
            "line 3: proxy: the address of the proxy contains a user name or password, which do not belong in a file; remove them",
        ),
        (
            "[profiles.a]\nbase_url = \"http://127.0.0.1:1\"\nproxy = \"http://p.example.com:3128\"",
            "line 3: proxy: a service on this machine is reached without a proxy; leave it out",
        ),
        (
            "[profiles.environment]",
            "line 1: environment: “environment” means BURSAR_BASE_URL; give the profile another name",
        ),
        ("[profiles.\"..\"]", "line 1: ..: a profile's name may contain only letters, digits, - and _, 64 at most"),
        ("[profiles.\"a b\"]", "line 1: a b: a profile's name may contain only letters, digits, - and _, 64 at most"),
    ] {
        assert_eq!(config_error_text(toml), expected);
    }
    for broken in ["theme = ", "[profiles", "theme = \"dark\"\ntheme = \"dark\"", "\u{0}", "= 1"] {
        let message = config_error_text(broken);
        assert!(message.starts_with("line 1: ") || message.starts_with("line 2: "), "{message}");
    }
}

#[test]
fn a_listener_and_watches_are_read_whole() {
    let toml = r#"
        [profiles.a]
        base_url = "https://a.example.com"
        [profiles.a.listener]
        address = "[::1]:8470"
        path = "/hooks/treasury"
        secret_file = "hooks.secret"
        scheme = "body"
        signature_header = "X-Signature"
        per_minute = 30
        [[profiles.a.watch]]
        token = "USDC"
        account = "Treasury"
        below = "10000"
        notify = "both"
        [[profiles.a.watch]]
        name = "stuck"
        pending_longer_than = "30m"
        [[profiles.a.watch]]
        token = "ETH"
        wallet = "eth-main"
        chain = "ethereum"
        change = "0.5"
        within = "10m"
        max_age = "5m"
    "#;
    let config = resolve(toml, &[], Overrides::default()).unwrap();
    let profile = config.profile().unwrap();
    let listener = profile.listener.as_ref().unwrap();
    assert_eq!((listener.address.to_string().as_str(), listener.path.as_str()), ("[::1]:8470", "/hooks/treasury"));
    assert!(matches!(&listener.secret_source, ListenerSecretSource::File(file) if file.ends_with("hooks.secret")));
    assert_eq!((listener.signature_header.as_str(), listener.per_minute), ("x-signature", 30));
    let titles: Vec<String> = profile.watches.iter().map(crate::domain::watch::Watch::title).collect();
    assert_eq!(
        titles,
        ["USDC of Treasury below 10,000", "stuck", "ETH on ethereum of eth-main changed by 0.5 in 10 min"]
    );
    let WatchCondition::Below { margin, .. } = profile.watches[0].condition else { panic!("{:?}", profile.watches[0]) };
    assert_eq!(margin.to_string(), "100", "a hundredth, where nobody said");
    assert!(profile.watches[0].alert.bell && profile.watches[0].alert.notification);
}

#[test]
fn what_is_wrong_with_a_listener_or_a_watch_is_told_with_what_would_be_right() {
    let error_text =
        |rest: &str| config_error_text(&format!("[profiles.a]\nbase_url = \"https://a.example.com\"\n{rest}"));
    for (rest, expected) in [
        ("[profiles.a.listener]\npath = \"/x\"", "address is missing"),
        ("[profiles.a.listener]\naddress = \"0.0.0.0:80\"", "write public = true to allow that"),
        ("[profiles.a.listener]\naddress = \"0.0.0.0:80\"\npublic = true", "signed = true is missing"),
        ("[profiles.a.listener]\naddress = \"127.0.0.1:1\"\nsigned = true\nsecret_file = \"s\"", "leave one out"),
        ("[profiles.a.listener]\naddress = \"localhost\"", "write an address of this machine and a port"),
        ("[profiles.a.listener]\naddress = \"127.0.0.1:1\"\npath = \"events\"", "write a path"),
        (
            "[profiles.a.listener]\naddress = \"127.0.0.1:1\"\nscheme = \"rot13\"",
            "write \"timestamp.body\" or \"body\"",
        ),
        ("[profiles.a.listener]\naddress = \"127.0.0.1:1\"\nsignature_header = \"a: b\"", "write the name of a header"),
        ("[[profiles.a.watch]]\ntoken = \"USDC\"", "exactly one of below, above, change, received_above"),
        ("[[profiles.a.watch]]\ntoken = \"USDC\"\nbelow = \"1\"\nabove = \"2\"", "one of below, above, change"),
        ("[[profiles.a.watch]]\nbelow = \"1\"", "token is missing"),
        ("[[profiles.a.watch]]\nsent_above = \"1\"", "token is missing"),
        ("[[profiles.a.watch]]\nbelow = \"1\"\ntotal = true\ntoken = \"USDC\"", "leave out token"),
        ("[[profiles.a.watch]]\nstuck = false", "write true, or leave it out"),
        ("[[profiles.a.watch]]\nfailures = 0", "write a whole number from 1"),
        ("[[profiles.a.watch]]\ncounterparty = \"Zebra\"\nat_least = \"5\"", "an amount needs its token"),
        ("[[profiles.a.watch]]\ntoken = \"USDC\"\nbelow = 1.5", "write an amount in quotation marks"),
        ("[[profiles.a.watch]]\ntoken = \"USDC\"\nbelow = \"1,5\"", "write the fraction with a point"),
        ("[[profiles.a.watch]]\ntoken = \"USDC\"\nchange = \"0\"", "write more than 0"),
        ("[[profiles.a.watch]]\ntoken = \"USDC\"\nbelow = \"1\"\nwithin = \"1h\"", "it belongs to change"),
        ("[[profiles.a.watch]]\npending_longer_than = \"soon\"", "write a time from 1s to 30 days"),
        ("[[profiles.a.watch]]\npending_longer_than = \"1h\"\naccount = \"a\"\nwallet = \"b\"", "leave one out"),
        ("[[profiles.a.watch]]\npending_longer_than = \"1h\"\nnotify = \"siren\"", "write \"none\" or \"bell\""),
        ("time = \"cest\"", "write \"utc\" or \"local\""),
        ("away_after = \"1s\"", "write a time from 10s to 30 days"),
        ("watch = 3", "write each as a table of its own, as in [[profiles.a.watch]]"),
    ] {
        let message = error_text(rest);
        assert!(message.contains(expected), "{rest}\n{message}");
    }
}

#[test]
#[cfg(unix)]
fn the_secret_of_a_listener_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let toml = "[profiles.a]\nbase_url = \"https://a.example.com\"\n[profiles.a.listener]\naddress = \"127.0.0.1:0\"\n\
                secret_file = \"hooks.secret\"";
    let place = config_folder(toml);
    let overrides = Overrides { config_dir: Some(place.path().to_owned()), ..Overrides::default() };
    let config = Config::resolve(overrides, &environment(&[])).unwrap();
    let profile = config.profile().unwrap();
    let listener = profile.listener.clone().unwrap();
    let vault = Vault::in_environment(profile.owner(), None, None);
    let file = place.path().join("hooks.secret");
    assert!(matches!(listener.webhook_options(&vault), Err(ListenerSecretFault::Unreadable { .. })));
    for (text, mode, right) in [("sesame\n", 0o600, true), ("sesame\n", 0o644, false), (" \n", 0o600, false)] {
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(listener.webhook_options(&vault).is_ok(), right, "{text:?} {mode:o}");
    }
    // One that is said to be kept with the keys, and is not, is no reason to take what is not signed.
    let stored = ListenerConfig { secret_source: ListenerSecretSource::KeyStore, ..listener };
    let message = stored.webhook_options(&vault).map(drop).unwrap_err().to_string();
    assert!(message.contains("bursar key set listener-secret --profile a"), "{message}");
}

#[test]
fn folders_follow_the_arguments_then_the_environment_then_xdg() {
    let folder_paths = |variables: &[(&str, &str)]| {
        let folders = Folders::resolve(None, None, &environment(variables)).unwrap();
        folders.config_file().map(|path| path.display().to_string())
    };
    assert_eq!(folder_paths(&[("HOME", "/nowhere")]).unwrap(), "/nowhere/.config/bursar/config.toml");
    let xdg = [("HOME", "/nowhere"), ("XDG_CONFIG_HOME", "/nowhere/xdg")];
    assert_eq!(folder_paths(&xdg).unwrap(), "/nowhere/xdg/bursar/config.toml");
    let relative = [("HOME", "/nowhere"), ("XDG_CONFIG_HOME", "xdg")];
    assert_eq!(folder_paths(&relative).unwrap(), "/nowhere/.config/bursar/config.toml");
    assert_eq!(folder_paths(&[]), None);
    assert_eq!(folder_paths(&[("HOME", "")]), None);
}

#[test]
fn a_data_folder_is_made_for_its_owner_alone() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("a/b");
    let folders = Folders::resolve(None, Some(path.clone()), &environment(&[])).unwrap();
    assert_eq!(folders.create_data_folder().unwrap(), path);
    #[cfg(unix)]
    for folder in [path.as_path(), path.parent().unwrap()] {
        let mode = std::os::unix::fs::PermissionsExt::mode(&folder.metadata().unwrap().permissions());
        assert_eq!(mode & 0o777, 0o700);
    }
    assert!(folders.create_data_folder().is_ok(), "a second time finds it");
    let error = Folders::resolve(None, None, &environment(&[])).unwrap().create_data_folder().unwrap_err().to_string();
    assert_eq!(
        error,
        "HOME is not set, so there is no place for the data folder; set HOME, or name it with --data-dir"
    );
}
