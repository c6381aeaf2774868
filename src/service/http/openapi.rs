//! `/openapi.json`: serves `assets/openapi.json` (`OpenAPI` 3.1). The test suite compares the document with the routes:
//! each operation, parameter and field.

use serde_json::{Value, json};

use super::error_response::ErrorResponse;
use super::{OptionalRoutes, operations};

const DOCUMENT: &str = include_str!("../../../assets/openapi.json");
/// A path's `get` for a list outside the specification, served only with lists enabled.
const WITH_LISTS: &str = "x-get-with-lists";
/// Paths of control requests, served only where they are enabled.
const WITH_CONTROL: &str = "x-paths-with-control";
/// What is added to each operation that moves money, where approvals are enforced: `parameters` and `responses`.
const WITH_APPROVALS: &str = "x-payments-with-approvals";

/// The document for the routes that are served, at an address if it is known.
pub(super) fn document(
    optional: OptionalRoutes,
    enforces_approvals: bool,
    base_url: Option<&str>,
) -> Result<Vec<u8>, ErrorResponse> {
    let mut document: Value = serde_json::from_str(DOCUMENT).map_err(|error| ErrorResponse::internal(&error))?;
    document["info"]["version"] = json!(env!("CARGO_PKG_VERSION"));
    document["servers"] = json!([{ "url": base_url.unwrap_or("/"), "description": "This service" }]);
    let control = document.as_object_mut().and_then(|document| document.remove(WITH_CONTROL));
    if let (Some(Value::Object(control)), Some(paths), true) =
        (control, document["paths"].as_object_mut(), optional.control)
    {
        paths.extend(control);
    }
    if let Some(paths) = document["paths"].as_object_mut() {
        for operations in paths.values_mut().filter_map(Value::as_object_mut) {
            if let Some(list) = operations.remove(WITH_LISTS)
                && optional.lists
            {
                operations.insert("get".into(), list);
            }
        }
        paths.retain(|_, operations| operations.as_object().is_some_and(|operations| !operations.is_empty()));
    }
    let added = document.as_object_mut().and_then(|document| document.remove(WITH_APPROVALS));
    if let (Some(added), true) = (added, enforces_approvals) {
        for operation in operations::ALL.iter().filter(|operation| operation.payment.is_some()) {
            let described = &mut document["paths"][operation.path][operation.method.to_lowercase()];
            described["parameters"] = added["parameters"].clone();
            if let (Some(responses), Some(added)) =
                (described["responses"].as_object_mut(), added["responses"].as_object())
            {
                responses.extend(added.clone());
            }
        }
    }
    Ok(document.to_string().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_stands_in_it_with_its_permission_and_whether_it_needs_the_wallet_secret() {
        let document: Value =
            serde_json::from_slice(&document(OptionalRoutes { lists: true, control: true }, false, None).unwrap())
                .unwrap();
        for operation in operations::ALL.iter().chain(operations::CONTROL) {
            let described = &document["paths"][operation.path][operation.method.to_lowercase()];
            let permission = format!("Needs the permission `{}`.", operation.permission.name());
            assert_eq!(described["description"], permission, "{operation:?}");
            let secret = described["security"][0]["walletSecret"].is_array();
            assert_eq!(secret, operation.needs_wallet_secret, "{operation:?}");
        }
    }
}
