//! Fault rules: the requests that a fault applies to, and how often.

use std::borrow::Cow;
use std::time::Duration;

use super::fault::Fault;

/// A fault and the requests that it applies to.
///
/// A request gets the first matching rule that is not used up: `[a.times(1), b.times(1)]` is `a` for the first request,
/// `b` for the second, and a working service for the third.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultRule {
    pub(super) fault: Fault,
    path_prefix: Cow<'static, str>,
    /// A substring of the query.
    query_part: Cow<'static, str>,
    request_kind: RequestKind,
    pub(super) times: Option<u64>,
    pub(super) every_nth: u64,
    pub(super) lasting: Option<Duration>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestKind {
    All,
    Changes,
    Reads,
}

impl Fault {
    pub const fn always(self) -> FaultRule {
        FaultRule {
            fault: self,
            path_prefix: Cow::Borrowed(""),
            query_part: Cow::Borrowed(""),
            request_kind: RequestKind::All,
            times: None,
            every_nth: 1,
            lasting: None,
        }
    }

    /// Applies the fault to requests whose path starts with `paths`.
    pub fn on_paths(self, paths: impl Into<Cow<'static, str>>) -> FaultRule {
        FaultRule { path_prefix: paths.into(), ..self.always() }
    }

    /// Applies the fault to `POST` and `PATCH`.
    pub const fn on_changes(self) -> FaultRule {
        FaultRule {
            fault: self,
            path_prefix: Cow::Borrowed(""),
            query_part: Cow::Borrowed(""),
            request_kind: RequestKind::Changes,
            times: None,
            every_nth: 1,
            lasting: None,
        }
    }

    /// Applies the fault to reads.
    pub const fn on_reads(self) -> FaultRule {
        FaultRule {
            fault: self,
            path_prefix: Cow::Borrowed(""),
            query_part: Cow::Borrowed(""),
            request_kind: RequestKind::Reads,
            times: None,
            every_nth: 1,
            lasting: None,
        }
    }
}

impl FaultRule {
    /// Only `POST` and `PATCH`.
    #[must_use]
    pub fn only_changes(self) -> Self {
        Self { request_kind: RequestKind::Changes, ..self }
    }

    /// Only reads.
    #[must_use]
    pub fn only_reads(self) -> Self {
        Self { request_kind: RequestKind::Reads, ..self }
    }

    /// Only requests whose query contains this, such as `txType=incoming`.
    #[must_use]
    pub fn only_query_containing(self, query: impl Into<Cow<'static, str>>) -> Self {
        Self { query_part: query.into(), ..self }
    }

    /// At most this many times.
    #[must_use]
    pub const fn times(mut self, times: u64) -> Self {
        self.times = Some(times);
        self
    }

    /// Only every `many`-th matching request.
    #[must_use]
    pub const fn every_nth(mut self, many: u64) -> Self {
        self.every_nth = if many == 0 { 1 } else { many };
        self
    }

    /// For this long on the service's clock, from when the rule is set.
    #[must_use]
    pub const fn lasting(mut self, time: Duration) -> Self {
        self.lasting = Some(time);
        self
    }

    pub fn fault(&self) -> Fault {
        self.fault
    }

    /// Whether the rule applies to a request.
    pub(super) fn applies_to(&self, path: &str, query: &str, is_change: bool) -> bool {
        let which = match self.request_kind {
            RequestKind::All => true,
            RequestKind::Changes => is_change,
            RequestKind::Reads => !is_change,
        };
        let is_asked = path.starts_with(&*self.path_prefix) && query.contains(&*self.query_part);
        which && is_asked && self.fault.can_affect(path, is_change)
    }
}

impl Fault {
    /// Whether the fault can affect such a request at all.
    fn can_affect(self, path: &str, is_change: bool) -> bool {
        match self {
            Self::RowsHidden
            | Self::HistoryLags
            | Self::RowsReportOtherPayment(_)
            | Self::RowsSplit { .. }
            | Self::StatusReplaced { .. } => path == "/v2/transactions" && !is_change,
            Self::StaleAnswer { .. } | Self::WrongEcho(_) => is_change,
            Self::RowsDamaged(_)
            | Self::PagingIgnored
            | Self::RowsReversed
            | Self::RowsShuffled
            | Self::PagesOverlap
            | Self::FirstRowRepeated => !is_change,
            Self::QuoteTooLow(_) | Self::QuoteForOtherCoin => path == QUOTE_PATH,
            Self::SwapPaysLess(_) => path != QUOTE_PATH,
            Self::SwapReportedDone => is_change && path.contains("swap") && path != QUOTE_PATH,
            _ => true,
        }
    }
}

const QUOTE_PATH: &str = "/v1/instant-swap/quote";
