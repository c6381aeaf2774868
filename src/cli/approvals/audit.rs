//! `bursar approvals verify --all`: every signature of an exported journal, on a machine that has nothing but the file.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use anyhow::{Context as _, bail};

use super::audit_file::{AuditRow, DraftedBody, PolicyBody, SignedStatementBody, read_body};
use crate::cli::Exit;
use crate::cli::output::{print_line, print_table, wrap_words};
use crate::domain::approval::{
    ApprovalPolicy, PolicyRecord, Proposal, Requirement, SignedProposal, SignedStatement, Signers, StatementKind,
    StatementWithProposal, count_quorum, verify,
};
use crate::domain::{Network, OrderId, Text, Timestamp};
use crate::journal::Record;

const SHORT_ID_CHARS: usize = 8;
const NOTE_COLUMNS: usize = 80;

const PROVEN: &str = "\
proven: whoever has the key signed these very bytes; the key is that person's in the signers file, at the time of the \
record; no maker approved the own proposal; each order that was sent under a proposal had the approvals that the \
proposal's rule asks for, of different people, for the request as it was drafted, before it expired";
const NOT_PROVEN: &str = "\
not proven: that the export has every record of the journal (compare its last hash with one noted elsewhere); the time of \
a signature, which is the clock of the machine that recorded it; that an order without a proposal needed none; \
the touch and the time that a lesser rule asks for besides; a reason, which nobody signs";

pub(super) fn run(file: &Path, signers: Option<&Path>, revoked: Option<&Path>) -> anyhow::Result<Exit> {
    let read = |path: &Path| std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    let texts = [signers, revoked].map(|path| path.map_or_else(|| Ok(String::new()), read));
    let [signers, revoked] = texts;
    let signers = Signers::parse(&signers?, &revoked?).context("the signers cannot be read")?;
    let rows: Vec<AuditRow> = serde_json::from_str(&read(file)?)
        .with_context(|| format!("{} is no audit as `bursar export audit --format json` writes it", file.display()))?;
    let mut audit = Audit { signers, ..Audit::default() };
    for row in rows {
        let Some(record) = row.into_record() else { bail!("{}: a record cannot be read", file.display()) };
        audit.check(&record);
    }
    audit.print();
    Ok(if audit.wrong == 0 { Exit::Normally } else { Exit::WithTrouble })
}

#[derive(Default)]
struct Audit {
    signers: Signers,
    orders: HashMap<OrderId, AuditedOrder>,
    /// By the service's address: the rules that were recorded last.
    policies: BTreeMap<String, PolicyRecord>,
    last: Option<Record>,
    lines: Vec<Vec<String>>,
    people: BTreeSet<Text>,
    statements: usize,
    sent_with_quorum: usize,
    sent_without_proposal: usize,
    /// Accounts, wallets and the like: no rule is for them.
    sent_without_money: usize,
    wrong: usize,
}

/// What is right about a record.
struct Verdict {
    /// Who signed; where nobody had to, the user of the console.
    by: Text,
    note: Option<String>,
}

impl Verdict {
    fn by(person: Text) -> Self {
        Self { by: person, note: None }
    }
}

/// The order of a proposal from another journal, whose record names none.
fn order_of_statement(record: &Record) -> Option<OrderId> {
    let body: SignedStatementBody = read_body(&record.body)?;
    let StatementWithProposal { file, .. } = body.into_signed(StatementKind::Approve);
    Some(Proposal::parse(&file).ok()?.order)
}

#[derive(Default)]
struct AuditedOrder {
    /// With the hash of its record.
    drafted: Option<(DraftedBody, [u8; 32])>,
    /// Whether it was confirmed before it was proposed: then the proposal names the record of the draft. An order from
    /// another journal is proposed first, and its proposal names a record there.
    is_drafted_here: bool,
    /// The present one, signed by its maker.
    proposal: Option<(String, Proposal)>,
    /// About the present proposal.
    statements: Vec<SignedStatement>,
    is_sent: bool,
}

impl Audit {
    fn check(&mut self, record: &Record) {
        self.check_chain(record);
        let kind = StatementKind::ALL.into_iter().find(|kind| kind.journal_name() == record.kind);
        match (kind, record.order) {
            (Some(StatementKind::Policy), _) => {
                let checked = self.check_policy(record);
                self.add_line(record, None, checked);
            }
            (Some(kind), _) => {
                self.statements += 1;
                let checked = self.check_statement(record, kind);
                self.add_line(record, order_of_statement(record), checked.map(Verdict::by));
            }
            (None, Some(id)) if record.kind == "drafted" => {
                self.orders.entry(id).or_default().drafted = read_body(&record.body).map(|body| (body, record.hash));
            }
            (None, Some(id)) if record.kind == "confirmed" => {
                let order = self.orders.entry(id).or_default();
                order.is_drafted_here |= order.proposal.is_none();
            }
            (None, Some(id)) if record.kind == "sending" => self.check_sending(record, id),
            (None, _) => {}
        }
        self.last = Some(record.clone());
    }

