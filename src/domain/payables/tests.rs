use proptest::prelude::*;
use ruint::aliases::U256;

use super::*;
use crate::domain::book::{BookChange, Contact};
use crate::domain::csv_table::mapping::KnownMappings;
use crate::domain::{AddressBook, Timestamp};

const ADA: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const BOB: &str = "0xde709f2102306220921060314715629080e2fb77";

fn date(iso: &str) -> NaiveDate {
    iso.parse().unwrap()
}

fn book() -> AddressBook {
    let entry = |blockchain: &str, address: &str| {
        let contact = Contact {
            name: "Ada".into(),
            address: address.into(),
            blockchain: blockchain.into(),
            tag: None,
            note: None,
        };
        (BookChange::Entered(contact), Timestamp::from_millis(0))
    };
    AddressBook::from_changes([entry("base", ADA), entry("polygon", ADA), entry("solana", BOB)])
}

fn parse(text: &str) -> Result<PayablesFile, String> {
    parse_payables(text.as_bytes(), &KnownMappings::default(), &book())
}

#[test]
fn a_list_is_read_with_names_dates_and_columns_of_its_own() {
    let text =
        format!("Invoice no;Payee;Amount;Currency;Due date;Department\nINV-1;{BOB};1200.5;USDC;2026-11-30;North\n");
    let file = parse(&text).unwrap();
    let payable = &file.payables[0];
    assert_eq!((payable.line, payable.reference.as_str(), payable.to.as_str()), (2, "INV-1", BOB));
    assert_eq!((payable.amount.to_string().as_str(), payable.due), ("1200.5", Some(date("2026-11-30"))));
    assert!(file.notes.iter().any(|note| note.contains("not read: “Department”")), "{:?}", file.notes);
    let file = parse("reference,to,amount,token,chain\nINV-2,ada,7,USDC,base\n").unwrap();
    assert_eq!((file.payables[0].to.as_str(), file.payables[0].name.as_deref()), (ADA, Some("ada")));
}

#[test]
fn every_row_that_is_wrong_is_named_with_what_would_be_right() {
    let text = format!(
        "reference,to,amount,token,chain,due\n\
         INV-1,{BOB},1,USDC,,\n\
         inv 1,{BOB},2,usdc,base,\n\
         INV-3,Eve,1,USDC,,\n\
         INV-4,ada,1,USDC,,\n\
         INV-5,{BOB},\"1,5\",USDC,,\n\
         INV-6,{BOB},0,USDC,,\n\
         INV-7,{BOB},1,USDC,,30.11.2026\n\
         ,{BOB},1,USDC,,\n"
    );
    let file = parse(&text).unwrap();
    for ((at, fault), (line, expected)) in file.errors.iter().zip([
        (3, "of line 2"),
        (4, "no name in the address book"),
        (5, "a name of several addresses"),
        (6, "the amount: "),
        (7, "the amount is zero"),
        (8, "write it as in 2026-11-30"),
        (9, "the reference is missing"),
    ]) {
        assert!(*at == line && fault.contains(expected), "{fault}");
    }
    assert_eq!((file.errors.len(), file.payables.len()), (7, 1));
    assert!(parse("reference,to,amount\nINV-1,x,1\n").unwrap_err().contains("token"));
}

fn payable(amount: &str, due: Option<&str>) -> Payable {
    Payable {
        line: 2,
        reference: "INV-1".into(),
        to: ADA.into(),
        name: None,
        blockchain: Some("base".into()),
        token: "USDC".into(),
        amount: Amount::parse_as_written(amount, 6).unwrap(),
        due: due.map(date),
    }
}

fn payment(amount: &str, progress: PaymentProgress) -> ReferencedPayment {
    ReferencedPayment {
        to: ADA.into(),
        blockchain: "base".into(),
        token: "usdc".into(),
        amount: Amount::parse(amount, 6).unwrap(),
        progress,
    }
}

#[test]
fn each_state_is_told_from_the_others() {
    use PaymentProgress::{Confirmed, Sent, Unknown};
    let today = date("2026-11-26");
    let state = |amount: &str, due: Option<&str>, payments: &[(&str, PaymentProgress)]| {
        let payments: Vec<_> = payments.iter().map(|(amount, progress)| payment(amount, *progress)).collect();
        PayableStatus::of(&payable(amount, due), &payments, today).unwrap().state.word()
    };
    for (due, payments, word) in [
        (None, vec![], "owed"),
        (Some("2026-11-26"), vec![], "owed"),
        (Some("2026-11-25"), vec![], "missing"),
        (Some("2026-11-25"), vec![("10", Sent)], "sent"),
        (None, vec![("4", Confirmed), ("6", Sent)], "sent"),
        (None, vec![("4", Confirmed), ("6", Confirmed)], "confirmed"),
        (None, vec![("4", Confirmed)], "part"),
        (None, vec![("4", Confirmed), ("6", Unknown)], "unknown"),
        (None, vec![("10", Confirmed), ("0.000001", Unknown)], "over"),
    ] {
        assert_eq!(state("10", due, &payments), word, "{due:?} {payments:?}");
    }
}

#[test]
fn what_went_to_somebody_else_pays_nothing_and_is_named() {
    let others = [
        ReferencedPayment { to: BOB.into(), ..payment("10", PaymentProgress::Confirmed) },
        ReferencedPayment { token: "USDT".into(), ..payment("10", PaymentProgress::Confirmed) },
        ReferencedPayment { blockchain: "polygon".into(), ..payment("10", PaymentProgress::Confirmed) },
    ];
    let status = PayableStatus::of(&payable("10", None), &others, date("2026-11-26")).unwrap();
    assert_eq!((status.state, status.mismatches.len(), status.needs_person()), (PayableState::Owed, 3, true));
    assert!(status.mismatches[0].contains(BOB), "{:?}", status.mismatches);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// To the last unit: what is owed is what is open and what was paid, less what was paid beyond it.
    #[test]
    fn totals_add_up(rows in prop::collection::vec((1_u64.., 0_u8..18, prop::collection::vec((any::<u32>(), 0_u8..18, any::<bool>()), 0..4)), 1..6)) {
        let mut all = Vec::new();
        for (raw, decimals, parts) in rows {
            let invoice = Payable { amount: Amount::new(U256::from(raw), decimals).unwrap(), ..payable("1", None) };
            let payments: Vec<_> = parts
                .into_iter()
                .map(|(raw, decimals, is_settled)| ReferencedPayment {
                    amount: Amount::new(U256::from(raw), decimals).unwrap(),
                    ..payment("1", if is_settled { PaymentProgress::Confirmed } else { PaymentProgress::Sent })
                })
                .collect();
            let status = PayableStatus::of(&invoice, &payments, date("2026-11-26")).unwrap();
            all.push((invoice, status));
        }
        let totals = PayableTotal::by_token(all.iter().map(|(invoice, status)| (invoice, status))).unwrap();
        let PayableTotal { amount, confirmed, sent, open, over } = &totals["USDC"];
        let sum = amount.checked_add_rescaled(*over).unwrap();
        let right = confirmed.checked_add_rescaled(*sent).unwrap().checked_add_rescaled(*open).unwrap();
        prop_assert!(sum.cmp_value(right).is_eq(), "{sum} {right}");
    }
}
