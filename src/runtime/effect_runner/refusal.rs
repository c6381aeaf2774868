//! What a console that cannot pay answers to an effect that concerns orders.

use crate::app::{Effect, Msg};
use crate::domain::Failure;

/// The message that reports a refused effect; `None` for effects that are not refused.
pub(super) fn refusal_message(effect: &Effect, failure: Failure) -> Option<Msg> {
    match effect {
        Effect::Prepare { request_id, .. } => Some(Msg::Prepared { request_id: *request_id, result: Err(failure) }),
        Effect::Propose { order_id, .. } => Some(Msg::Proposed { order_id: *order_id, result: Err(failure) }),
        Effect::OpenProposal { request_id, .. } => {
            Some(Msg::Prepared { request_id: *request_id, result: Err(failure) })
        }
        Effect::SignProposal { order_id, kind, .. } => {
            Some(Msg::ProposalSigned { order_id: *order_id, kind: *kind, result: Err(failure) })
        }
        Effect::ImportProposal(_) => Some(Msg::ProposalImported(Err(failure))),
        Effect::ReadProposals => Some(Msg::Proposals(Err(failure))),
        Effect::LoadFacts { order_id: id, request_id } => {
            Some(Msg::FactsLoaded { request_id: *request_id, order_id: *id, result: Err(failure) })
        }
        Effect::Send { order_id: id, .. } => Some(Msg::Sent { order_id: *id, result: Err(failure) }),
        Effect::Abandon(_) | Effect::WriteOff { .. } | Effect::RecordServiceAddress { .. } | Effect::ReadJournal => {
            Some(Msg::Orders(Err(failure)))
        }
        Effect::ResolveAddress { .. } => Some(Msg::AddressResolved(Err(failure))),
        Effect::Acknowledge(_) => Some(Msg::Acknowledged(Err(failure))),
        Effect::Import(_) => Some(Msg::Imported(Err(failure.to_string().into()))),
        Effect::WriteErrors(_) => Some(Msg::ErrorsWritten(Err(failure.to_string()))),
        Effect::CheckBatch { request_id, .. } => {
            Some(Msg::BatchChecked { request_id: *request_id, result: Err(failure.to_string()) })
        }
        Effect::CompletePath { request_id, .. } => Some(Msg::PathsFound { request_id: *request_id, paths: Vec::new() }),
        Effect::CountLimits(request_id) => Some(Msg::LimitsCounted { request_id: *request_id, result: Err(failure) }),
        Effect::JudgeContact { request_id, .. } => {
            Some(Msg::ContactJudged { request_id: *request_id, result: Err(failure) })
        }
        Effect::ChangeBook { request_id, .. } => {
            Some(Msg::BookChanged { request_id: *request_id, result: Err(failure) })
        }
        Effect::ImportBook(_) => Some(Msg::BookImported(Err(failure.to_string().into()))),
        Effect::ReadDraft(_) => Some(Msg::DraftRead(Err(failure.to_string()))),
        Effect::Unlock { request_id, .. } => Some(Msg::Unlocked { request_id: *request_id, result: Err(failure) }),
        Effect::Load { .. }
        | Effect::QueryStore { .. }
        | Effect::RunAnalysis { .. }
        | Effect::LoadSandbox { .. }
        | Effect::LoadMovements { .. }
        | Effect::FindMovement { .. }
        | Effect::EditWatch(_)
        | Effect::ReportWatch(_)
        | Effect::Export { .. }
        | Effect::StopExport
        | Effect::LoadRaw { .. }
        | Effect::Copy(_)
        | Effect::Alert { .. }
        | Effect::LoadQuote { .. }
        | Effect::ChangeViews(_)
        | Effect::Suspend
        | Effect::OpenProfile(_)
        | Effect::Quit => None,
    }
}
