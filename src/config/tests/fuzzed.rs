//! Configuration files of any text: what is taken is safe to use, and what is not names its line.

use std::time::Duration;

use super::super::{Profile, file, file::ConfigFile};
use super::{ONE_PROFILE, TWO_PROFILES};
use crate::domain::ThemeName;
use crate::fuzzing::{target, text};

/// All that a file says.
fn file_content(file: &ConfigFile) -> (Option<ThemeName>, Option<&str>, &[Profile]) {
    (file.theme, file.default_profile.as_deref(), &file.profiles)
}

#[test]
fn a_file_is_taken_as_it_stands_or_told_by_its_line() {
    let seeds: [&[u8]; 7] = [
        ONE_PROFILE.as_bytes(),
        TWO_PROFILES.as_bytes(),
        b"[profiles.a]\nbase_url = \"https://api.example.com\"\n[profiles.a.wire]\nwithdrawal_address = \"toAddress\"\n",
        b"[profiles.a]\nbase_url = \"http://127.0.0.1:1\"\nfinal_ok = [\"Paid\"]\nfinal_failed = [\"no\"]\n[profiles.a.listener]\naddress = \"127.0.0.1:8461\"\n",
        b"[profiles.a]\nbase_url = \"http://10.0.0.1\"\n",
        b"profiles = { \"a b\" = { base_url = 1 } }\n",
        b"theme = \"dark\"\n[[profiles.x.watch]]\n",
    ];
    target(&seeds, |input| {
        let source = text(input);
        let outcome = file::parse_config_strictly(source);
        if !source.starts_with('\u{feff}') {
            let later = file::parse_config_strictly(&format!("# one line more\n{source}"));
            match (&outcome, &later) {
                (Ok(outcome), Ok(later)) => assert_eq!(file_content(outcome), file_content(later), "{source}"),
                (Err(fault), Err(later)) => assert_eq!((fault.line + 1, &fault.message), (later.line, &later.message)),
                (one, other) => panic!("{one:?} became {other:?}: {source}"),
            }
            let strange = file::parse_config_strictly(&format!("unknown_to_all = 1\n{source}"));
            assert!(outcome.is_err() || strange.is_err_and(|fault| fault.line == 1), "{source}");
        }
        let lines = source.split('\n').count();
        let file = match outcome {
            Ok(file) => file,
            Err(fault) => {
                assert!(
                    (1..=lines).contains(&fault.line) && !fault.message.is_empty(),
                    "{} of {lines}: {source}",
                    fault.line
                );
                return;
            }
        };
        for profile in &file.profiles {
            assert_eq!(file::name_fault(&profile.name), None);
            assert!(profile.base_url.as_str().starts_with("https://") || profile.base_url.is_unencrypted());
            assert!(profile.proxy.is_none() || !profile.base_url.is_unencrypted());
            assert!((Duration::from_secs(1)..=Duration::from_hours(1)).contains(&profile.preferences.poll_period));
            assert!(!profile.final_ok.iter().any(|word| profile.final_failed.contains(word)), "{source}");
            let address = &profile.wire.withdrawal_address;
            assert!(!["walletId", "amount", "token", ""].contains(&address.as_str()), "{source}");
        }
    });
}
