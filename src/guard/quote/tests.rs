//! A swap is never sent by a quote that is worse than the bound allows, nor by one for something else.

use proptest::prelude::*;
use ruint::aliases::U256;

use super::*;
use crate::domain::draft::{InstantSwap, Swap as Draft};
use crate::domain::quote::QuoteError;
use crate::domain::v1::Quote;
use crate::domain::{Network, ReportedAmount, SlippageTolerance, Text, Timestamp, TokenKey, UserId};
use crate::guard::tests::{NOW, Payment, SUPPLIER, amount, empty_limit, outflow};
use crate::guard::{GuardFacts, GuardedPayment, RecentSwap, Severity, judge_swap};

fn received_quote(from: &str, sold: &str, to: &str, output: Amount) -> ReceivedQuote {
    let quote = Quote {
        from_coin: from.into(),
        from_amount: ReportedAmount::Exact(amount(sold)),
        to_coin: to.into(),
        to_amount: ReportedAmount::Exact(output),
        fee: Some(ReportedAmount::Exact(amount("0.025"))),
        swap_price: None,
    };
    ReceivedQuote { quote, at: NOW }
}

fn confirmed_quote(output: Amount, bound: u16) -> ConfirmedQuote {
    ConfirmedQuote { coin: "ETH".into(), amount: output, at: NOW, slippage: SlippageTolerance::new(bound) }
}

/// What a swap of 25 USDC for ETH comes to, by a quote.
fn check_example_quote(agreed: Option<&ConfirmedQuote>, now: &ReceivedQuote) -> Result<Amount, QuoteRejection> {
    let (from, text, to) = (Text::from("USDC"), Text::from("25"), Text::from("ETH"));
    check_quote(
        agreed,
        now,
        &RequestedSwap { from: &from, amount: &text, to: &to, chain: None, reference: None },
        amount("25"),
    )
}

fn ether(raw: u64) -> Amount {
    Amount::new(U256::from(raw), 18).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_is_sent_just_where_the_quote_is_within_the_bound(expected in 1_u64.., now in 1_u64.., near in 0_u64..200, bound in 0_u16..=10_000) {
        // Half of them close to the bound.
        let now = if now.is_multiple_of(2) { expected - expected / 10_000 * near } else { now };
        let right = u128::from(now) * 10_000 >= u128::from(expected) * u128::from(10_000 - bound);
        let outcome = check_example_quote(Some(&confirmed_quote(ether(expected), bound)), &received_quote("USDC", "25", "ETH", ether(now)));
        prop_assert_eq!(outcome.is_ok(), right, "{:?}", outcome);
        if now >= expected {
            prop_assert_eq!(outcome, Ok(ether(now)));
        }
    }
}

#[test]
fn a_quote_for_something_else_never_sends() {
    let agreed = confirmed_quote(ether(7_900), 50);
    let of = |from, sold, to, gives| check_example_quote(Some(&agreed), &received_quote(from, sold, to, gives));
    assert_eq!(of("usdc", "25", "eth", ether(7_900)), Ok(ether(7_900)));
    assert_eq!(
        of("USDC", "25", "BTC", ether(7_900)),
        Err(QuoteRejection::Unusable(QuoteError::OtherCoins("USDC".into(), "BTC".into())))
    );
    assert_eq!(
        of("USDC", "250", "ETH", ether(79_000)),
        Err(QuoteRejection::Unusable(QuoteError::OtherAmount("250".into())))
    );
    assert_eq!(of("USDC", "25", "ETH", ether(0)), Err(QuoteRejection::Unusable(QuoteError::ZeroAmount)));
    assert_eq!(
        check_example_quote(None, &received_quote("USDC", "25", "ETH", ether(7_900))),
        Err(QuoteRejection::NotShown)
    );
    let other = ConfirmedQuote { coin: "BTC".into(), ..agreed.clone() };
    assert_eq!(
        check_example_quote(Some(&other), &received_quote("USDC", "25", "ETH", ether(7_900))),
        Err(QuoteRejection::NotShown)
    );
    let worse = of("USDC", "25", "ETH", ether(7_860)).unwrap_err().to_string();
    assert!(worse.contains("0.00000000000000786 ETH") && worse.ends_with("more than 0.50% less"), "{worse}");
}

