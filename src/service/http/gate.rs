//! When requests are let through, and for how long.

use std::time::Duration;

use axum::response::{IntoResponse, Response};
use tokio::time::timeout;

use super::refusal::Refused;
use crate::service::desk::{Desk, Phase};

/// How long a request may take, its body included. What it began in the ledger runs to its end all the same.
const LONGEST: Duration = Duration::from_secs(30);

/// Turns requests away while the sample business is made.
pub(super) fn ready(desk: &Desk) -> Result<(), Refused> {
    let phase = desk.phase.borrow().clone();
    match phase {
        Phase::Ready => Ok(()),
        Phase::Preparing { done, total } => {
            Err(Refused::busy(format!("making the sample: {done} of {total}"), Duration::from_secs(1)))
        }
        Phase::Failed(why) => Err(Refused::failed(&format!("the sample business could not be made: {why}"))),
    }
}

/// Gives up on a request that takes too long.
pub(super) async fn in_time(answer: impl Future<Output = Response>) -> Response {
    timeout(LONGEST, answer).await.unwrap_or_else(|_elapsed| {
        Refused::busy("the request took longer than 30 s; whether it was executed is not known", Duration::from_secs(1))
            .into_response()
    })
}
