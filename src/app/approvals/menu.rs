//! The menu of proposals: each with how far it has come, whom it pays and until when it can be released.

use crossterm::event::{KeyCode, KeyEvent};

use super::open_review;
use crate::app::data::proposals::{ProposalEntry, ProposalStanding};
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::menu::{self, Menu, MenuItem, MenuKind, MenuLine, MenuLinePurpose};
use crate::app::overlays::qr::QrMatrix;
use crate::domain::approval::{DeskRole, StatementKind};
use crate::domain::attention::{AttentionItem, AttentionKind, AttentionTarget};
use crate::domain::duration;
use crate::domain::{Amount, Draft, OrderId, Text};
use crate::manual::Chapter;

const NO_RULES: &str = "no payment of this profile needs another person: bursar help approvals says how to set that up";
const NOTHING_WAITS: &str = "nothing waits for approval; paste a proposal here to take it in";

const REFUSAL_QUESTION: &str = "Why is it refused? Enter signs the refusal, which ends the proposal";

pub(in crate::app) fn open_menu(model: &mut Model) -> Vec<Effect> {
    let items = menu_items(model);
    menu::open_menu(model, MenuKind::Approvals, None, items);
    refresh_menu(model);
    vec![Effect::ReadProposals]
}

/// Lists again what waits, if the menu is open.
pub(in crate::app) fn refresh_menu(model: &mut Model) {
    let items = menu_items(model);
    let message = menu_message(model);
    let Some(menu) = menu_mut(model) else { return };
    menu.at = menu.at.min(items.len().saturating_sub(1));
    menu.items = items;
    if menu.line.is_none() {
        menu.message = message;
    }
}

fn menu_message(model: &Model) -> Option<String> {
    let approvals = &model.journal.proposals;
    if let Some(failure) = &approvals.failure {
        return Some(failure.to_string());
    }
    if model.journal.policy.approval.is_empty() {
        return Some(NO_RULES.into());
    }
    if let Some(fault) = approvals.faults.first() {
        let more = approvals.faults.len() - 1;
        return Some(if more == 0 { fault.to_string() } else { format!("{fault} · and {more} more") });
    }
    approvals.entries.is_empty().then(|| NOTHING_WAITS.to_owned())
}

fn menu_items(model: &Model) -> Vec<MenuItem> {
    model.journal.proposals.entries.iter().map(|entry| menu_item(model, entry)).collect()
}

/// The open menu, also below another mode.
fn menu_mut(model: &mut Model) -> Option<&mut Menu> {
    let mut menus =
        model.open_modes_mut().filter_map(|mode| if let Mode::Menu(menu) = mode { Some(&mut **menu) } else { None });
    menus.find(|menu| menu.kind == MenuKind::Approvals)
}

/// Selects a proposal in the menu, if both are there.
pub(super) fn select(model: &mut Model, id: Option<OrderId>) {
    let at = model.journal.proposals.entries.iter().position(|entry| Some(entry.proposal.order) == id);
    if let Some((menu, at)) = menu_mut(model).zip(at) {
        menu.at = at;
    }
}

fn menu_item(model: &Model, entry: &ProposalEntry) -> MenuItem {
    let maker = &entry.proposal.maker;
    let age = duration::format_age(entry.proposal.made_at.age(model.now));
    let end_message = entry.end_message(model.now);
    let is_dim = end_message.is_some();
    let remaining_text = || format!("{} left", duration::format_age(model.now.age(entry.proposal.expires)));
    let until = end_message.unwrap_or_else(remaining_text);
    let payment =
        entry.draft.as_ref().map_or_else(|| "cannot be read here".to_owned(), |draft| payment_text(model, draft));
    // Last, for where there is no room.
    let approved = approvers_text(entry).map_or_else(String::new, |names| format!(" · {names} approved"));
    MenuItem {
        name: standing_label(model, entry),
        payload: format!("{payment} · by {maker} {age} ago · {until}{approved}"),
        is_checked: false,
        is_dim,
    }
}

/// How far a proposal has come: `1 of 2`, `ready to send`, `refused`.
fn standing_label(model: &Model, entry: &ProposalEntry) -> String {
    match &entry.standing {
        _ if entry.is_releasable(model.now) => "ready to send".into(),
        ProposalStanding::Counted(quorum) if quorum.refusal.is_some() => "refused".into(),
        _ if entry.proposal.expires <= model.now => "expired".into(),
        ProposalStanding::Counted(quorum) => format!("{} of {}", quorum.approvals.len(), quorum.needs),
        ProposalStanding::Void(_) => "void".into(),
        ProposalStanding::Sent => "sent".into(),
    }
}

