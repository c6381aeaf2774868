//! No rule of the guard, and no danger that can be overridden, is without a journey.

use std::path::{Path, PathBuf};

use bursar::guard::{Override, Rule};

/// The journey in which a danger is overridden by its words: the file and the name of the test.
fn override_journey(danger: Override) -> (&'static str, &'static str) {
    const GUARDED: &str = "guard_rules.rs";
    const RARE: &str = "guard_rules/rare_cases.rs";
    match danger {
        Override::LookAlike => (GUARDED, "recipients_of_one_batch_that_look_alike_are_paid_with_the_words_alone"),
        Override::TestAddress => {
            (RARE, "an_address_for_tests_is_paid_with_the_words_alone_where_the_network_is_not_known")
        }
        Override::OtherChain => (GUARDED, "an_own_wallet_of_another_chain_is_paid_with_the_words_alone"),
        Override::Validators => (RARE, "an_address_among_the_validators_of_ton_is_paid_with_the_words_alone"),
        Override::UnknownChain => ("book_page.rs", "a_chain_that_nobody_knows_enters_the_book_with_the_words_alone"),
        Override::Imitation => (RARE, "a_token_that_turns_out_to_imitate_another_is_paid_with_the_words_alone"),
        Override::NoTag => (GUARDED, "a_payment_without_the_tag_of_its_chain_is_sent_with_the_words_alone"),
        Override::OtherTag => (GUARDED, "the_memo_says_whose_money_it_is_as_much_as_the_address_does"),
        Override::Limit => ("policy.rs", "a_payment_beyond_its_limit_is_stopped_or_sent_with_the_words"),
        Override::DailyLimit | Override::Share => (RARE, "a_limit_that_warns_is_passed_with_the_words_alone"),
        Override::LimitUncertain => (GUARDED, "a_day_of_which_not_all_was_read_is_paid_in_with_the_words_alone"),
        Override::EntryUncertain => {
            (GUARDED, "an_entry_that_cools_is_paid_with_the_words_alone_where_not_all_that_it_got_is_known")
        }
        Override::UnusualAmount => ("policy.rs", "an_amount_of_another_order_is_sent_with_the_words_alone"),
        Override::HalfBalance => {
            ("guard_rules/strong_warnings.rs", "half_of_a_balance_goes_to_a_stranger_with_the_words_alone")
        }
        Override::CustomerMoney => {
            ("guard_rules/strong_warnings.rs", "a_customers_wallet_pays_somebody_else_with_the_words_alone")
        }
        Override::Unresolved => {
            ("guard_rules/unresolved_orders.rs", "a_part_is_paid_with_the_words_alone_and_the_rest_is_stopped")
        }
        Override::PayAgain | Override::SameReference => {
            (GUARDED, "the_same_payment_again_and_that_of_a_colleague_are_made_with_the_words_alone")
        }
        Override::SameFile => (RARE, "the_same_file_is_paid_again_with_the_words_alone"),
        Override::SwapAgain => ("swaps.rs", "the_same_swap_within_a_day_asks_for_its_words"),
        Override::SameRecipient => (RARE, "one_who_stands_twice_in_a_batch_is_paid_twice_with_the_words_alone"),
        Override::BalanceUnknown => (RARE, "a_balance_that_contradicts_itself_is_relied_on_with_the_words_alone"),
        Override::BalanceTooLow => (RARE, "a_balance_summed_up_here_that_is_too_low_is_relied_on_with_the_words_alone"),
        Override::BalanceOld | Override::BalanceAssumed => {
            (GUARDED, "a_balance_that_grew_old_or_cannot_be_borne_out_is_relied_on_with_the_words_alone")
        }
        Override::BalanceDerived => (GUARDED, "a_balance_that_was_never_told_is_relied_on_with_the_words_alone"),
        Override::Clock => ("clock_skew.rs", "a_clock_that_is_wrong_is_an_alarm_and_is_paid_by_with_the_words_alone"),
        Override::FeeUncertain => (RARE, "a_batch_whose_fee_may_be_more_than_is_left_is_paid_with_the_words_alone"),
    }
}

