//! Samples of the total.

use super::fixtures::{store_in_folder, temporary_store};
use crate::domain::{Amount, Text, Timestamp, TokenKey, TotalSample};

const HOUR: i64 = 3_600_000;

fn sample(hour: i64) -> TotalSample {
    let token = |chain: &str, contract: Option<&str>| TokenKey {
        blockchain: Text::clean(chain),
        contract: contract.map(Text::clean),
    };
    TotalSample {
        at: Timestamp::from_millis(hour * HOUR),
        valuation: Text::clean("USDT"),
        values: [
            (token("base", Some("0x8617e340b3d01fa5f11f306f4090fd50e238070d")), Amount::parse("12345.67", 2).ok()),
            (token("solana", None), Some(Amount::zero(0))),
            (token("tron", Some("T1")), None),
        ]
        .into(),
    }
}

fn hours(samples: &[TotalSample]) -> Vec<i64> {
    samples.iter().map(|sample| sample.at.millis() / HOUR).collect()
}

#[test]
fn samples_of_a_day_are_kept_and_the_newest_before_it() {
    let store = temporary_store();
    let usdt = Text::clean("USDT");
    assert_eq!(store.add_total_sample(&usdt, None).unwrap(), []);
    for hour in 0..30 {
        store.add_total_sample(&usdt, Some(sample(hour))).unwrap();
    }
    let samples = store.add_total_sample(&usdt, None).unwrap();
    assert_eq!(hours(&samples), (2..30).collect::<Vec<_>>());
    assert_eq!(samples[0], sample(2));
    assert_eq!(store.add_total_sample(&Text::clean("EURC"), None).unwrap(), [], "in another valuation");
    // After a week away, the value when it was last seen is still known.
    assert_eq!(hours(&store.add_total_sample(&usdt, Some(sample(200))).unwrap()), [29, 200]);
    // A clock that was set back leaves none in the future.
    assert_eq!(hours(&store.add_total_sample(&usdt, Some(sample(100))).unwrap()), [29, 100]);
}

#[test]
fn samples_outlive_the_program() {
    let folder = tempfile::tempdir().unwrap();
    store_in_folder(folder.path()).add_total_sample(&Text::clean("USDT"), Some(sample(5))).unwrap();
    let samples = store_in_folder(folder.path()).add_total_sample(&Text::clean("USDT"), None).unwrap();
    assert_eq!(samples, [sample(5)]);
}
