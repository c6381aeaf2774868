//! Checks whether the service answers, its clock, and the assumptions about it.

use std::cmp::Ordering;
use std::time::Duration;

use super::{CheckResult, error_with_causes};
use crate::api::{ProbeResult, Reader, WireNames};
use crate::config::Profile;
use crate::domain::history::Page;
use crate::domain::{Direction, Failure, FailureReason, Redaction, Timestamp, Transaction};
use crate::runtime::Clock;
use crate::secrets::ApiKey;

/// A greater skew makes times misleading, also for the service's own time limits.
const MAX_TOLERABLE_SKEW: Duration = Duration::from_secs(30);

/// The precision of a comparison: `Date` has whole seconds, and the answer took its time.
const SKEW_PRECISION: Duration = Duration::from_secs(3);

/// Checks the service with reads only.
pub(super) fn check_service(
    profile: &Profile,
    api_key: ApiKey,
    redaction: Redaction,
) -> anyhow::Result<Vec<CheckResult>> {
    let connection = match profile.connection(api_key.into_secret(), redaction) {
        Ok(connection) => connection,
        Err(fault) => return Ok(vec![CheckResult::wrong("service", error_with_causes(&fault))]),
    };
    let reader = match Reader::new(connection) {
        Ok(reader) => reader,
        Err(fault) => return Ok(vec![CheckResult::wrong("service", error_with_causes(&fault))]),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(probe_service(profile, &reader, &Clock::System)))
}

async fn probe_service(profile: &Profile, reader: &Reader, clock: &Clock) -> Vec<CheckResult> {
    let (before, began) = (clock.now(), clock.instant());
    let ProbeResult { date, outcome: answer } = reader.probe().await;
    let took = clock.instant() - began;
    let mut findings = vec![match &answer {
        Ok(()) => CheckResult::ok("service", format!("answers in {} ms", took.as_millis())),
        Err(failure) => CheckResult::wrong("service", failure.to_string()),
    }];
    // Without an answer there is nothing to compare.
    if date.is_some() || answer.is_ok() {
        findings.push(check_clock_skew(date, before.plus(took / 2)));
        findings.extend(check_name_assumptions(profile, reader).await);
    }
    findings
}

/// The skew of the clocks; `now` is this machine's time when the answer was made.
fn check_clock_skew(date: Option<Timestamp>, now: Timestamp) -> CheckResult {
    let Some(date) = date else {
        return CheckResult::note("clock", "the service does not report its time, so this clock cannot be compared");
    };
    let (apart, relation) = match date.cmp(&now) {
        Ordering::Less => (date.age(now), "ahead of"),
        _ => (now.age(date), "behind"),
    };
    match apart {
        apart if apart <= SKEW_PRECISION => CheckResult::ok("clock", "agrees with the service's clock"),
        apart => {
            let message = format!("this clock is {} s {relation} the service's", apart.as_secs());
            if apart <= MAX_TOLERABLE_SKEW {
                CheckResult::note("clock", message)
            } else {
                CheckResult::wrong("clock", format!("{message}; correct it (timedatectl set-ntp true)"))
            }
        }
    }
}

