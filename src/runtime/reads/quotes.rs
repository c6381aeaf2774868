//! Reads quotes, and the pairs that can be quoted.

use futures::stream::{self, StreamExt};

use crate::app::Snapshot;
use crate::app::data::prices::{QuoteRequest, QuoteResult};
use crate::domain::{Failure, FailureReason};
use crate::runtime::resources::ConsoleResources;

/// Quotes requested concurrently.
const MAX_CONCURRENT_QUOTES: usize = 2;

/// The pairs that the service swaps. A service without such a list may have prices all the same.
pub(super) async fn load_pairs(resources: &ConsoleResources) -> Result<Snapshot, Failure> {
    match resources.reader.fetch_swap_pairs().await {
        Ok(list) => Ok(Snapshot::Pairs { pairs: Some(list.rows), unreadable: list.unreadable }),
        Err(failure) if is_pricing_unserved(&failure) => Ok(Snapshot::Pairs { pairs: None, unreadable: 0 }),
        Err(failure) => Err(failure),
    }
}

/// Reads a few quotes. A refused one does not stop the others.
pub(super) async fn load_quotes(resources: &ConsoleResources, requests: &[QuoteRequest]) -> Result<Snapshot, Failure> {
    let reads: Vec<_> = requests
        .iter()
        .cloned()
        .map(|request| {
            let reader = resources.reader.clone();
            async move {
                let result = reader.fetch_swap_quote(&request.pair.from, request.amount(), &request.pair.to).await;
                QuoteResult { request, result }
            }
        })
        .collect();
    let mut reads = stream::iter(reads).buffered(MAX_CONCURRENT_QUOTES);
    let mut quotes = Vec::new();
    while let Some(quote) = reads.next().await {
        match &quote.result {
            Err(failure) if !is_pricing_unserved(failure) => return Err(failure.clone()),
            _ => quotes.push(quote),
        }
    }
    Ok(Snapshot::Quotes(quotes))
}

/// Whether a failure means only that there are no prices. A service without version 1 may answer its routes as if the
/// key were wrong; whether it is, is shown by the reads of version 2.
fn is_pricing_unserved(failure: &Failure) -> bool {
    matches!(
        failure.reason,
        FailureReason::Refused { .. }
            | FailureReason::NotFound
            | FailureReason::NotUnderstood
            | FailureReason::TooLarge
            | FailureReason::Redirected
            | FailureReason::KeyRejected
            | FailureReason::Forbidden
    )
}
