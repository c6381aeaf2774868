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
use crate::service::http::error_response::{ErrorResponse, json_response};
use crate::service::http::middleware::RoutedService;

impl Faults {
    /// Answers a request through the matching fault rule, if there is one.
    pub(in crate::service::http) async fn apply(&self, request: Request, core: &RoutedService) -> Response {
        let plan = self.plan();
        if plan.is_empty() {
            return core.handle_with_request_id(request).await;
        }
        let path = request.uri().path().to_owned();
        let query = request.uri().query().unwrap_or_default().to_owned();
        let is_change = matches!(*request.method(), Method::POST | Method::PATCH);
        let request = if is_change { record_idempotency_key(&plan, request).await } else { request };
        let passage = FaultContext { faults: self, plan: &plan, core, path: &path, is_change };
        match plan.match_rule(&path, &query, is_change, self.now()) {
            // Boxed, since it is large and rarely needed.
            Some(rule) => Box::pin(passage.answer_with_fault(rule, request)).await,
            None => passage.execute_and_record(request).await,
        }
    }
}

/// Records a change's idempotency key, and restores the body.
async fn record_idempotency_key(plan: &FaultPlan, request: Request) -> Request {
    let (parts, body) = request.into_parts();
    // A body beyond the limit is rejected later; one byte above the limit is enough for that.
    let bytes = to_bytes(body, LARGEST_BODY + 1).await.unwrap_or_else(|_| Bytes::from(vec![b' '; LARGEST_BODY + 1]));
    plan.record_key_and_recipients(&bytes);
    Request::from_parts(parts, Body::from(bytes))
}

struct FaultContext<'a> {
    faults: &'a Faults,
    plan: &'a FaultPlan,
    core: &'a RoutedService,
    path: &'a str,
    is_change: bool,
}

