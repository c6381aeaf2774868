//! The laws of the bound, and what a quote must say.

use proptest::prelude::*;
use ruint::aliases::U256;

use super::*;

fn amount(text: &str) -> Amount {
    let digits = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    Amount::parse(text, u8::try_from(digits).unwrap()).unwrap()
}

fn any_amount() -> impl Strategy<Value = Amount> {
    (any::<[u64; 4]>(), 0..=Amount::MAX_DECIMALS)
        .prop_map(|(limbs, decimals)| Amount::new(U256::from_limbs(limbs), decimals).unwrap())
}

fn small() -> impl Strategy<Value = (u64, u64)> {
    // Close to each other, where the bound decides.
    (1_u64..1_000_000_000_000)
        .prop_flat_map(|expected| (Just(expected), expected - expected / 50..=expected + expected / 50))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_worse_than_the_bound_is_ever_allowed_and_nothing_else_is_stopped((expected, now) in small(), bound in 0_u16..=10_000) {
        // In 128 bits, which hold all of this.
        let right = u128::from(now) * 10_000 >= u128::from(expected) * u128::from(10_000 - bound);
        let of = |raw: u64| Amount::new(U256::from(raw), 6).unwrap();
        prop_assert_eq!(SlippageTolerance::new(bound).allows(of(expected), of(now)), right);
    }

    #[test]
    fn what_is_as_good_or_better_is_always_allowed(one in any_amount(), other in any_amount(), bound in any::<u16>()) {
        let (worse, better) = if one.cmp_value(other).is_le() { (one, other) } else { (other, one) };
        prop_assert!(SlippageTolerance::new(bound).allows(worse, better));
        prop_assert_eq!(SlippageTolerance::new(0).allows(better, worse), worse.cmp_value(better).is_eq());
    }

    #[test]
    fn digits_behind_the_point_change_nothing((expected, now) in small(), bound in 0_u16..=10_000, more in 0_u8..50, other in 0_u8..50) {
        let of = |raw: u64, digits: u8| Amount::new(U256::from(raw), 6).unwrap().rescaled(digits).unwrap();
        let bound = SlippageTolerance::new(bound);
        prop_assert_eq!(bound.allows(of(expected, 6), of(now, 6)), bound.allows(of(expected, 6 + more), of(now, 6 + other)));
    }

    #[test]
    fn a_tighter_bound_never_allows_more(expected in any_amount(), now in any_amount(), one in 0_u16..=10_000, other in 0_u16..=10_000) {
        let (tight, wide) = (SlippageTolerance::new(one.min(other)), SlippageTolerance::new(one.max(other)));
        prop_assert!(!tight.allows(expected, now) || wide.allows(expected, now));
    }
}

#[test]
fn the_largest_amounts_are_held_against_each_other_exactly() {
    let most = Amount::new(U256::MAX, 0).unwrap();
    let less = Amount::new(U256::MAX - U256::from(1), 0).unwrap();
    assert!(
        SlippageTolerance::new(0).allows(most, most)
            && !SlippageTolerance::new(0).allows(most, less)
            && SlippageTolerance::new(1).allows(most, less)
    );
    let least = Amount::new(U256::MAX, Amount::MAX_DECIMALS).unwrap();
    assert!(SlippageTolerance::new(0).allows(least, most) && !SlippageTolerance::new(9_999).allows(most, least));
    assert!(SlippageTolerance::new(10_000).allows(most, least), "all of it may be lost, if somebody says so");
}

#[test]
fn half_a_percent_is_half_a_percent() {
    let expected = amount("1000");
    assert!(SlippageTolerance::DEFAULT.allows(expected, amount("995")));
    assert!(!SlippageTolerance::DEFAULT.allows(expected, amount("994.999999999999999999")));
    assert_eq!(
        (SlippageTolerance::DEFAULT.format_percent().as_str(), SlippageTolerance::new(1_205).format_percent().as_str()),
        ("0.50%", "12.05%")
    );
    assert_eq!(SlippageTolerance::new(u16::MAX).basis_points(), 10_000);
}

#[test]
fn a_quote_says_what_a_swap_gives_only_if_it_is_one_for_it() {
    let (from, to, text) = (Text::from("USDC"), Text::from("ETH"), Text::from("25"));
    let exchange = RequestedSwap { from: &from, amount: &text, to: &to, chain: None, reference: None };
    let quoted = |from_coin: &str, from_amount: &str, to_coin: &str, to_amount: &str| ReceivedQuote {
        quote: Quote {
            from_coin: from_coin.into(),
            from_amount: ReportedAmount::Exact(amount(from_amount)),
            to_coin: to_coin.into(),
            to_amount: ReportedAmount::Exact(amount(to_amount)),
            fee: None,
            swap_price: None,
        },
        at: Timestamp::from_millis(0),
    };
    let gives = |quoted: &ReceivedQuote| quoted.checked_output(&exchange, amount("25"));
    assert_eq!(gives(&quoted("usdc", "25.000000", "eth", "0.0079")), Ok(amount("0.0079")));
    assert_eq!(
        gives(&quoted("USDC", "25", "WETH", "0.0079")),
        Err(QuoteError::OtherCoins("USDC".into(), "WETH".into()))
    );
    assert_eq!(gives(&quoted("ETH", "25", "USDC", "78000")), Err(QuoteError::OtherCoins("ETH".into(), "USDC".into())));
    assert_eq!(gives(&quoted("USDC", "2500", "ETH", "0.79")), Err(QuoteError::OtherAmount("2,500".into())));
    assert_eq!(gives(&quoted("USDC", "25", "ETH", "0.000")), Err(QuoteError::ZeroAmount));
    let mut odd = quoted("USDC", "25", "ETH", "0.0079");
    odd.quote.to_amount = ReportedAmount::Disputed { raw: amount("0.0079"), formatted: "0.79".into() };
    assert_eq!(gives(&odd), Err(QuoteError::Disputed));
}
