//! Reads query parameters and collects all problems for one response.

use axum::http::Uri;
use uuid::Uuid;

use super::error_response::ErrorResponse;
use super::fields::parse_id_or_nil;
use crate::service::ledger::Paging;

/// The parameters of one query. An empty parameter counts as absent.
pub(super) struct QueryParameters {
    pairs: Vec<(String, String)>,
    problems: Vec<String>,
    /// The most rows of a page.
    page_rows: u64,
}

impl QueryParameters {
    pub(super) fn from_uri(uri: &Uri, page_rows: u64) -> Self {
        let pairs = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(uri)
            .map(|axum::extract::Query(pairs)| pairs)
            .unwrap_or_default();
        let mut query = Self { pairs, problems: Vec::new(), page_rows };
        query.pairs.retain(|(_, value)| !value.is_empty());
        query
    }

    /// An optional parameter with one of `choices`.
    pub(super) fn optional_choice(&mut self, name: &str, choices: &[&str]) -> Option<String> {
        let word = self.text(name)?;
        if choices.contains(&word.as_str()) {
            return Some(word);
        }
        self.add_problem(format!("{name} must be {}", choices.join(" or ")));
        None
    }

    /// Records a problem; the sentence must name the parameter.
    pub(super) fn add_problem(&mut self, sentence: impl Into<String>) {
        self.problems.push(sentence.into());
    }

    /// An optional text. A repeated parameter is ambiguous, and a problem.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        let mut values = self.pairs.iter().filter(|(key, _)| key == name).map(|(_, value)| value);
        let first = values.next().cloned();
        if values.next().is_some() {
            self.add_problem(format!("{name} must be given once"));
        }
        first
    }

    /// A required text. Empty after a problem.
    pub(super) fn required_text(&mut self, name: &str) -> String {
        self.text(name).unwrap_or_else(|| {
            self.add_problem(format!("{name} is required"));
            String::new()
        })
    }

    /// An optional identifier, read by [`parse_id_or_nil`].
    pub(super) fn identifier(&mut self, name: &str) -> Option<Uuid> {
        self.text(name).as_deref().map(parse_id_or_nil)
    }

    /// A required identifier. Nil after a problem.
    pub(super) fn required_identifier(&mut self, name: &str) -> Uuid {
        parse_id_or_nil(&self.required_text(name))
    }

    /// `pageNo` and `pageLimit`.
    pub(super) fn paging(&mut self) -> Paging {
        Paging {
            page: self.positive_integer("pageNo").unwrap_or(1),
            limit: self.positive_integer("pageLimit").unwrap_or(Paging::USUAL).min(self.page_rows),
        }
    }

    /// An optional whole number from 1.
    fn positive_integer(&mut self, name: &str) -> Option<u64> {
        let text = self.text(name)?;
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        // A number beyond 64 bits is valid: a page that far out is merely empty.
        let number = digits.then(|| text.parse().unwrap_or(u64::MAX)).filter(|number| *number > 0);
        if number.is_none() {
            self.add_problem(format!("{name} must be a whole number from 1"));
        }
        number
    }

    /// 422 with all problems, if there are any.
    pub(super) fn require_no_problems(self) -> Result<(), ErrorResponse> {
        if self.problems.is_empty() { Ok(()) } else { Err(ErrorResponse::unprocessable(self.problems)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::http::error_response::Message;

    fn page(query: &str) -> Result<Paging, ErrorResponse> {
        let mut query = QueryParameters::from_uri(&format!("/v2/transactions{query}").parse().unwrap(), Paging::MOST);
        let page = query.paging();
        query.require_no_problems().map(|()| page)
    }

    #[test]
    fn a_page_holds_no_more_than_the_service_has_it_hold() {
        let mut query = QueryParameters::from_uri(&"/v2/transactions?pageLimit=100".parse().unwrap(), 40);
        assert_eq!(query.paging(), Paging { page: 1, limit: 40 });
    }

    #[test]
    fn a_page_is_counted_from_one_and_holds_a_hundred_rows_at_most() {
        assert_eq!(page(""), Ok(Paging { page: 1, limit: 20 }));
        assert_eq!(page("?pageNo=&pageLimit="), Ok(Paging { page: 1, limit: 20 }));
        assert_eq!(page("?pageNo=7&pageLimit=100"), Ok(Paging { page: 7, limit: 100 }));
        assert_eq!(page("?pageLimit=101"), Ok(Paging { page: 1, limit: 100 }));
        assert_eq!(page("?pageNo=99999999999999999999"), Ok(Paging { page: u64::MAX, limit: 20 }));
    }

    #[test]
    fn what_is_no_page_is_told_for_every_parameter() {
        let message = Message::Many(vec![
            "pageNo must be a whole number from 1".into(),
            "pageLimit must be a whole number from 1".into(),
        ]);
        for query in ["?pageNo=0&pageLimit=0", "?pageNo=-1&pageLimit=1.5", "?pageNo=x&pageLimit=%2B1"] {
            assert_eq!(page(query).unwrap_err().message, message, "{query}");
        }
        assert_eq!(
            page("?pageNo=1&pageNo=2").unwrap_err().message,
            Message::Many(vec!["pageNo must be given once".into()])
        );
    }
}