/// A swap of 25 USDC for ETH out of a wallet that holds 100.
struct TestSwap {
    payment: Payment,
    draft: crate::domain::Draft,
}

impl TestSwap {
    fn new() -> Self {
        let payment = Payment::to(SUPPLIER);
        let draft = crate::domain::Draft::Swap(Draft {
            wallet: payment.request.wallet.clone(),
            blockchain: "ethereum".into(),
            from: "USDC".into(),
            amount: "25".into(),
            to: "ETH".into(),
            ref_id: None,
            note: None,
        });
        let quote = Some(Ok(received_quote("USDC", "25", "ETH", ether(7_900))));
        Self { payment: Payment { facts: GuardFacts { quote, ..payment.facts.clone() }, ..payment }, draft }
    }

    /// The same by version 1, whose request names no chain.
    fn instant() -> Self {
        let draft = crate::domain::Draft::InstantSwap(InstantSwap {
            sub_wallet: UserId::from_text("u"),
            from: "USDC".into(),
            amount: "25".into(),
            to: "ETH".into(),
            ext_id: None,
        });
        Self { draft, ..Self::new() }
    }

    fn findings(&self) -> Vec<Finding> {
        let Payment { sender, facts, .. } = &self.payment;
        let (exchange, sale) = (self.draft.exchange().unwrap(), self.draft.sale_as_withdrawal(sender).unwrap());
        judge_swap(&GuardedSwap { sale: GuardedPayment { request: &sale, sender, facts, now: NOW }, exchange })
    }

    fn severities_and_rules(&self) -> Vec<(Severity, Rule)> {
        self.findings().into_iter().map(|finding| (finding.severity, finding.rule)).collect()
    }
}

#[test]
fn an_everyday_swap_goes_without_a_word() {
    assert_eq!(TestSwap::new().severities_and_rules(), []);
}

#[test]
fn without_a_quote_for_it_a_swap_is_stopped() {
    let stop = [(Severity::Stop, Rule::Quote)];
    for quote in [
        None,
        Some(Err("service unreachable".into())),
        Some(Ok(received_quote("USDC", "25", "BTC", ether(7_900)))),
        Some(Ok(received_quote("USDC", "24", "ETH", ether(7_900)))),
        Some(Ok(received_quote("USDC", "25", "ETH", ether(0)))),
    ] {
        let mut sold = TestSwap::new();
        sold.payment.facts.quote = quote;
        assert_eq!(sold.severities_and_rules(), stop, "{:?}", sold.findings());
    }
}

/// The service itself may list it and swap for it.
#[test]
fn a_coin_that_only_looks_like_another_is_bought_with_the_words_alone() {
    let mut sold = TestSwap::new();
    let crate::domain::Draft::Swap(draft) = &mut sold.draft else { panic!() };
    draft.to = "U\u{405}DT".into();
    sold.payment.facts.quote = Some(Ok(received_quote("USDC", "25", "U\u{405}DT", ether(7_900))));
    assert_eq!(sold.severities_and_rules(), [(Severity::Danger, Rule::Token)]);
    assert_eq!(sold.findings()[0].override_phrase, Some("not the listed token"));
    assert!(sold.findings()[0].message.contains("letters of another alphabet"), "{}", sold.findings()[0].message);
}

