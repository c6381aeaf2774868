use std::time::Duration;

use crate::config::file::parse_config_strictly;
use crate::domain::policy::{OverLimit, Policy};

fn parse_policy_text(policy: &str) -> Result<Policy, (usize, String)> {
    let source = format!("[profiles.main]\nbase_url = \"https://api.example.com\"\n[profiles.main.policy]\n{policy}");
    let file = parse_config_strictly(&source).map_err(|fault| (fault.line, fault.message))?;
    Ok(file.profiles[0].policy.clone())
}

#[test]
fn a_policy_is_read_as_it_is_written() {
    let policy = parse_policy_text(
        r#"allow_list = true
cooling = "48h"
swap_bound = "0.5%"
[[profiles.main.policy.limit]]
token = "USDC"
per_payment = "10000.50"
per_day = "50000"
while_cooling = "100"
[[profiles.main.policy.limit]]
token = "USDC"
chain = "base"
per_day = "5000"
beyond = "danger"
[[profiles.main.policy.limit]]
token = "*"
percent_of_balance = 50
"#,
    )
    .unwrap();
    assert_eq!(
        (policy.allow_list_only, policy.cooling, policy.slippage),
        (true, Some(Duration::from_hours(48)), Some(50))
    );
    let limits: Vec<String> = policy.limits.iter().map(ToString::to_string).collect();
    assert_eq!(
        limits,
        [
            "USDC: 10,000.5 per payment, 50,000 in 24 hours, 100 to an entry in its cooling-off period; beyond: stop",
            "USDC on Base: 5,000 in 24 hours; beyond: danger",
            "every other token: 50% of the balance; beyond: stop",
        ]
    );
    assert_eq!(policy.limits[1].over_limit, OverLimit::Danger);
    assert_eq!(parse_policy_text("").unwrap(), Policy::default());
}

#[test]
fn what_is_wrong_is_said_with_its_line_and_what_would_be_right() {
    let limit = |line: &str| format!("[[profiles.main.policy.limit]]\n{line}\n");
    for (policy, line, expected) in [
        (
            "allow_lists = true".to_owned(),
            4,
            "unknown key “allow_lists” in [profiles.main.policy]; did you mean “allow_list”?",
        ),
        ("allow_list = \"yes\"".to_owned(), 4, "allow_list: write true or false"),
        ("\ncooling = 48".to_owned(), 5, "cooling: write a time from 1m to 30 days, as in \"30m\" or \"2h\""),
        ("swap_bound = 0.5".to_owned(), 4, "swap_bound: write a share from 0% to 50%, as in \"0.5%\""),
        ("swap_bound = \"51%\"".to_owned(), 4, "swap_bound: write a share from 0% to 50%, as in \"0.5%\""),
        (limit("per_day = \"1\""), 4, "limit: token is missing, as in \"USDC\", or \"*\" for every other token"),
        (
            limit("token = \"A\""),
            4,
            "limit: a limit needs at least one of per_payment, per_day, percent_of_balance and while_cooling",
        ),
        (limit("token = \"A\"\nper_day = 5000"), 6, "per_day: write an amount in quotation marks, as in \"1234.56\""),
        (limit("token = \"A\"\nper_day = \"1,5\""), 6, "per_day: "),
        (limit("token = \"A\"\npercent_of_balance = 101"), 6, "percent_of_balance: write a whole number from 1 to 100"),
        (limit("token = \"A\"\nper_day = \"1\"\nbeyond = \"warn\""), 7, "beyond: write \"stop\" or \"danger\""),
        (
            limit("token = \"*\"\nper_day = \"1\""),
            4,
            "limit: an amount cannot apply to every token; give \"*\" only a percent_of_balance",
        ),
        (
            limit("token = \"A\"\nper_payment = \"2\"\nper_day = \"1\""),
            4,
            "limit: per_payment is more than per_day, so it could never be reached; write the smaller amount as per_payment",
        ),
        (
            limit("token = \"A\"\nwhile_cooling = \"1\""),
            4,
            "limit: while_cooling applies only with allow_list = true and cooling, as in cooling = \"48h\"",
        ),
        (
            limit("token = \"A\"\nchain = \"etherium\"\nper_day = \"1\""),
            6,
            "chain: “etherium” is not a known chain; write one of ethereum, base, bsc, ",
        ),
        (
            limit("token = \"A\"\nchain = \"eth\"\nper_day = \"1\"")
                + &limit("token = \"a\"\nchain = \"Ethereum\"\nper_day = \"2\""),
            8,
            "limit: there are two limits for a on Ethereum; write them as one",
        ),
    ] {
        let (at, message) = parse_policy_text(&policy).unwrap_err();
        assert_eq!(at, line, "{policy}: {message}");
        assert!(message.starts_with(expected), "{policy}: {message}");
    }
}