/// Checks the assumptions about names that the specification leaves out.
async fn check_name_assumptions(profile: &Profile, reader: &Reader) -> Vec<CheckResult> {
    let WireNames {
        page_no,
        page_limit,
        stats_user_id,
        list_accounts,
        list_wallets,
        list_users,
        list_sub_wallets,
        filter_sub_wallet,
        filter_deposit,
        filter_transfer,
        filter_to_wallet,
        filter_hash,
        filter_from_address,
        filter_to_address,
        filter_chain,
        filter_coin,
        quote_from_coin,
        quote_from_amount,
        quote_to_coin,
        created_at,
        withdrawal_address,
        swap_key,
        swap_wallet,
        swap_blockchain,
        swap_from_coin,
        swap_from_amount,
        swap_to_coin,
        swap_ref_id,
        swap_note,
        instant_swap_wallet,
        instant_swap_from_coin,
        instant_swap_from_amount,
        instant_swap_to_coin,
        instant_swap_ext_id,
        wallet_secret_paths,
    } = profile.wire.clone();
    let mut findings = Vec::new();
    let history = fetch_two_pages(reader).await;
    let paging = match &history {
        Ok((first, second)) => check_paging(first, second),
        Err(failure) => Err(format!("cannot be checked: {failure}")),
    };
    findings.push(match paging {
        Ok(message) => CheckResult::ok("wire", format!("{page_no}, {page_limit}: {message}")),
        Err(message) => CheckResult::note("wire", format!("{page_no}, {page_limit}: {message}")),
    });
    let dated = history.as_ref().is_ok_and(|(first, _)| first.items.iter().any(|row| row.created_at.is_some()));
    let message = if dated { "sent with transactions" } else { "not seen; the time of confirmation is shown instead" };
    findings.push(CheckResult::ok("wire", format!("{created_at}: {message}")));
    // Only a change would show these, and the doctor changes nothing.
    if profile.preferences.probe_lists {
        let served = [
            (list_accounts, reader.fetch_accounts(1, 1).await.map(drop)),
            (list_wallets, reader.fetch_wallets(1, 1).await.map(drop)),
            (list_users, reader.fetch_users(1, 1).await.map(drop)),
        ];
        let sub_wallets =
            if profile.preferences.v1 { Some(reader.fetch_sub_wallets(1, 1).await.map(drop)) } else { None };
        for (path, outcome) in served.into_iter().chain(sub_wallets.map(|outcome| (list_sub_wallets, outcome))) {
            findings.push(match outcome {
                Ok(()) => CheckResult::ok("wire", format!("{path}: served as a list")),
                Err(failure) if is_route_missing(&failure) => CheckResult::ok(
                    "wire",
                    format!("{path}: the service has no such list; its entries come from the history"),
                ),
                Err(failure) => CheckResult::note("wire", format!("{path}: {failure}")),
            });
        }
    } else {
        let message = "the lists of accounts, wallets and users are not requested (probe_lists = false)";
        findings.push(CheckResult::note("wire", message));
    }
    let unseen = "assumed; no read request can confirm it";
    findings.push(CheckResult::note("wire", format!("{withdrawal_address}, the recipient of a withdrawal: {unseen}")));
    let swap = [
        swap_key,
        swap_wallet,
        swap_blockchain,
        swap_from_coin,
        swap_from_amount,
        swap_to_coin,
        swap_ref_id,
        swap_note,
    ];
    findings.push(CheckResult::note("wire", format!("{}, a swap by version 2: {unseen}", swap.join(", "))));
    let instant = [
        instant_swap_wallet,
        instant_swap_from_coin,
        instant_swap_from_amount,
        instant_swap_to_coin,
        instant_swap_ext_id,
    ];
    findings.push(CheckResult::note("wire", format!("{}, a swap by version 1: {unseen}", instant.join(", "))));
    let message = format!("x-wallet-secret is sent with changes under {wallet_secret_paths}: {unseen}");
    findings.push(CheckResult::note("wire", message));
    findings.push(CheckResult::note(
        "wire",
        format!("{stats_user_id}: assumed for the counts of one user; not shown here"),
    ));
    let filters = [
        filter_sub_wallet,
        filter_deposit,
        filter_transfer,
        filter_to_wallet,
        filter_hash,
        filter_from_address,
        filter_to_address,
        filter_chain,
        filter_coin,
    ];
    let message = "assumed to filter the lists of version 1; the console also leaves out rows that do not match";
    findings.push(CheckResult::note("wire", format!("{}: {message}", filters.join(", "))));
    let quote = [quote_from_coin, quote_from_amount, quote_to_coin].join(", ");
    findings.push(CheckResult::note(
        "wire",
        format!("{quote}: assumed for quotes; the console rejects a quote for other coins"),
    ));
    findings
}

/// The first two pages of the incoming list, two rows each.
async fn fetch_two_pages(reader: &Reader) -> Result<(Page<Transaction>, Page<Transaction>), Failure> {
    let first = reader.fetch_transactions(&Direction::Incoming, 1, 2).await?;
    let second = reader.fetch_transactions(&Direction::Incoming, 2, 2).await?;
    Ok((first, second))
}

/// Whether the service honours paging, as a message; an error states why not, or why it is unknown.
fn check_paging(first: &Page<Transaction>, second: &Page<Transaction>) -> Result<&'static str, String> {
    let repeats = second.items.iter().any(|row| first.items.iter().any(|earlier| earlier.id == row.id));
    if repeats {
        return Err("not honoured: the second page repeats the first; the history stays partial".into());
    }
    if first.items.len() > 2 {
        return Ok("the page number is honoured, the service sets the page size");
    }
    if second.items.is_empty() {
        return Err("cannot be checked: there are too few transactions".into());
    }
    Ok("honoured")
}

fn is_route_missing(failure: &Failure) -> bool {
    matches!(failure.reason, FailureReason::NotFound | FailureReason::Refused { status: 405 | 422 })
}

#[cfg(test)]
mod tests {
    use super::super::CheckStatus;
    use super::*;

    #[test]
    fn clocks_that_differ_are_told_by_how_much_and_which_way() {
        let now = Timestamp::from_millis(1_000_000_000);
        let skew_result = |millis: i64| check_clock_skew(Some(Timestamp::from_millis(1_000_000_000 + millis)), now);
        assert_eq!(skew_result(0).verdict, CheckStatus::Good);
        assert_eq!(skew_result(-2_900).verdict, CheckStatus::Good);
        assert_eq!(skew_result(10_000), CheckResult::note("clock", "this clock is 10 s behind the service's"));
        let late = skew_result(-90_000);
        assert_eq!(late.verdict, CheckStatus::Wrong);
        assert!(late.message.starts_with("this clock is 90 s ahead of the service's"), "{}", late.message);
        assert_eq!(check_clock_skew(None, now).verdict, CheckStatus::Note);
    }
}
