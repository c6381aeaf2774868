//! Checks whether the webhook listener can be opened and verifies signatures.

use std::net::TcpListener;

use super::{CheckResult, error_with_causes};
use crate::config::{ListenerConfig, ListenerSecretSource};
use crate::secrets::Vault;

const SUBJECT: &str = "listener";

/// Checks the listener of a profile. The port is bound and released.
pub(super) fn check_listener(listener: &ListenerConfig, vault: &Vault) -> Vec<CheckResult> {
    let at = listener.summary();
    let mut findings = vec![match TcpListener::bind(listener.address) {
        Ok(_given_back) if listener.address.ip().is_loopback() => {
            CheckResult::ok(SUBJECT, format!("{at}: the port is free"))
        }
        Ok(_given_back) => CheckResult::note(
            SUBJECT,
            format!("{at}: the port is free and reachable from other machines; unsigned webhooks are rejected"),
        ),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => CheckResult::note(
            SUBJECT,
            format!("{at}: the port is in use; unless a console of this profile uses it, webhooks are not received"),
        ),
        Err(error) => {
            CheckResult::wrong(SUBJECT, format!("{at}: cannot listen there: {error}; choose another address"))
        }
    }];
    let place = match &listener.secret_source {
        ListenerSecretSource::None => None,
        ListenerSecretSource::KeyStore => Some("with the keys".to_owned()),
        ListenerSecretSource::File(file) => Some(format!("in {}", super::display_path(file))),
    };
    findings.push(match (listener.webhook_options(vault), place) {
        (Err(fault), _) => CheckResult::wrong(SUBJECT, error_with_causes(&fault)),
        (Ok(_), Some(place)) => CheckResult::ok(SUBJECT, format!("its secret is kept {place}")),
        (Ok(_), None) => CheckResult::note(
            SUBJECT,
            "no secret: any program on this machine can make the console read, but do nothing else; signed = true is safer",
        ),
    });
    findings
}

#[cfg(test)]
mod tests {
    use super::super::CheckStatus;
    use super::*;
    use crate::api::SignatureScheme;
    use crate::secrets::Owner;

    #[test]
    fn a_port_that_is_taken_and_a_secret_that_is_missing_are_told() {
        let occupied = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut listener = ListenerConfig {
            address: occupied.local_addr().unwrap(),
            path: "/events".into(),
            secret_source: ListenerSecretSource::KeyStore,
            scheme: SignatureScheme::default(),
            signature_header: "x-webhook-signature".into(),
            timestamp_header: "x-webhook-timestamp".into(),
            per_minute: 120,
        };
        let owner = Owner { profile: "harbour".into(), base_url: "https://api.example.com/".into() };
        let vault = Vault::in_environment(owner, None, None);
        let verdicts = |listener: &ListenerConfig| {
            check_listener(listener, &vault).into_iter().map(|result| result.verdict).collect::<Vec<_>>()
        };
        assert_eq!(verdicts(&listener), [CheckStatus::Note, CheckStatus::Wrong]);
        drop(occupied);
        listener.secret_source = ListenerSecretSource::None;
        assert_eq!(verdicts(&listener), [CheckStatus::Good, CheckStatus::Note]);
    }
}
