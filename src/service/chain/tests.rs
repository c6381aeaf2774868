use super::*;

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

#[test]
fn every_served_chain_is_known_to_the_domain_and_settles_within_half_a_minute() {
    assert_eq!(served_chains().count(), RULES.len());
    for rules in RULES {
        assert!(rules.block_millis * u64::from(rules.confirmations) <= 30_000, "{}", rules.slug);
    }
}

#[test]
fn blocks_stand_on_a_grid_so_that_two_transactions_count_up_together() {
    let rules = rules(Chain::find("ethereum").unwrap()).unwrap();
    let (early, late) = (at(10_000), at(12_400));
    assert_eq!(rules.blocks_since(early, at(12_499), Pace::USUAL), 0);
    assert_eq!(rules.blocks_since(early, at(12_500), Pace::USUAL), 1);
    assert_eq!(rules.blocks_since(late, at(12_500), Pace::USUAL), 1);
    assert_eq!(rules.nth_block_after(late, 12, Pace::USUAL), at(40_000));
    assert_eq!(rules.blocks_since(late, at(40_000), Pace::USUAL), 12);
}

#[test]
fn a_doubled_pace_halves_the_wait() {
    let rules = rules(Chain::find("solana").unwrap()).unwrap();
    let twice = Pace::per_mille(2000).unwrap();
    assert_eq!(rules.nth_block_after(at(0), 5, Pace::USUAL), at(2_000));
    assert_eq!(rules.nth_block_after(at(0), 5, twice), at(1_000));
    assert_eq!(Pace::per_mille(0), None);
}

#[test]
fn failures_are_seldom_and_the_same_each_time() {
    let rules = rules(Chain::find("ethereum").unwrap()).unwrap();
    let fates: Vec<_> = (0..6_000_u128).map(|n| rules.outcome_of(Uuid::from_u128(n), FailurePolicy::ById)).collect();
    let failed = fates.iter().filter(|fate| !fate.succeeds).count();
    assert!((50..=150).contains(&failed), "{failed} of 6000 failed");
    assert!(fates.iter().all(|fate| (1..=12).contains(&fate.blocks_until_outcome)));
    assert!((0..100_u128).all(|n| rules.outcome_of(Uuid::from_u128(n), FailurePolicy::Never).succeeds));
    assert!((0..100_u128).all(|n| !rules.outcome_of(Uuid::from_u128(n), FailurePolicy::Always).succeeds));
    assert_eq!(fates[7], rules.outcome_of(Uuid::from_u128(7), FailurePolicy::ById));
}