    /// The hash of the record, and that it follows the one before.
    fn check_chain(&mut self, record: &Record) {
        let follows = self
            .last
            .as_ref()
            .is_none_or(|last| record.prev_hash == last.hash && record.seq == last.seq.saturating_add(1));
        let reason = if record.expected_hash() != record.hash {
            "its content does not match its hash"
        } else if !follows {
            "it does not follow the record before it"
        } else {
            return;
        };
        self.add_line(record, None, Err(reason.to_owned()));
    }

    /// A line of the report: whose statement, or why it is wrong.
    /// `order` is that of an order of another journal.
    fn add_line(&mut self, record: &Record, order: Option<OrderId>, checked: Result<Verdict, String>) {
        self.wrong += usize::from(checked.is_err());
        let (by, verdict) = match checked {
            Ok(Verdict { by, note: None }) => (by, "ok".to_owned()),
            Ok(Verdict { by, note: Some(note) }) => (by, format!("ok, {note}")),
            Err(reason) => (Text::clean("—"), format!("WRONG: {reason}")),
        };
        let order = record.order.or(order);
        let order = order.map_or_else(|| "—".into(), |id| id.to_string().chars().take(SHORT_ID_CHARS).collect());
        let cells =
            [record.seq.to_string(), record.at.to_string(), record.kind.clone(), order, by.to_string(), verdict];
        self.lines.push(cells.to_vec());
    }

    fn check_statement(&mut self, record: &Record, kind: StatementKind) -> Result<Text, String> {
        let body: SignedStatementBody = read_body(&record.body).ok_or("the record cannot be read")?;
        let is_elsewhere = body.base_url.is_some();
        let StatementWithProposal { file, statement } = body.into_signed(kind);
        let outcome = SignedStatement::from_signature(&file, &statement.signature, &self.signers, record.at)
            .map_err(|fault| fault.to_string())?;
        let person = outcome.principal;
        if outcome.kind != kind {
            return Err(format!("the record names another purpose than {}", outcome.kind.namespace()));
        }
        if person != statement.principal {
            return Err(format!("the record names {}, and {person} signed", statement.principal));
        }
        if outcome.key != statement.key {
            return Err(format!("the record names the key {}, and {} signed", statement.key, outcome.key));
        }
        let proposal = Proposal::parse(&file).map_err(|fault| fault.to_string())?;
        match kind {
            StatementKind::Propose if person != proposal.maker => {
                return Err(format!("the proposal names {} as its maker, and {person} signed", proposal.maker));
            }
            StatementKind::Approve if person == proposal.maker => {
                return Err(format!("{person} approved the own proposal"));
            }
            _ => {}
        }
        self.people.insert(person.clone());
        // Of an order of another journal nothing more is recorded here.
        if !is_elsewhere {
            if record.order != Some(proposal.order) {
                return Err("the proposal is for another order than the record".into());
            }
            self.orders.entry(proposal.order).or_default().add_statement(statement, file, proposal)?;
        }
        Ok(person)
    }

    fn check_policy(&mut self, record: &Record) -> Result<Verdict, String> {
        let body: PolicyBody = read_body(&record.body).ok_or("the record cannot be read")?;
        let base_url = body.base_url.clone();
        let policy = body.into_policy();
        let before = self.policies.get(&base_url);
        for signed in &policy.statements {
            verify(policy.file.as_bytes(), signed.kind.namespace(), &signed.signature)
                .map_err(|fault| format!("a signature of {}: {fault}", signed.principal))?;
        }
        policy.check_change(before, record.at).map_err(|reason| reason.to_string())?;
        let people = before.map(|before| before.people_who_signed_change(&policy, record.at)).unwrap_or_default();
        let people: Vec<&str> = people.iter().map(Text::as_str).collect();
        let verdict = if before.is_some() {
            Verdict::by(Text::clean(&people.join(", ")))
        } else {
            Verdict { by: record.by.user.clone(), note: Some("the first rules".into()) }
        };
        self.policies.insert(base_url, policy);
        Ok(verdict)
    }

