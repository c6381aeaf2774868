//! Applies the fault rules to requests.

use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::Value;

use super::fault::Fault;
use super::fault_plan::{FaultPlan, Faults, MatchedRule};
use super::{batch_rows, faulty_pages, forged_response, mutation, swaps};
use crate::service::http::LARGEST_BODY;
use crate::service::http::error_response::{ErrorResponse, json};
use crate::service::http::middleware::RoutedService;

impl Faults {
    /// Answers a request through the matching fault rule, if there is one.
    pub(in crate::service::http) async fn apply(&self, request: Request, core: &RoutedService) -> Response {
        let plan = self.plan();
        if plan.is_empty() {
            return core.handle(request).await;
        }
        let path = request.uri().path().to_owned();
        let query = request.uri().query().unwrap_or_default().to_owned();
        let is_change = matches!(*request.method(), Method::POST | Method::PATCH);
        let request = if is_change { noted(&plan, request).await } else { request };
        let passage = FaultedRequest { faults: self, plan: &plan, core, path: &path, is_change };
        match plan.match_rule(&path, &query, is_change, self.now()) {
            // Boxed, since it is large and rarely needed.
            Some(met) => Box::pin(passage.through(met, request)).await,
            None => passage.run(request).await,
        }
    }
}

/// Records a change's idempotency key, and restores the body.
async fn noted(plan: &FaultPlan, request: Request) -> Request {
    let (parts, body) = request.into_parts();
    // A body beyond the limit is rejected later; one byte above the limit is enough for that.
    let bytes = to_bytes(body, LARGEST_BODY + 1).await.unwrap_or_else(|_| Bytes::from(vec![b' '; LARGEST_BODY + 1]));
    plan.note_key(&bytes);
    Request::from_parts(parts, Body::from(bytes))
}

struct FaultedRequest<'a> {
    faults: &'a Faults,
    plan: &'a FaultPlan,
    core: &'a RoutedService,
    path: &'a str,
    is_change: bool,
}

