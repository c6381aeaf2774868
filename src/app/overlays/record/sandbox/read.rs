//! The sandbox is read on request, unless something speaks against it.

use super::{Sandbox, SandboxData};
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::overlays::record::AnyRecord;
use crate::app::request_id::RequestId;
use crate::app::session::veil;
use crate::domain::draft::Operation;

pub(in crate::app) fn refusal(model: &Model) -> Option<&'static str> {
    if model.session.veil.is_on() {
        Some(veil::VEILED_MESSAGE)
    } else if !model.console.preferences.v1 {
        Some("version 1 is not used: the profile sets versions = [\"v2\"]")
    } else if !Operation::CreateSandboxAddress.is_allowed_on(model.console.identity.environment) {
        Some("the sandbox exists only on a test network, and the profile is not set to testnet")
    } else {
        None
    }
}

/// Reads the sandbox: on the Users page of the selected user, elsewhere of all together.
pub(in crate::app) fn open_sandbox(model: &mut Model) -> Vec<Effect> {
    if let Some(reason) = refusal(model) {
        model.notice = Some(reason.into());
        return Vec::new();
    }
    let sub_wallet = model.pages.users.listing.selected_key().filter(|_| model.page == Page::Users).cloned();
    let request_id = model.data.request_ids.sandbox.advance();
    let record = Box::new(AnyRecord::Sandbox(Sandbox { request_id, sub_wallet: sub_wallet.clone(), data: None }));
    model.show_mode(Mode::Record { record, top: 0 });
    vec![Effect::LoadSandbox { sub_wallet, request_id }]
}

pub(in crate::app) fn apply_data(model: &mut Model, request_id: RequestId, sandbox_data: Box<SandboxData>) {
    if let Mode::Record { record, .. } = &mut model.mode
        && let AnyRecord::Sandbox(sandbox) = &mut **record
        && sandbox.request_id == request_id
    {
        sandbox.data = Some(sandbox_data);
    }
}