impl FaultContext<'_> {
    /// The service's own response; responses to changes are recorded.
    async fn execute_and_record(&self, request: Request) -> Response {
        let response = self.core.handle_with_request_id(request).await;
        if !self.is_change || !response.status().is_success() {
            return response;
        }
        let (parts, body) = response.into_parts();
        let bytes = forged_response::read_whole_body(body).await;
        self.plan.record_answer(self.path, bytes.clone());
        Response::from_parts(parts, Body::from(bytes))
    }

    /// Executes the request without returning its response.
    async fn execute_and_discard_response(&self, executed: bool, request: Request) {
        if executed {
            let _kept_back = self.execute_and_record(request).await;
        }
    }

    async fn answer_with_fault(&self, rule: MatchedRule<'_>, request: Request) -> Response {
        let now = self.faults.now();
        let refuse = |refused: ErrorResponse| refused.to_response(self.path, now);
        match rule.fault {
            Fault::None | Fault::Down => self.execute_and_record(request).await,
            Fault::ConnectionCut => {
                self.execute_and_discard_response(true, request).await;
                forged_response::unanswered_response()
            }
            Fault::NoAnswer { executed } => {
                self.execute_and_discard_response(executed, request).await;
                self.faults.wait_for_stop().await;
                forged_response::unanswered_response()
            }
            Fault::Status { status, body: fault_body, executed } => {
                self.execute_and_discard_response(executed, request).await;
                forged_response::status_response(status, fault_body, self.path, now)
            }
            Fault::KeyRejected => refuse(ErrorResponse::unauthorized("the API key is not known")),
            Fault::Forbidden => refuse(ErrorResponse::forbidden("the API key lacks the permission")),
            Fault::Busy { retry_after } => refuse(busy_response(StatusCode::SERVICE_UNAVAILABLE, retry_after)),
            Fault::RateLimited { retry_after } => refuse(busy_response(StatusCode::TOO_MANY_REQUESTS, retry_after)),
            Fault::RateLimitedUntil { retry_after } => {
                let mut response = refuse(busy_response(StatusCode::TOO_MANY_REQUESTS, retry_after));
                forged_response::set_retry_after_date(&mut response, now, retry_after);
                response
            }
            Fault::Redirect { status, to, executed } => {
                let uri = request.uri().clone();
                self.execute_and_discard_response(executed, request).await;
                forged_response::redirect_response(status, to, &uri)
            }
            Fault::Delayed(delay) => {
                let response = self.execute_and_record(request).await;
                tokio::time::sleep(delay).await;
                response
            }
            Fault::Truncated => {
                forged_response::truncate_response(self.execute_and_record(request).await, None).await.0
            }
            Fault::CutAt(bytes) => {
                let cut = forged_response::truncate_response(self.execute_and_record(request).await, Some(bytes)).await;
                undo_count_if_unchanged(rule, cut)
            }
            Fault::SlowBody(pause) => {
                forged_response::slow_response(self.execute_and_record(request).await, pause).await
            }
            Fault::Html => forged_response::html_page_response(),
            Fault::HugeBody => forged_response::huge_response(),
            Fault::CompressionBomb => forged_response::compression_bomb_response(),
            Fault::DeepNesting => forged_response::deeply_nested_response(),
            Fault::StaleAnswer { executed } => {
                let Some(old) = self.plan.previous_answer(self.path) else {
                    rule.undo_count();
                    return self.execute_and_record(request).await;
                };
                let status = if *request.method() == Method::POST { StatusCode::CREATED } else { StatusCode::OK };
                self.execute_and_discard_response(executed, request).await;
                json_response(status, old.to_vec())
            }
            Fault::Mutated(seed) => {
                let response = self.execute_and_record(request).await;
                undo_count_if_unchanged(
                    rule,
                    forged_response::rewrite_json_as_text(response, |answer| mutation::mutate_one_value(answer, seed))
                        .await,
                )
            }
            Fault::PagingIgnored | Fault::PagesOverlap | Fault::EndlessList => {
                let wrong_page = faulty_pages::fetch_wrong_page(rule.fault, request, self.core).await;
                undo_count_if_unchanged(rule, wrong_page)
            }
            Fault::HistoryLags => {
                let page = faulty_pages::fetch_page_without_hidden_rows(request, self.core, |row| {
                    self.plan.is_row_of_recorded_request(row)
                })
                .await;
                undo_count_if_unchanged(rule, page)
            }
            fault => {
                let before = rule.fired_before;
                let response = self.execute_and_record(request).await;
                let changed =
                    forged_response::rewrite_json(response, |answer| self.alter_response_json(fault, before, answer))
                        .await;
                undo_count_if_unchanged(rule, changed)
            }
        }
    }

    /// Alters a response's JSON. Returns whether it changed.
    fn alter_response_json(&self, fault: Fault, before: u64, answer: &mut Value) -> bool {
        let original = answer.clone();
        match fault {
            Fault::WrongTypes => mutation::mistype_values(answer),
            Fault::EscapeSequences => mutation::insert_terminal_controls(answer),
            Fault::UnknownNetwork => mutation::rename_network(answer),
            Fault::AmountFormsDiffer => mutation::change_formatted_amounts(answer),
            Fault::WrongEcho(part) => mutation::change_echoed_field(answer, part),
            Fault::FailedYetConfirmed => mutation::set_outgoing_status(answer, "failed", true),
            Fault::StatusReplaced { status, confirmed } => mutation::set_outgoing_status(answer, status, confirmed),
            Fault::RowsReportOtherPayment(part) => {
                mutation::change_field_of_matching_rows(answer, part, |row| self.plan.is_row_of_recorded_request(row));
            }
            Fault::RowsHidden => faulty_pages::hide_rows(answer, |row| self.plan.is_row_of_recorded_request(row)),
            Fault::RowsSplit { failed } => {
                batch_rows::split_batches_by_recipient(answer, failed, |row| self.plan.batch_recipients(row));
            }
            Fault::RowsDamaged(how) => mutation::damage_rows(answer, how),
            Fault::RowsReversed => faulty_pages::reverse_rows(answer),
            Fault::RowsShuffled => faulty_pages::shuffle_rows(answer, before),
            Fault::FirstRowRepeated => faulty_pages::repeat_first_row(answer),
            Fault::QuoteTooLow(by) | Fault::SwapPaysLess(by) => swaps::lower_swap_amounts(answer, by),
            Fault::SwapReportedDone => swaps::mark_swap_done(answer),
            Fault::QuoteForOtherCoin => swaps::replace_quoted_coin(answer),
            _ => {}
        }
        *answer != original
    }
}

fn busy_response(status: StatusCode, retry_after: Duration) -> ErrorResponse {
    ErrorResponse {
        retry_after: Some(retry_after),
        ..ErrorResponse::with_message(status, "the service is busy, ask again later")
    }
}

/// Undoes the rule's count if the response did not change.
fn undo_count_if_unchanged(rule: MatchedRule<'_>, (response, changed): (Response, bool)) -> Response {
    if !changed {
        rule.undo_count();
    }
    response
}
