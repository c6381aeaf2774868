//! Faulty paging of lists.

use axum::body::Body;
use axum::extract::Request;
use axum::http::Uri;
use axum::response::Response;
use serde_json::Value;

use super::fault::Fault;
use super::forged_response;
use crate::service::http::middleware::RoutedService;
use crate::service::rng::Rng;

/// The rows of a list.
fn list_rows(answer: &mut Value) -> Option<&mut Vec<Value>> {
    answer.get_mut("data").and_then(Value::as_array_mut)
}

pub(super) fn hide_rows(answer: &mut Value, hidden: impl Fn(&Value) -> bool) {
    if let Some(rows) = list_rows(answer) {
        rows.retain(|row| !hidden(row));
    }
}

pub(super) fn reverse_rows(answer: &mut Value) {
    if let Some(rows) = list_rows(answer) {
        rows.reverse();
    }
}

/// Shuffles the rows by the seed alone.
pub(super) fn shuffle_rows(answer: &mut Value, seed: u64) {
    let Some(rows) = list_rows(answer) else { return };
    let mut rng = Rng::new(seed, rows.len() as u64);
    for last in (1..rows.len()).rev() {
        let other = usize::try_from(rng.below(last as u64 + 1)).unwrap_or(last);
        rows.swap(last, other);
    }
}

pub(super) fn repeat_first_row(answer: &mut Value) {
    if let Some(rows) = list_rows(answer)
        && let Some(first) = rows.first().cloned()
    {
        rows.insert(0, first);
    }
}

/// Fetches a wrong page; returns whether it differs from the requested one.
pub(super) async fn fetch_wrong_page(fault: Fault, request: Request, core: &RoutedService) -> (Response, bool) {
    let uri = request.uri().clone();
    let page = query_parameter(&uri, "pageNo").and_then(|page| page.parse::<u64>().ok()).unwrap_or(1);
    if fault == Fault::PagingIgnored {
        let plain = uri_of_page(&uri, None);
        let is_other = plain != uri;
        return (core.handle_with_request_id(with_uri(request, plain)).await, is_other);
    }
    if fault == Fault::EndlessList {
        let first = core.handle_with_request_id(with_uri(request, uri_of_page(&uri, Some(1)))).await;
        return forged_response::rewrite_json(first, |answer| forge_endless_page(answer, page)).await;
    }
    if page < 2 {
        return (core.handle_with_request_id(request).await, false);
    }
    // Only lists have pages, and a read has no body that a second request would lose.
    let mut before = Request::new(Body::empty());
    *before.headers_mut() = request.headers().clone();
    let before = with_uri(before, uri_of_page(&uri, Some(page - 1)));
    let previous = forged_response::read_whole_body(core.handle_with_request_id(before).await.into_body()).await;
    let last = serde_json::from_slice::<Value>(&previous).ok();
    let last = last.and_then(|mut page| list_rows(&mut page).and_then(Vec::pop));
    let response = core.handle_with_request_id(request).await;
    forged_response::rewrite_json(response, |answer| {
        let (Some(rows), Some(last)) = (list_rows(answer), last) else { return false };
        rows.pop();
        rows.insert(0, last);
        true
    })
    .await
}

