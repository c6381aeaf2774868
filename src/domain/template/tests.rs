use chrono::{Datelike, NaiveDate, Weekday};
use proptest::prelude::*;

use super::repeat::Repeat;
use super::*;
use crate::domain::book::BookChange;
use crate::domain::draft::{Batch, BatchFile, Metadata};
use crate::domain::{AddressBook, Amount, TokenKey, WalletId, Withdrawal};

fn date(iso: &str) -> NaiveDate {
    iso.parse().unwrap()
}

fn withdrawal() -> Withdrawal {
    Withdrawal {
        wallet: WalletId::from_text("wallet-1"),
        blockchain: "base".into(),
        token: "USDC".into(),
        amount: "25".into(),
        to: "0xde709f2102306220921060314715629080e2fb77".into(),
        ref_id: Some("INV-7".into()),
        note: Some("rent".into()),
        metadata: Metadata::default(),
    }
}

fn template(name: &str, schedule: Option<(Repeat, &str)>) -> Template {
    Template {
        id: TemplateId(7),
        name: name.into(),
        draft: reusable_draft(&Draft::Withdraw(withdrawal())),
        sender: Sender {
            name: Some("Treasury".into()),
            address: None,
            account: None,
            user: None,
            token: TokenKey::new("base", None),
            amount: Amount::parse("25", 6).unwrap(),
        },
        schedule: schedule.map(|(repeat, from)| Schedule { repeat, from: date(from) }),
    }
}

#[test]
fn what_is_typed_is_a_repeat_and_what_is_shown_can_be_typed_again() {
    for (typed, repeat) in [
        ("monthly 31", Repeat::Monthly(31)),
        ("Every month on the 1st", Repeat::Monthly(1)),
        ("on the 15th of each month", Repeat::Monthly(15)),
        ("monthly on the last day", Repeat::Monthly(31)),
        ("weekly friday", Repeat::Weekly(Weekday::Fri)),
        ("every Mon", Repeat::Weekly(Weekday::Mon)),
        ("wednesdays", Repeat::Weekly(Weekday::Wed)),
        ("last working day", Repeat::LastWorkingDay),
        ("the last working day of the month", Repeat::LastWorkingDay),
    ] {
        assert_eq!(Repeat::parse(typed), Ok(repeat), "{typed}");
        assert_eq!(Repeat::parse(&repeat.sentence()), Ok(repeat), "{}", repeat.sentence());
        assert_eq!(Repeat::parse(&repeat.description()), Ok(repeat), "{}", repeat.description());
    }
    for typed in
        ["", "monthly", "monthly 0", "monthly 32", "monthly -1", "weekly", "weekly 5", "daily", "31", "monthly 3x"]
    {
        assert!(Repeat::parse(typed).unwrap_err().contains("monthly 31"), "{typed}");
    }
}

#[test]
fn a_short_month_ends_on_its_last_day_and_a_weekend_before_it() {
    for (repeat, from, first) in [
        (Repeat::Monthly(31), "2026-02-01", "2026-02-28"),
        (Repeat::Monthly(31), "2028-02-10", "2028-02-29"),
        (Repeat::Monthly(30), "2026-12-31", "2027-01-30"),
        (Repeat::Weekly(Weekday::Fri), "2026-11-27", "2026-11-27"),
        (Repeat::Weekly(Weekday::Fri), "2026-11-28", "2026-12-04"),
        // 31 October 2026 is a Saturday, 28 February 2027 a Sunday, 30 November 2026 a Monday.
        (Repeat::LastWorkingDay, "2026-10-01", "2026-10-30"),
        (Repeat::LastWorkingDay, "2026-10-31", "2026-11-30"),
        (Repeat::LastWorkingDay, "2027-02-01", "2027-02-26"),
    ] {
        assert_eq!(repeat.first_from(date(from)), Some(date(first)), "{repeat:?} from {from}");
    }
}

fn repeats() -> impl Strategy<Value = Repeat> {
    prop_oneof![
        (1_u8..=31).prop_map(Repeat::Monthly),
        (0_u8..7).prop_map(|day| Repeat::Weekly(Weekday::try_from(day).unwrap())),
        Just(Repeat::LastWorkingDay),
    ]
}