#[test]
fn what_is_sold_is_judged_like_what_is_paid() {
    let mut sold = TestSwap::new();
    sold.payment.facts.is_imitation = true;
    assert_eq!(sold.severities_and_rules(), [(Severity::Danger, Rule::Token)]);
    let mut sold = TestSwap::new();
    sold.payment.facts.expected_network = Some(Network::Testnet);
    assert_eq!(sold.severities_and_rules(), [(Severity::Stop, Rule::Environment)]);
    let mut sold = TestSwap::new();
    sold.payment.facts.policy.limits = vec![crate::domain::policy::Limit {
        per_payment: Some(amount("24")),
        ..crate::guard::tests::empty_limit("USDC")
    }];
    assert_eq!(sold.severities_and_rules(), [(Severity::Stop, Rule::Limits)]);
    let mut sold = TestSwap::new();
    sold.payment.facts.funds.as_mut().unwrap().amount = Some(amount("24.9"));
    let findings = sold.findings();
    assert_eq!(sold.severities_and_rules(), [(Severity::Stop, Rule::Balance)]);
    assert!(findings[0].message.ends_with("does not hold enough USDC for this swap."), "{}", findings[0].message);
}

#[test]
fn all_of_a_balance_can_be_sold_and_the_fee_is_named() {
    let mut sold = TestSwap::new();
    sold.payment.facts.funds.as_mut().unwrap().amount = Some(amount("25"));
    let findings = sold.findings();
    assert_eq!(sold.severities_and_rules(), [(Severity::Caution, Rule::Quote)]);
    assert!(findings[0].message.contains("a fee of 0.025"), "{}", findings[0].message);
}

fn earlier_swap(minutes_ago: i64, to: Option<&str>) -> RecentSwap {
    RecentSwap {
        order: None,
        at: Some(Timestamp::from_millis(NOW.millis() - minutes_ago * 60_000)),
        blockchain: "ethereum".into(),
        token: TokenKey::new("ethereum", Some(crate::guard::tests::USDC)),
        from: "USDC".into(),
        // With its fee and without.
        amounts: vec![amount("25"), amount("24.975")],
        to: to.map(Into::into),
        state: "success".into(),
        is_unresolved: false,
    }
}

#[test]
fn the_same_swap_again_is_a_danger_and_an_unresolved_one_a_stop() {
    let findings = |swap: RecentSwap| {
        let mut sold = TestSwap::new();
        sold.payment.facts.recent_swaps = vec![swap];
        sold.severities_and_rules()
    };
    let danger = [(Severity::Danger, Rule::Duplicate)];
    assert_eq!(findings(earlier_swap(60, Some("ETH"))), danger);
    assert_eq!(findings(earlier_swap(60, None)), danger, "what it bought is not told");
    assert_eq!(findings(earlier_swap(60, Some("BTC"))), []);
    assert_eq!(findings(earlier_swap(25 * 60, Some("ETH"))), []);
    assert_eq!(findings(RecentSwap { amounts: vec![amount("25.1")], ..earlier_swap(60, Some("ETH")) }), []);
    assert_eq!(
        findings(RecentSwap { amounts: vec![amount("25.025"), amount("25")], ..earlier_swap(60, Some("ETH")) }),
        danger
    );
    assert_eq!(findings(RecentSwap { blockchain: "base".into(), ..earlier_swap(60, Some("ETH")) }), []);
    let unresolved = RecentSwap { is_unresolved: true, ..earlier_swap(40 * 60, Some("ETH")) };
    assert_eq!(findings(unresolved), [(Severity::Stop, Rule::Duplicate)]);
    let mut sold = TestSwap::new();
    sold.payment.facts.recent_swaps = vec![earlier_swap(60, Some("ETH"))];
    assert_eq!(sold.findings()[0].override_phrase, Some("swap again"));
}

