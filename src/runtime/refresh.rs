//! Updates the cache from the service, once: for commands without a screen.

use std::time::Duration;

use super::reads::{self, FetchState};
use super::resources::ConsoleResources;
use crate::app::data::poll::USERS_PER_READ;
use crate::app::data::prices::{PriceSettings, Prices};
use crate::app::{Dataset, Snapshot};
use crate::domain::history::{Scope, SyncProgress};
use crate::domain::{Failure, FailureReason, Text};

/// What to read besides the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefreshPlan {
    /// Whether to read the lists that the specification does not document.
    pub lists: bool,
    pub v1: bool,
    /// The most users whose balances are read, starting with the oldest balances.
    pub users: u64,
    /// The token in which the listed tokens are quoted, so that their prices are recorded; `None` for no quotes.
    pub valuation: Option<Text>,
}

/// The most tokens that are quoted, those held first.
const MAX_QUOTED_TOKENS: usize = 48;
/// Quotes are requested again with larger amounts where one token is worth too little.
const MAX_QUOTE_ROUNDS: u32 = 4;

/// Attempts while a service is busy or unreachable for a moment.
const MAX_ATTEMPTS: u32 = 4;
/// The first pause between them; each further one is twice as long.
const FIRST_RETRY_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause, whatever the service requests: a person waits for the command.
const LONGEST_RETRY_PAUSE: Duration = Duration::from_secs(30);

/// Reads the newest rows of the history, the rest of its backfill, the tokens, and whatever else `plan` names.
/// `on_progress` is called with the progress of the backfill.
///
/// # Errors
/// The first failure that persisted. Everything read before it is in the cache.
pub async fn refresh_cache(
    resources: &ConsoleResources,
    plan: RefreshPlan,
    on_progress: &mut (dyn FnMut(&SyncProgress) + Send),
) -> Result<(), Failure> {
    let fetch_state = FetchState::default();
    let mut progress = None;
    if let Snapshot::History { progress: history_progress, .. } =
        load_dataset_with_retries(resources, &fetch_state, &Dataset::Latest).await?
    {
        progress = Some(*history_progress);
    }
    while let Some(so_far) =
        progress.filter(|so_far| so_far.is_rescanning || !so_far.complete && so_far.partial.is_none())
    {
        on_progress(&so_far);
        let history_progress = load_dataset_with_retries(resources, &fetch_state, &Dataset::Backfill).await?;
        progress = if let Snapshot::History { progress, .. } = history_progress { Some(*progress) } else { None };
    }
    if plan.lists {
        let lists = Dataset::Lists { v1: plan.v1 };
        while let Snapshot::Lists { more: true, .. } =
            load_dataset_with_retries(resources, &fetch_state, &lists).await?
        {}
    }
    // Token names are optional where a service does not report them.
    match load_dataset_with_retries(resources, &fetch_state, &Dataset::Markets).await {
        Err(failure)
            if !(reads::is_failure_of_one_item(&failure)
                || matches!(failure.reason, FailureReason::NotFound | FailureReason::Forbidden)) =>
        {
            return Err(failure);
        }
        _ => {}
    }
    let user_count = reads::with_store(resources, |store| store.users(&Scope::All, "", 0, 1)).await?.count.number();
    let (mut history_progress, mut failed) = (0_u64, None);
    while history_progress < plan.users.min(user_count) {
        match load_dataset_with_retries(resources, &fetch_state, &Dataset::Balances(Scope::All)).await {
            Ok(Snapshot::Balances { users }) if users > 0 => history_progress = history_progress.saturating_add(users),
            Ok(_) => break,
            // A fault of one user does not stop the others; it is returned at the end.
            Err(failure) if reads::is_failure_of_one_item(&failure) => {
                failed = failed.or(Some(failure));
                history_progress = history_progress.saturating_add(u64::from(USERS_PER_READ));
            }
            Err(failure) => return Err(failure),
        }
    }
    if let Some(valuation) = plan.valuation {
        // Prices are optional: what has none is shown without a value.
        match fetch_and_record_prices(resources, &fetch_state, valuation).await {
            Err(failure) if failure.reason == FailureReason::KeyRejected => return Err(failure),
            _ => {}
        }
    }
    failed.map_or(Ok(()), Err)
}

/// Quotes the listed tokens and records their prices.
async fn fetch_and_record_prices(
    resources: &ConsoleResources,
    fetch_state: &FetchState,
    valuation: Text,
) -> Result<(), Failure> {
    let symbols = reads::with_store(resources, |store| {
        let tokens = store.tokens()?.map(|(tokens, _)| tokens).unwrap_or_default();
        let holdings = store.holdings(&Scope::All)?;
        let is_in_portfolio =
            |symbol: &Text| holdings.iter().any(|holding| !holding.suspicious && holding.symbol == *symbol);
        let (portfolio_symbols, others): (Vec<Text>, Vec<Text>) =
            tokens.into_iter().map(|token| token.symbol).partition(|symbol| is_in_portfolio(symbol));
        Ok(portfolio_symbols.into_iter().chain(others).take(MAX_QUOTED_TOKENS).collect::<Vec<_>>())
    })
    .await?;
    let mut prices = Prices::new(PriceSettings { valuation: Some(valuation), ..PriceSettings::default() });
    for _ in 0..MAX_QUOTE_ROUNDS {
        let requests = prices.missing_requests(&symbols);
        if requests.is_empty() {
            break;
        }
        if let Snapshot::Quotes(quotes) =
            load_dataset_with_retries(resources, fetch_state, &Dataset::Quotes(requests)).await?
        {
            prices.apply_quotes(quotes, resources.clock.now());
        }
    }
    let now = resources.clock.now();
    reads::with_store(resources, move |store| store.record_prices(&prices.price_list(), now)).await
}

async fn load_dataset_with_retries(
    resources: &ConsoleResources,
    fetch_state: &FetchState,
    dataset: &Dataset,
) -> Result<Snapshot, Failure> {
    // No order is looked up here.
    let mut keyed = Vec::new();
    let mut pause = FIRST_RETRY_PAUSE;
    for _ in 1..MAX_ATTEMPTS {
        let failure = match reads::load_dataset(resources, fetch_state, dataset, &mut keyed).await {
            Ok(snapshot) => return Ok(snapshot),
            Err(failure) => failure,
        };
        let retry_after = match failure.reason {
            FailureReason::Busy { retry_after, .. } => retry_after,
            FailureReason::TimedOut | FailureReason::ConnectionLost => None,
            FailureReason::Unreachable
            | FailureReason::KeyRejected
            | FailureReason::Forbidden
            | FailureReason::NotFound
            | FailureReason::Refused { .. }
            | FailureReason::Redirected
            | FailureReason::TooLarge
            | FailureReason::NotUnderstood
            | FailureReason::Local => return Err(failure),
        };
        // A wait longer than anyone would sit through is reported instead.
        if retry_after.is_some_and(|retry_after| retry_after > LONGEST_RETRY_PAUSE) {
            return Err(failure);
        }
        tokio::time::sleep(retry_after.unwrap_or(pause)).await;
        pause = pause.saturating_mul(2).min(LONGEST_RETRY_PAUSE);
    }
    reads::load_dataset(resources, fetch_state, dataset, &mut keyed).await
}
