//! `/v2/users` and below.

use super::fields::BodyFields;
use super::request::{ChangeRequest, HandlerResult, ReadRequest};
use crate::service::ledger::{NewUser, UserPatch};

/// `POST /v2/users`. No idempotency key: each request creates a user.
pub(super) async fn create(mut request: ChangeRequest) -> HandlerResult {
    let (email, display_name, ref_id) = read_user_names(&mut request.fields);
    let user = NewUser { email, display_name, ref_id };
    request.execute(move |books| books.create_user(&user)).await
}

pub(super) async fn change(mut request: ChangeRequest) -> HandlerResult {
    let user = request.fields.required_identifier("userId");
    let (email, display_name, ref_id) = read_user_names(&mut request.fields);
    let patch = UserPatch { user, email, display_name, ref_id };
    request.execute(move |books| books.patch_user(&patch)).await
}

/// The names of a user, at least one of which is required: a user without any could not be told apart.
fn read_user_names(fields: &mut BodyFields) -> (Option<String>, Option<String>, Option<String>) {
    let names = (fields.text("email"), fields.text("displayName"), fields.text("refId"));
    if names == (None, None, None) {
        fields.add_problem("one of email, displayName and refId is required");
    }
    if names.0.as_deref().is_some_and(|email| !email.contains('@')) {
        fields.add_problem("email must be an address for mail");
    }
    names
}

pub(super) async fn get_one(mut request: ReadRequest) -> HandlerResult {
    let user = request.query.required_identifier("userId");
    request.respond(move |ledger, workspace_number, _| ledger.user(workspace_number, user)).await
}

/// `GET /v2/users`, if lists are enabled: one user, or all of them page by page.
pub(super) async fn get_one_or_list(mut request: ReadRequest) -> HandlerResult {
    let user = request.query.identifier("userId");
    let paging = request.query.paging();
    match user {
        Some(user) => request.respond(move |ledger, workspace_number, _| ledger.user(workspace_number, user)).await,
        None => request.respond_page(move |ledger, workspace_number, _| ledger.users(workspace_number, paging)).await,
    }
}

pub(super) async fn balances(mut request: ReadRequest) -> HandlerResult {
    let user = request.query.required_identifier("userId");
    request.respond_cached(move |ledger, workspace_number| ledger.balances_of_user(workspace_number, user)).await
}

/// `GET /v2/users/stats`: of one user, or of the whole workspace.
pub(super) async fn stats(mut request: ReadRequest) -> HandlerResult {
    let user = request.query.identifier("userId");
    request.respond(move |ledger, workspace_number, now| ledger.stats(workspace_number, user, now)).await
}
