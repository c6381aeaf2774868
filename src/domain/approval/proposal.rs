//! The proposal of a payment: a text file that its maker and its checkers sign.
//!
//! ```text
//! bursar-proposal 1
//! order: 6f0c…
//! record-hash: …
//! base-url: https://api.example.com
//! environment: mainnet
//! method: POST
//! path: /v2/transactions/withdraw
//! made: 2026-11-23T10:00:00.000Z
//! expires: 2026-11-24T10:00:00.000Z
//! rule: USDC above 10,000: 1 approval within 24 hours
//! policy-hash: …
//! maker: anna
//! body-sha256: …
//!
//! {"walletId":…}
//! ```
//!
//! The head stands in this order, `environment` only where the profile names one. The body is the request's, byte for
//! byte. A file is never edited: any other byte makes it another file, which nobody has signed.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::domain::text::{is_forbidden_in_text, quote_character};
use crate::domain::{Network, OrderId, Text, Timestamp};

/// Bytes of a proposal's file, at most.
pub const MAX_FILE: usize = 65_536;

const NAME: &str = "bursar-proposal ";
const VERSION: &str = "1";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    pub order: OrderId,
    /// Of the journal's record that drafted the order.
    pub record_hash: [u8; 32],
    pub base_url: Text,
    pub environment: Option<Network>,
    /// `POST` or `PATCH`.
    pub method: String,
    /// With the API version.
    pub path: String,
    pub made_at: Timestamp,
    pub expires: Timestamp,
    /// The rule that asks for approvals, for people.
    pub rule: Text,
    /// See [`ApprovalPolicy::hash`](super::ApprovalPolicy::hash).
    pub policy_hash: String,
    pub maker: Text,
    /// The request's body.
    pub body: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProposalFault {
    #[error("the file has {0} bytes; a proposal has at most {MAX_FILE}")]
    TooLarge(usize),
    #[error("the file is no text in UTF-8")]
    NotText,
    #[error("the file is no proposal: its first line is not “bursar-proposal 1”")]
    NotAProposal,
    #[error("the proposal has format {0}, which this version cannot read; update the program")]
    Version(Text),
    #[error("the proposal has no empty line between its head and its body")]
    NoBody,
    #[error("line {line} of the proposal contains {}, which does not belong there", quote_character(*.character))]
    Character { line: usize, character: char },
    #[error("line {line} of the proposal must be “{expected}: …”")]
    Field { line: usize, expected: &'static str },
    #[error("line {line} of the proposal does not belong there")]
    ExtraField { line: usize },
    #[error("the proposal's “{0}” cannot be read")]
    Value(&'static str),
    #[error("the proposal's body was changed: its SHA-256 is not the one in the head")]
    BodyHash,
    #[error("the proposal is not written as this program writes it")]
    NotCanonical,
}

impl Proposal {
    /// The file that is signed. [`Proposal::parse`] refuses it where a field contains a line break.
    pub fn to_file(&self) -> String {
        let environment = self.environment.map(|network| ("environment", network.to_string()));
        let first = [
            ("order", self.order.to_string()),
            ("record-hash", hex::encode(self.record_hash)),
            ("base-url", self.base_url.to_string()),
        ];
        let rest = [
            ("method", self.method.clone()),
            ("path", self.path.clone()),
            ("made", self.made_at.to_string()),
            ("expires", self.expires.to_string()),
            ("rule", self.rule.to_string()),
            ("policy-hash", self.policy_hash.clone()),
            ("maker", self.maker.to_string()),
            ("body-sha256", hex::encode(Sha256::digest(&self.body))),
        ];
        let mut file = format!("{NAME}{VERSION}\n");
        for (name, value) in first.into_iter().chain(environment).chain(rest) {
            let _never_fails = writeln!(file, "{name}: {value}");
        }
        file + "\n" + &self.body
    }

    pub fn parse_bytes(file: &[u8]) -> Result<Self, ProposalFault> {
        if file.len() > MAX_FILE {
            return Err(ProposalFault::TooLarge(file.len()));
        }
        Self::parse(std::str::from_utf8(file).map_err(|_| ProposalFault::NotText)?)
    }

    /// Accepts exactly what [`Proposal::to_file`] writes.
    pub fn parse(file: &str) -> Result<Self, ProposalFault> {
        if file.len() > MAX_FILE {
            return Err(ProposalFault::TooLarge(file.len()));
        }
        match file.lines().next().and_then(|line| line.strip_prefix(NAME)) {
            Some(VERSION) => {}
            Some(other) => return Err(ProposalFault::Version(other.into())),
            None => return Err(ProposalFault::NotAProposal),
        }
        let (head, body) = file.split_once("\n\n").ok_or(ProposalFault::NoBody)?;
        let proposal = HeadReader::new(head)?.read_proposal(body)?;
        if proposal.to_file() == file { Ok(proposal) } else { Err(ProposalFault::NotCanonical) }
    }
}

/// The lines of the head that are still to be read.
struct HeadReader<'a> {
    lines: std::iter::Peekable<std::str::Lines<'a>>,
    /// Of the next line, counted from 1.
    line: usize,
}

impl<'a> HeadReader<'a> {
    fn new(head: &'a str) -> Result<Self, ProposalFault> {
        for (index, line) in head.split('\n').enumerate() {
            if let Some(character) = line.chars().find(|character| is_forbidden_in_text(*character)) {
                return Err(ProposalFault::Character { line: index + 1, character });
            }
        }
        let mut lines = head.lines().peekable();
        lines.next();
        Ok(Self { lines, line: 2 })
    }

    fn read_proposal(mut self, body: &str) -> Result<Proposal, ProposalFault> {
        let proposal = Proposal {
            order: OrderId(self.value("order", |text| Uuid::try_parse(text).ok())?),
            record_hash: self.value("record-hash", read_hash)?,
            base_url: self.text("base-url")?,
            environment: if self.next_field_is("environment") {
                Some(self.value("environment", Network::named)?)
            } else {
                None
            },
            method: self.value("method", |text| is_method(text).then(|| text.to_owned()))?,
            path: self.value("path", |text| is_path(text).then(|| text.to_owned()))?,
            made_at: self.value("made", Timestamp::parse_iso)?,
            expires: self.value("expires", Timestamp::parse_iso)?,
            rule: self.text("rule")?,
            policy_hash: self.value("policy-hash", |text| read_hash(text).map(hex::encode))?,
            maker: self.text("maker")?,
            body: body.to_owned(),
        };
        let body_hash: [u8; 32] = self.value("body-sha256", read_hash)?;
        if self.lines.next().is_some() {
            return Err(ProposalFault::ExtraField { line: self.line });
        }
        if Sha256::digest(body)[..] == body_hash { Ok(proposal) } else { Err(ProposalFault::BodyHash) }
    }

    fn next_field_is(&mut self, name: &str) -> bool {
        self.lines.peek().and_then(|line| line.split_once(": ")).is_some_and(|(field, _)| field == name)
    }

    fn value<T>(&mut self, name: &'static str, read: impl FnOnce(&str) -> Option<T>) -> Result<T, ProposalFault> {
        let field_line = self.lines.next().and_then(|line| line.split_once(": ")).filter(|(field, _)| *field == name);
        let (_, value) = field_line.ok_or(ProposalFault::Field { line: self.line, expected: name })?;
        self.line += 1;
        read(value).ok_or(ProposalFault::Value(name))
    }

    fn text(&mut self, name: &'static str) -> Result<Text, ProposalFault> {
        self.value(name, |text| (!text.trim().is_empty()).then(|| text.into()))
    }
}

fn read_hash(text: &str) -> Option<[u8; 32]> {
    hex::decode(text).ok()?.try_into().ok()
}

fn is_method(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn is_path(text: &str) -> bool {
    text.starts_with('/') && text.bytes().all(|byte| byte.is_ascii_graphic())
}
