//! The own references of a batch's recipients, and batches that are paid again.

use super::*;
use crate::guard::{Override, RecentPayment};

fn with_reference(address: &str, amount: &str, reference: &str) -> Recipient {
    Recipient { reference: Some(reference.into()), ..test_recipient(address, amount) }
}

fn duplicates(batch: &TestBatch) -> Vec<Finding> {
    batch.batch_findings().findings.into_iter().filter(|finding| finding.rule == Rule::Duplicate).collect()
}

#[test]
fn an_invoice_that_was_paid_before_is_told_for_its_line_whoever_got_it_and_however_it_is_spelt() {
    let mut batch = TestBatch::of(vec![with_reference(SUPPLIER, "40", "INV-7"), with_reference(OTHER, "41", "INV-8")]);
    assert_eq!(duplicates(&batch), []);
    let long_ago = RecentPayment { to: PAYING.into(), amount: amount("7"), ..recent_payment(60 * 24 * 400) };
    let references: [fn(&mut RecentPayment); 3] = [
        |payment| payment.ref_id = Some("inv 8".into()),
        |payment| payment.recipient_reference = Some("Inv8".into()),
        |payment| payment.note = Some("inv-8".into()),
    ];
    for set in references {
        let mut payment = long_ago.clone();
        set(&mut payment);
        batch.facts.recent_payments = vec![payment];
        let findings = duplicates(&batch);
        let [finding] = findings.as_slice() else { panic!("{findings:?}") };
        assert!(finding.message.starts_with("Line 3: Another payment carries the same reference"), "{finding:?}");
        assert_eq!(finding.override_phrase, Some(Override::SameReference.phrase()));
        assert!(finding.lines.iter().any(|line| line.contains("7 USDC")), "{finding:?}");
    }
}

#[test]
fn one_payment_says_when_its_reference_was_that_of_a_batchs_recipient() {
    let mut payment = Payment::to(SUPPLIER);
    payment.request.ref_id = Some("inv-8".into());
    payment.facts.recent_payments = vec![RecentPayment {
        to: OTHER.into(),
        recipient_reference: Some("INV 8".into()),
        amount: amount("7"),
        ..recent_payment(60 * 24 * 400)
    }];
    let findings = payment.findings();
    assert!(findings.iter().any(|finding| finding.severity == Severity::Danger), "{findings:?}");
}

#[test]
fn a_reference_twice_in_one_batch_is_a_danger_that_names_its_lines() {
    let batch = TestBatch::of(vec![
        with_reference(SUPPLIER, "40", "INV-7"),
        test_recipient(PAYING, "1"),
        with_reference(OTHER, "41", "inv 7"),
    ]);
    let findings = duplicates(&batch);
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert!(finding.message.starts_with("Lines 2, 4 carry the same reference (INV-7)"), "{finding:?}");
    assert_eq!(finding.severity, Severity::Danger);
}

#[test]
fn a_batch_paid_again_says_so_in_one_finding_whatever_its_amounts() {
    let to: Vec<Recipient> =
        (0..50).map(|number| test_recipient(&address(number), &format!("{}.5", number + 1))).collect();
    let mut batch = TestBatch::of(to);
    batch.facts.recent_payments = batch
        .request
        .to
        .iter()
        .map(|to| RecentPayment { to: to.address.clone(), amount: amount(&to.amount), ..recent_payment(30) })
        .collect();
    let findings = duplicates(&batch);
    let [finding] = findings.as_slice() else { panic!("{} findings: {findings:?}", findings.len()) };
    assert!(
        finding.message.starts_with("All 50 recipients: The same amount was paid to the same address"),
        "{finding:?}"
    );
    assert_eq!(finding.override_phrase, Some(Override::PayAgain.phrase()));
    assert_eq!(finding.lines.len(), 4);
    assert!(finding.lines[0].starts_with("line 2"), "{finding:?}");
    assert_eq!(finding.lines[3], "and 47 more recipients");
    // Every recipient keeps its own finding.
    let rows = batch.batch_findings().rows;
    assert!(rows.iter().all(|row| row.findings.iter().any(|finding| finding.rule == Rule::Duplicate)));
}