/// By version 1 the service chooses the chain: the one that was picked here tells two swaps apart neither way.
#[test]
fn where_the_service_chooses_the_chain_an_equal_swap_is_equal_on_any() {
    let elsewhere = |blockchain: &str| RecentSwap {
        blockchain: blockchain.into(),
        token: TokenKey::new("base", Some(crate::guard::tests::OTHER)),
        is_unresolved: true,
        ..earlier_swap(60, Some("ETH"))
    };
    let findings = |mut sold: TestSwap, swap: RecentSwap| {
        sold.payment.facts.recent_swaps = vec![swap];
        sold.severities_and_rules()
    };
    let stop = [(Severity::Stop, Rule::Duplicate)];
    assert_eq!(findings(TestSwap::instant(), elsewhere("base")), stop);
    assert_eq!(findings(TestSwap::instant(), elsewhere("")), stop);
    assert_eq!(findings(TestSwap::new(), elsewhere("")), stop);
    // While nobody knows, the chain does not matter; afterwards one that was told does.
    assert_eq!(findings(TestSwap::new(), elsewhere("base")), stop);
    let resolved = || RecentSwap { is_unresolved: false, ..elsewhere("base") };
    assert_eq!(findings(TestSwap::instant(), resolved()), [(Severity::Danger, Rule::Duplicate)]);
    assert_eq!(findings(TestSwap::new(), resolved()), []);
}

#[test]
fn an_unresolved_swap_blocks_more_than_its_own_amount() {
    let order = |sold: &str| RecentSwap {
        is_unresolved: true,
        order: Some(crate::guard::tests::order_id()),
        amounts: vec![amount(sold)],
        ..earlier_swap(40 * 60, Some("ETH"))
    };
    let duplicate = |swaps: Vec<RecentSwap>| {
        let mut sold = TestSwap::new();
        sold.payment.facts.recent_swaps = swaps;
        let duplicate_finding = sold.findings().into_iter().find(|finding| finding.rule == Rule::Duplicate);
        duplicate_finding.map(|finding| (finding.severity, finding.override_phrase))
    };
    let (stop, danger) = (Some((Severity::Stop, None)), Some((Severity::Danger, Some("order is unresolved"))));
    // 25 are sold.
    for (sold, expected) in [("25", stop), ("24", stop), ("1", stop), ("25.510204", stop), ("25.510205", danger)] {
        assert_eq!(duplicate(vec![order(sold)]), expected, "{sold}");
    }
    // What was sold of the pair since counts, and what was sold before does not.
    let sold = |hours: i64| RecentSwap {
        amounts: vec![amount("25"), amount("24.9")],
        ..earlier_swap(hours * 60, Some("ETH"))
    };
    assert_eq!(duplicate(vec![order("50"), sold(30)]), stop);
    assert_eq!(duplicate(vec![order("50"), sold(50)]), danger);
    assert_eq!(duplicate(vec![RecentSwap { to: Some("BTC".into()), ..order("25") }]), None);
}

#[test]
fn where_the_service_chooses_the_chain_the_limits_of_each_count() {
    let on = |chain: &str, per_payment, per_day| crate::domain::policy::Limit {
        chain: Some(chain.into()),
        per_payment,
        per_day,
        ..empty_limit("USDC")
    };
    let findings = |mut sold: TestSwap, limit, spent| {
        sold.payment.facts.policy.limits = vec![limit];
        sold.payment.facts.outflows = vec![spent];
        sold.severities_and_rules()
    };
    let stop = [(Severity::Stop, Rule::Limits)];
    let nothing = || outflow(60 * 25, "1");
    assert_eq!(findings(TestSwap::instant(), on("base", Some(amount("24")), None), nothing()), stop);
    assert_eq!(findings(TestSwap::new(), on("base", Some(amount("24")), None), nothing()), []);
    let on_base = || crate::guard::Outflow { blockchain: "base".into(), ..outflow(60, "80") };
    assert_eq!(findings(TestSwap::instant(), on("base", None, Some(amount("100"))), on_base()), stop);
    // One that was made nobody knows where is neither counted nor passed over.
    let nowhere = || crate::guard::Outflow { blockchain: Text::default(), ..outflow(60, "80") };
    let danger = [(Severity::Danger, Rule::Limits)];
    assert_eq!(findings(TestSwap::new(), on("ethereum", None, Some(amount("100"))), nowhere()), danger);
}