proptest! {
    #[test]
    fn every_month_or_week_has_one_due_date_and_none_is_missed(repeat in repeats(), from in 0_i32..4_000, days in 0_i32..500) {
        let from = NaiveDate::from_num_days_from_ce_opt(739_000 + from).unwrap();
        let today = from + chrono::TimeDelta::days(i64::from(days));
        let schedule = Some(Schedule { repeat, from });
        let template = Template { schedule, ..template("Rent", None) };
        let due = template.due_dates(today);
        // Walking from day to day finds the same ones.
        let every: Vec<NaiveDate> =
            from.iter_days().take_while(|day| *day <= today).filter(|day| repeat.last_until(*day) == Some(*day)).collect();
        prop_assert_eq!(&due, &every[every.len().saturating_sub(60)..]);
        for pair in due.windows(2) {
            if let Repeat::Weekly(_) = repeat {
                prop_assert_eq!((pair[1] - pair[0]).num_days(), 7);
            } else {
                prop_assert_eq!((pair[1].month0() + 12 - pair[0].month0()) % 12, 1);
            }
        }
        prop_assert!(template.next_due(today).unwrap() > today);
        prop_assert_eq!(repeat.last_until(template.next_due(today).unwrap()), template.next_due(today));
    }

    /// Whatever the clock shows, earlier dates neither vanish nor move: a date that was paid is the same date after the
    /// clock is set back and forward again.
    #[test]
    fn a_clock_set_back_only_hides_later_due_dates(repeat in repeats(), days in 0_i64..420, back in 0_i64..420) {
        let from = date("2026-01-15");
        let today = from + chrono::TimeDelta::days(days);
        let earlier = today - chrono::TimeDelta::days(back);
        let template = Template { schedule: Some(Schedule { repeat, from }), ..template("Rent", None) };
        let (now, before) = (template.due_dates(today), template.due_dates(earlier));
        let until: Vec<NaiveDate> = now.iter().copied().filter(|due| *due <= earlier).collect();
        prop_assert!(before.ends_with(&until), "{before:?} {now:?}");
        prop_assert!(before.iter().all(|due| *due >= from && *due <= earlier));
    }
}

#[test]
fn a_template_has_no_reference_of_an_earlier_payment() {
    let sample = withdrawal();
    let to = Recipient {
        address: sample.to.clone(),
        amount: "1".into(),
        label: Some("Ada".into()),
        reference: Some("INV-8".into()),
        line: Some(2),
    };
    let batch = Draft::Batch(Batch {
        wallet: sample.wallet.clone(),
        blockchain: "base".into(),
        token: "USDC".into(),
        to: vec![to],
        ref_id: Some("B1".into()),
        note: None,
        file: Some(BatchFile { name: "a.csv".into(), sha256: "ab".into() }),
        metadata: Metadata::default(),
        queue: None,
    });
    let Draft::Batch(batch_kept) = reusable_draft(&batch) else { panic!() };
    assert_eq!(
        (batch_kept.ref_id, batch_kept.file, &batch_kept.to[0].reference, batch_kept.to[0].line),
        (None, None, &None, None)
    );
    assert_eq!(batch_kept.to[0].label.as_deref(), Some("Ada"));
    let of = template("Rent & rates (Q4)", None).use_for(Some(date("2026-11-30")));
    assert_eq!(of.reference().as_deref(), Some("RENT-RATES-Q4-2026-11-30"));
    assert_eq!(of.description(), "Rent & rates (Q4), due 2026-11-30");
}

#[test]
fn a_new_template_never_takes_the_identifier_of_another() {
    let mut book = AddressBook::default();
    assert_eq!(book.new_template_id(Timestamp::from_millis(5)), TemplateId(5));
    let at = Timestamp::from_millis(0);
    book.apply_change(BookChange::Template(Box::new(template("Rent", None))), at, at);
    assert_eq!(book.new_template_id(Timestamp::from_millis(5)), TemplateId(8));
    let lease = Template { name: "Lease".into(), ..template("Rent", None) };
    book.apply_change(BookChange::Template(Box::new(lease)), at, at);
    assert!(book.template_named(" LEASE ").is_some() && book.template_named("rent").is_none());
    book.apply_change(BookChange::TemplateRemoved(TemplateId(7)), at, at);
    assert!(book.templates().is_empty());
}