    /// The first attempt of an order: whether it had its quorum then.
    fn check_sending(&mut self, record: &Record, id: OrderId) {
        let order = self.orders.entry(id).or_default();
        if std::mem::replace(&mut order.is_sent, true) {
            return;
        }
        let Some(proposal) = &order.proposal else {
            let moves_money = order.drafted.as_ref().is_none_or(|(drafted, _)| drafted.moves_money());
            self.sent_without_proposal += usize::from(moves_money);
            self.sent_without_money += usize::from(!moves_money);
            return;
        };
        let recorded = self.policies.get(proposal.1.base_url.as_str());
        let checked = order.check_quorum(proposal, recorded, &self.signers, record.at);
        self.sent_with_quorum += usize::from(checked.is_ok());
        let sender = record.by.user.clone();
        let verdict = checked.map(|people| Verdict { by: sender, note: Some(format!("approved by {people}")) });
        self.add_line(record, None, verdict);
    }

    fn print(&self) {
        if !self.lines.is_empty() {
            let head = ["RECORD", "AT", "KIND", "ORDER", "BY", "VERDICT"].map(str::to_owned).to_vec();
            let rows: Vec<Vec<String>> = std::iter::once(head).chain(self.lines.iter().cloned()).collect();
            print_table(&rows);
        }
        let (statements, people) = (self.statements, self.people.len());
        print_line(&format!("{statements} signatures about proposals, by {people} people; {} wrong", self.wrong));
        print_line(&format!(
            "payments sent with their approvals: {}; without a proposal: {}",
            self.sent_with_quorum, self.sent_without_proposal
        ));
        if self.sent_without_money > 0 {
            print_line(&format!("orders sent that move no money, such as new accounts: {}", self.sent_without_money));
        }
        if let Some(last) = &self.last {
            print_line(&format!("last record {}, hash {}", last.seq, hex::encode(last.hash)));
        }
        for paragraph in [PROVEN, NOT_PROVEN] {
            for line in wrap_words(paragraph, NOTE_COLUMNS) {
                print_line(&line);
            }
        }
    }
}

impl AuditedOrder {
    fn add_statement(&mut self, statement: SignedStatement, file: String, proposal: Proposal) -> Result<(), String> {
        if statement.kind == StatementKind::Propose {
            self.check_request(&proposal)?;
            self.proposal = Some((file, proposal));
            self.statements.clear();
        } else if self.proposal.as_ref().is_none_or(|(present, _)| *present != file) {
            return Err("it is about another text than the order's proposal".into());
        }
        self.statements.push(statement);
        Ok(())
    }

    /// Whether the proposal is for the request that was drafted, which is the one that is sent.
    fn check_request(&self, proposal: &Proposal) -> Result<(), String> {
        let (body, hash) = self.drafted.as_ref().ok_or("the export does not have the order's draft")?;
        let DraftedBody { request, to, .. } = body;
        let is_same = proposal.body == request.body
            && proposal.method == request.method
            && proposal.path == request.path
            && *proposal.base_url == *to.base_url
            && proposal.environment.map(Network::name) == to.environment.as_deref();
        if !is_same {
            return Err("the proposal is for another request than the order's".into());
        }
        if self.is_drafted_here && proposal.record_hash != *hash {
            return Err("the proposal names another record of the order's draft than the export has".into());
        }
        Ok(())
    }

    /// Whether it was approved when it was sent: counted as the journal counts before it permits to send.
    fn check_quorum(
        &self,
        (file, proposal): &(String, Proposal),
        recorded: Option<&PolicyRecord>,
        signers: &Signers,
        at: Timestamp,
    ) -> Result<Text, String> {
        let requirement = Requirement::of_proposal(proposal).ok_or("the proposal's rule cannot be read")?;
        let recorded = recorded.ok_or("the export does not have the rules in force")?;
        if recorded.rules_hash() != proposal.policy_hash {
            return Err("sent under a proposal of other rules than those in force".into());
        }
        if !recorded.rule_texts().iter().any(|rule| **rule == *proposal.rule) {
            return Err("the rules in force do not have the rule that the proposal names".into());
        }
        if at >= proposal.expires {
            return Err(format!("sent after the proposal expired at {}", proposal.expires));
        }
        let policy = ApprovalPolicy { rules: Vec::new(), signers: signers.clone() };
        let signed = SignedProposal { file, statements: &self.statements };
        let outcome = count_quorum(&policy, &requirement, signed, at);
        let outcome = outcome.and_then(|count| count.check().map(|()| count));
        let approvals = outcome.map_err(|reason| format!("sent without its approvals: {reason}"))?.approvals;
        let people: Vec<&str> = approvals.iter().map(|approval| approval.principal.as_str()).collect();
        Ok(Text::clean(&people.join(", ")))
    }
}