/// A page as if the hidden rows did not exist, and whether one of them was on it. Hidden rows are the newest ones, so
/// pages behind the requested one are not searched.
pub(super) async fn fetch_page_without_hidden_rows(
    request: Request,
    core: &RoutedService,
    hidden: impl Fn(&Value) -> bool,
) -> (Response, bool) {
    let (uri, headers) = (request.uri().clone(), request.headers().clone());
    let page = query_parameter(&uri, "pageNo").and_then(|page| page.parse::<u64>().ok()).unwrap_or(1).max(1);
    let read = async |page: u64| {
        let mut other = Request::new(Body::empty());
        other.headers_mut().clone_from(&headers);
        let answered = core.handle_with_request_id(with_uri(other, uri_of_page(&uri, Some(page)))).await;
        let mut answer = serde_json::from_slice::<Value>(&forged_response::read_whole_body(answered.into_body()).await)
            .unwrap_or_default();
        list_rows(&mut answer).map(std::mem::take).unwrap_or_default()
    };
    let (parts, body) = core.handle_with_request_id(request).await.into_parts();
    let bytes = forged_response::read_whole_body(body).await;
    let answer = serde_json::from_slice::<Value>(&bytes).unwrap_or_default();
    let response = Response::from_parts(parts, Body::from(bytes));
    let number = |name: &str| answer.get(name).and_then(Value::as_u64);
    let Some((limit, total)) = number("pageLimit").zip(number("totalPage")) else { return (response, false) };
    let size = usize::try_from(limit).unwrap_or(usize::MAX);
    let before = usize::try_from(page - 1).unwrap_or(usize::MAX).saturating_mul(size);
    let (mut visible_rows, mut all) = (Vec::new(), 0);
    // Rows of later pages fill the gaps.
    for nth in 1..=total {
        let rows = read(nth).await;
        all += rows.len();
        visible_rows.extend(rows.into_iter().filter(|row| !hidden(row)));
        if visible_rows.len() >= before.saturating_add(size) {
            break;
        }
    }
    let left_out = all.saturating_sub(visible_rows.len()) as u64;
    if left_out == 0 {
        return (response, false);
    }
    let last = read(total).await.len() as u64;
    let count = total.saturating_sub(1).saturating_mul(limit).saturating_add(last).saturating_sub(left_out);
    let mut of_this = false;
    let (response, _) = forged_response::rewrite_json(response, |answer| {
        let Some(page_rows) = list_rows(answer) else { return false };
        of_this = page_rows.iter().any(&hidden);
        *page_rows = visible_rows.into_iter().skip(before).take(size).collect();
        answer["totalPage"] = count.div_ceil(limit.max(1)).max(1).into();
        true
    })
    .await;
    (response, of_this)
}

/// Turns the first page into page `page` of an endless list. Returns whether it is a page with rows.
fn forge_endless_page(answer: &mut Value, page: u64) -> bool {
    let Some(page_rows) = list_rows(answer).filter(|rows| !rows.is_empty()) else { return false };
    // The first page stays as it is, so that a client recognises its rows.
    for row in page_rows.iter_mut().filter(|_| page > 1) {
        if let Some(id) = row.get("id").and_then(Value::as_str) {
            row["id"] = format!("{}{page:012x}", id.get(..24).unwrap_or(id)).into();
        }
    }
    let is_list = answer.get("totalPage").is_some();
    if is_list {
        answer["pageNo"] = page.into();
        answer["totalPage"] = page.saturating_add(1).into();
    }
    is_list
}

fn with_uri(mut request: Request, uri: Uri) -> Request {
    *request.uri_mut() = uri;
    request
}

fn query_parameter<'a>(uri: &'a Uri, name: &str) -> Option<&'a str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// The same request for another page, or without paging parameters.
fn uri_of_page(uri: &Uri, page: Option<u64>) -> Uri {
    let paging = |pair: &&str| !(pair.starts_with("pageNo=") || page.is_none() && pair.starts_with("pageLimit="));
    let kept_pairs = uri.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty()).filter(paging);
    let mut pairs: Vec<String> = kept_pairs.map(str::to_owned).collect();
    pairs.extend(page.map(|page| format!("pageNo={page}")));
    let query = if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) };
    format!("{}{query}", uri.path()).parse().unwrap_or_else(|_| uri.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn another_page_of_the_same_question_is_asked_for() {
        let uri: Uri = "/v2/transactions?txType=outgoing&pageNo=3&pageLimit=7".parse().unwrap();
        assert_eq!(uri_of_page(&uri, Some(2)), "/v2/transactions?txType=outgoing&pageLimit=7&pageNo=2");
        assert_eq!(uri_of_page(&uri, None), "/v2/transactions?txType=outgoing");
        assert_eq!(uri_of_page(&"/v2/users?pageNo=2".parse().unwrap(), None), "/v2/users");
        assert_eq!(query_parameter(&uri, "pageNo"), Some("3"));
        assert_eq!(query_parameter(&uri, "page"), None);
    }

    #[test]
    fn a_shuffled_page_holds_the_same_rows_in_another_order() {
        let page = json!({ "success": true, "data": (0..20).collect::<Vec<_>>() });
        let (mut one, mut other) = (page.clone(), page.clone());
        shuffle_rows(&mut one, 1);
        shuffle_rows(&mut other, 2);
        assert_ne!(one, page);
        assert_ne!(one, other);
        let mut sorted = one["data"].as_array().unwrap().clone();
        sorted.sort_by_key(Value::as_i64);
        assert_eq!(&sorted, page["data"].as_array().unwrap());
    }
}