/// The journey in which a rule stops or warns, and some of its words, which stand in the rule's source and in the journey.
fn example_of(rule: Rule) -> (&'static str, &'static str, &'static str) {
    const NOBODY: &str = "what_nobody_can_spend_and_what_pays_oneself_is_stopped";
    match rule {
        Rule::Address => (
            "guard_rules.rs",
            "an_address_that_carries_a_tag_and_one_of_another_network_are_stopped",
            "This address belongs to the ",
        ),
        Rule::OwnWallet => ("guard_rules.rs", NOBODY, "This is the address of the paying wallet itself."),
        Rule::Unspendable => ("guard_rules.rs", NOBODY, "nobody can spend what is sent there"),
        Rule::Token => (
            "guard_rules.rs",
            "two_tokens_of_one_symbol_are_stopped_and_what_imitates_one_is_not_offered",
            " tokens called ",
        ),
        Rule::Memo => (
            "guard_rules.rs",
            "a_payment_without_the_tag_of_its_chain_is_sent_with_the_words_alone",
            "commonly need a memo or tag, and this payment ",
        ),
        Rule::Balance => (
            "guard_rules.rs",
            "a_payment_that_the_balance_does_not_bear_with_its_fee_is_stopped",
            "The wallet does not hold enough ",
        ),
        Rule::FirstPayment => (
            "guard_rules.rs",
            "the_memo_says_whose_money_it_is_as_much_as_the_address_does",
            "never with this memo or tag",
        ),
        Rule::LookAlike => {
            ("policy.rs", "an_address_that_resembles_one_of_the_book_is_sent_with_the_words_alone", "differ at")
        }
        Rule::Duplicate => (
            "batches.rs",
            "an_order_of_a_batch_that_is_unresolved_keeps_its_recipients_from_being_paid_again",
            "An equal payment is unresolved and may have been made",
        ),
        Rule::Environment => (
            "guard_rules/rare_cases.rs",
            "data_that_speak_of_two_networks_are_not_paid_by",
            "The data names two networks",
        ),
        Rule::AllowList => (
            "policy.rs",
            "only_the_address_book_is_paid_and_new_entries_cool_first",
            "This address is not in your address book, and the profile's policy allows payments to the address book only.",
        ),
        Rule::Limits => (
            "policy.rs",
            "a_payment_beyond_its_limit_is_stopped_or_sent_with_the_words",
            " is limited to less than this.",
        ),
        Rule::Outlier => ("policy.rs", "an_amount_of_another_order_is_sent_with_the_words_alone", "unusual amount"),
        Rule::Batch => (
            "guard_rules/rare_cases.rs",
            "one_who_stands_twice_in_a_batch_is_paid_twice_with_the_words_alone",
            "pay the same recipient, ",
        ),
        Rule::Quote => ("swaps.rs", "a_quote_ages_on_screen_and_is_asked_for_again_before_it_is_old", "is not known"),
        Rule::Customer => (
            "guard_rules/strong_warnings.rs",
            "a_customers_wallet_pays_somebody_else_with_the_words_alone",
            "This pays with a customer's money",
        ),
        Rule::Checksum => (
            "batches.rs",
            "two_hundred_are_paid_from_a_file_with_only_the_screen_to_go_by",
            "The address is written in one letter case",
        ),
        Rule::Clock => (
            "clock_skew.rs",
            "a_clock_that_is_wrong_is_an_alarm_and_is_paid_by_with_the_words_alone",
            "This machine's clock is ",
        ),
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text of a test, from what stands above it down to its end; `None` where there is no such test.
fn journey(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(root().join("tests/suite").join(file)).unwrap();
    let at = text.find(&format!("\nfn {name}("))?;
    let from = text[..at].rfind("\n\n").map_or(0, |above| above + 2);
    let to = at + text[at..].find("\n}\n").map_or(text.len() - at, |end| end + 3);
    let journey = text[from..to].to_owned();
    (journey.contains("#[test]") || journey.contains("rstest]")).then_some(journey)
}

/// The guard's sources without their tests, with strings that go on in the next line in one.
fn sources() -> String {
    fn all(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                all(&path, files);
            } else if path.file_name().is_some_and(|name| name != "tests.rs") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    all(&root().join("src/guard"), &mut files);
    let read_source = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let shipped = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
        let mut lines = shipped.split("\\\n");
        let first = lines.next().unwrap_or_default().to_owned();
        lines.fold(first, |text, line| text + line.trim_start())
    };
    files.iter().map(read_source).collect()
}

#[test]
fn every_danger_is_overridden_by_its_words_in_a_journey() {
    let mut missing_phrases = Vec::new();
    for danger in Override::ALL {
        let (phrase, (file, name)) = (danger.phrase(), override_journey(*danger));
        let is_typed = |text: &String| {
            let names_phrase =
                text.contains(&format!("\"{phrase}\"")) || text.contains(&format!("[overridden: {phrase}]"));
            // Nothing is sent where somebody is entered into the book.
            names_phrase && (text.contains("confirms") || text.contains("is entered"))
        };
        if !journey(file, name).as_ref().is_some_and(is_typed) {
            missing_phrases.push(format!("“{phrase}” is not typed in {name} of tests/suite/{file}"));
        }
    }
    assert!(missing_phrases.is_empty(), "{missing_phrases:#?}");
}

#[test]
fn every_rule_stops_or_warns_in_a_journey() {
    let (sources, mut missing_rules) = (sources(), Vec::new());
    for rule in Rule::ALL {
        let (file, name, phrase) = example_of(*rule);
        if !journey(file, name).is_some_and(|text| text.contains(phrase)) {
            missing_rules.push(format!("{rule:?}: “{phrase}” is not seen in {name} of tests/suite/{file}"));
        }
        if !sources.contains(phrase) {
            missing_rules.push(format!("{rule:?}: the guard does not say “{phrase}”"));
        }
    }
    assert!(missing_rules.is_empty(), "{missing_rules:#?}");
}

/// A list that lacks one would leave it without a journey, and nobody would be told.
#[test]
fn the_lists_of_rules_and_of_dangers_name_each_once() {
    let mut rules = Rule::ALL.to_vec();
    rules.sort_unstable();
    rules.dedup();
    assert_eq!(rules.len(), Rule::ALL.len());
    // The last of each, by its place, says how many there are.
    assert_eq!(rules.len(), Rule::Customer as usize + 1);
    let phrases: std::collections::BTreeSet<&str> = Override::ALL.iter().map(|danger| danger.phrase()).collect();
    assert_eq!(phrases.len(), Override::ALL.len());
}