impl FaultedRequest<'_> {
    /// The service's own response; responses to changes are recorded.
    async fn run(&self, request: Request) -> Response {
        let response = self.core.handle(request).await;
        if !self.is_change || !response.status().is_success() {
            return response;
        }
        let (parts, body) = response.into_parts();
        let bytes = forged_response::whole(body).await;
        self.plan.note_answer(self.path, bytes.clone());
        Response::from_parts(parts, Body::from(bytes))
    }

    /// Executes the request without returning its response.
    async fn executed(&self, executed: bool, request: Request) {
        if executed {
            let _kept_back = self.run(request).await;
        }
    }

    async fn through(&self, met: MatchedRule<'_>, request: Request) -> Response {
        let now = self.faults.now();
        let refuse = |refused: ErrorResponse| refused.to_response(self.path, now);
        match met.fault {
            Fault::None | Fault::Down => self.run(request).await,
            Fault::ConnectionCut => {
                self.executed(true, request).await;
                forged_response::cut_off()
            }
            Fault::NoAnswer { executed } => {
                self.executed(executed, request).await;
                self.faults.stopped().await;
                forged_response::cut_off()
            }
            Fault::Status { status, told, executed } => {
                self.executed(executed, request).await;
                forged_response::status(status, told, self.path, now)
            }
            Fault::KeyRejected => refuse(ErrorResponse::unauthorized("the API key is not known")),
            Fault::Forbidden => refuse(ErrorResponse::forbidden("the API key lacks the permission")),
            Fault::Busy { retry_after } => refuse(busy(StatusCode::SERVICE_UNAVAILABLE, retry_after)),
            Fault::RateLimited { retry_after } => refuse(busy(StatusCode::TOO_MANY_REQUESTS, retry_after)),
            Fault::RateLimitedUntil { retry_after } => {
                let mut response = refuse(busy(StatusCode::TOO_MANY_REQUESTS, retry_after));
                forged_response::name_the_moment(&mut response, now, retry_after);
                response
            }
            Fault::Redirect { status, to, executed } => {
                let uri = request.uri().clone();
                self.executed(executed, request).await;
                forged_response::redirect(status, to, &uri)
            }
            Fault::Delayed(delay) => {
                let response = self.run(request).await;
                tokio::time::sleep(delay).await;
                response
            }
            Fault::Truncated => forged_response::cut_after(self.run(request).await, None).await.0,
            Fault::CutAt(bytes) => {
                let cut = forged_response::cut_after(self.run(request).await, Some(bytes)).await;
                counted(met, cut)
            }
            Fault::SlowBody(pause) => forged_response::drip(self.run(request).await, pause).await,
            Fault::Html => forged_response::page(),
            Fault::HugeBody => forged_response::huge(),
            Fault::CompressionBomb => forged_response::bomb(),
            Fault::DeepNesting => forged_response::deep(),
            Fault::StaleAnswer { executed } => {
                let Some(old) = self.plan.previous_answer(self.path) else {
                    met.undo_count();
                    return self.run(request).await;
                };
                let status = if *request.method() == Method::POST { StatusCode::CREATED } else { StatusCode::OK };
                self.executed(executed, request).await;
                json(status, old.to_vec())
            }
            Fault::Mutated(seed) => {
                let response = self.run(request).await;
                counted(met, forged_response::retold(response, |answer| mutation::mutate(answer, seed)).await)
            }
            Fault::PagingIgnored | Fault::PagesOverlap | Fault::EndlessList => {
                let moved = faulty_pages::fetch_wrong_page(met.fault, request, self.core).await;
                counted(met, moved)
            }
            Fault::HistoryLags => {
                let page = faulty_pages::page_without_rows(request, self.core, |row| self.plan.is_noted_row(row)).await;
                counted(met, page)
            }
            fault => {
                let before = met.before;
                let response = self.run(request).await;
                let changed = forged_response::rewritten(response, |answer| self.spoilt(fault, before, answer)).await;
                counted(met, changed)
            }
        }
    }

    /// Alters a response's JSON. Returns whether it changed.
    fn spoilt(&self, fault: Fault, before: u64, answer: &mut Value) -> bool {
        let same = answer.clone();
        match fault {
            Fault::WrongTypes => mutation::mistype(answer),
            Fault::EscapeSequences => mutation::deface(answer),
            Fault::NetworkUnheardOf => mutation::rename_network(answer),
            Fault::AmountsDisputed => mutation::dispute(answer),
            Fault::WrongEcho(part) => mutation::echo(answer, part),
            Fault::FailedYetConfirmed => mutation::call(answer, "failed", true),
            Fault::StatusReplaced { status, confirmed } => mutation::call(answer, status, confirmed),
            Fault::RowsTell(part) => mutation::rows_tell(answer, part, |row| self.plan.is_noted_row(row)),
            Fault::RowsHidden => faulty_pages::hide(answer, |row| self.plan.is_noted_row(row)),
            Fault::RowsSplit { failed } => batch_rows::rows(answer, failed, |row| self.plan.recipients(row)),
            Fault::RowsDamaged(how) => mutation::rows(answer, how),
            Fault::RowsReversed => faulty_pages::reverse(answer),
            Fault::RowsShuffled => faulty_pages::shuffle(answer, before),
            Fault::FirstRowRepeated => faulty_pages::repeat(answer),
            Fault::QuoteTooLow(by) | Fault::SwapPaysLess(by) => swaps::lower_swap_amounts(answer, by),
            Fault::SwapReportedDone => swaps::mark_swap_done(answer),
            Fault::QuoteForOtherCoin => swaps::other_coins(answer),
            _ => {}
        }
        *answer != same
    }
}

fn busy(status: StatusCode, retry_after: Duration) -> ErrorResponse {
    ErrorResponse {
        retry_after: Some(retry_after),
        ..ErrorResponse::with_message(status, "the service is busy, ask again later")
    }
}

/// Undoes the rule's count if the response did not change.
fn counted(met: MatchedRule<'_>, (response, changed): (Response, bool)) -> Response {
    if !changed {
        met.undo_count();
    }
    response
}