fn approvers_text(entry: &ProposalEntry) -> Option<String> {
    let ProposalStanding::Counted(quorum) = &entry.standing else { return None };
    let names: Vec<&str> = quorum.approvals.iter().map(|approval| approval.principal.as_str()).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

fn payment_text(model: &Model, draft: &Draft) -> String {
    if let Some(payment) = draft.payment_details() {
        let name = |to: &Text| {
            let recipient_name = model.party_name(to, payment.blockchain);
            recipient_name.map_or_else(|| crate::domain::address::shorten_address(to), ToString::to_string)
        };
        return match payment.to.as_slice() {
            [(to, amount)] => format!("{} {} to {}", format_request_amount(amount), payment.token, name(to)),
            all => {
                let total = if let Draft::Batch(batch) = draft { batch.total_as_written() } else { None };
                let total = total.map(Amount::format_grouped);
                format!("{} {} to {} recipients", total.unwrap_or_else(|| "—".into()), payment.token, all.len())
            }
        };
    }
    match draft.exchange() {
        Some(exchange) => {
            format!("swap of {} {} to {}", format_request_amount(exchange.amount), exchange.from, exchange.to)
        }
        None => draft.operation().title().to_lowercase(),
    }
}

/// An amount of a request as people read it.
fn format_request_amount(amount: &Text) -> String {
    let parsed = Amount::parse_as_written(amount, Amount::MAX_DECIMALS);
    parsed.map_or_else(|_| amount.to_string(), Amount::format_grouped)
}

/// Proposals that somebody who signs at this desk could approve, or that are ready to be sent from here.
pub(in crate::app) fn attention_items(model: &Model) -> Vec<AttentionItem> {
    let approvals = &model.journal.proposals;
    let item = |entry: &ProposalEntry| {
        let proposal = &entry.proposal;
        let is_ready = entry.is_releasable(model.now) && model.journal.policy.role != DeskRole::Propose;
        if !is_ready && !entry.awaits_any_of(&approvals.signers.people, model.now) {
            return None;
        }
        let payment = payment_text(model, entry.draft.as_ref()?);
        let (kind, next) = if is_ready {
            (AttentionKind::ApprovedPayment, "enough people approved")
        } else {
            (AttentionKind::Approval, "waits for you")
        };
        let subject = format!("{next}: {payment}, proposed by {}", proposal.maker);
        let (mark, target) = (proposal.order.to_string(), AttentionTarget::Proposal(proposal.order));
        Some(AttentionItem::new(kind, &mark, proposal.made_at, subject, target))
    };
    approvals.entries.iter().filter_map(item).collect()
}

pub(super) fn selected_id(model: &mut Model) -> Option<OrderId> {
    let at = menu_mut(model)?.at;
    model.journal.proposals.entries.get(at).map(|entry| entry.proposal.order)
}

/// Keys of the menu; `None` for those that every menu has.
#[expect(clippy::wildcard_enum_match_arm, reason = "other keys move in the menu")]
pub(in crate::app) fn handle_menu_key(model: &mut Model, key: KeyEvent) -> Option<Vec<Effect>> {
    let Mode::Menu(menu) = &mut model.mode else { return None };
    if let Some(line) = &mut menu.line {
        match key.code {
            KeyCode::Esc => {
                menu.close_line();
                refresh_menu(model);
            }
            KeyCode::Enter => return Some(refuse_proposal(model)),
            _ => line.handle_key(key),
        }
        return Some(Vec::new());
    }
    if menu.code.take().is_some() {
        return Some(Vec::new());
    }
    if key.code == KeyCode::Char('?') {
        model.open_over(Mode::Help { chapter: Chapter::Approvals, top: 0 });
        return Some(Vec::new());
    }
    let id = selected_id(model)?;
    match key.code {
        KeyCode::Enter => {
            menu::close_menu(model);
            Some(open_review(model, id))
        }
        KeyCode::Char('y') => {
            let entry = model.journal.proposals.entries.iter().find(|entry| entry.proposal.order == id)?;
            let text = entry.to_envelope().to_text();
            model.notice = Some("copied: the proposal with every signature, to be pasted at another desk".into());
            Some(vec![Effect::Copy(text)])
        }
        KeyCode::Char('Q') => {
            let entry = model.journal.proposals.entries.iter().find(|entry| entry.proposal.order == id)?;
            let code = QrMatrix::encode(&entry.to_envelope().to_text());
            if code.is_none() {
                model.notice = Some("too long for one QR code; y copies it as text".into());
            }
            if let Mode::Menu(menu) = &mut model.mode {
                menu.code = code;
            }
            Some(Vec::new())
        }
        KeyCode::Char('x') => {
            if let Mode::Menu(menu) = &mut model.mode {
                let line = MenuLine::new("", MenuLinePurpose::RefuseProposal(id));
                menu.open_line(REFUSAL_QUESTION.into(), line);
            }
            Some(Vec::new())
        }
        _ => None,
    }
}

fn refuse_proposal(model: &mut Model) -> Vec<Effect> {
    let Mode::Menu(menu) = &mut model.mode else { return Vec::new() };
    let Some(MenuLine { input, purpose: MenuLinePurpose::RefuseProposal(id) }) = &menu.line else { return Vec::new() };
    let (order_id, reason) = (*id, Text::clean(input.value().trim()));
    if reason.is_empty() {
        menu.message = Some(format!("{REFUSAL_QUESTION}. Type a reason: whoever proposed it will ask"));
        return Vec::new();
    }
    menu.close_line();
    menu::close_menu(model);
    vec![Effect::SignProposal { order_id, kind: StatementKind::Refuse, reason: Some(reason) }]
}

/// Takes in a proposal that was carried here as a text.
pub(in crate::app) fn import_pasted_proposal(text: &str) -> Vec<Effect> {
    vec![Effect::ImportProposal(text.to_owned())]
}
