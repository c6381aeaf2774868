//! Webhooks: whether they can be listened for, and whether they can be believed.

use std::net::TcpListener;

use super::{Finding, whole};
use crate::config::{Listener, Secret};
use crate::secrets::Vault;

const ABOUT: &str = "listener";

/// Looks at the listener of a profile. The port is taken and given back.
pub(super) fn look(listener: &Listener, vault: &Vault) -> Vec<Finding> {
    let at = listener.words();
    let mut findings = vec![match TcpListener::bind(listener.address) {
        Ok(_given_back) if listener.address.ip().is_loopback() => {
            Finding::good(ABOUT, format!("{at}: the port is free"))
        }
        Ok(_given_back) => Finding::note(
            ABOUT,
            format!(
                "{at}: the port is free, and others than this machine reach it; what they send is signed or refused"
            ),
        ),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => Finding::note(
            ABOUT,
            format!("{at}: the port is taken; where that is no console of this profile, webhooks are not heard"),
        ),
        Err(error) => Finding::wrong(ABOUT, format!("{at}: cannot be listened on: {error}; choose another address")),
    }];
    let place = match &listener.secret {
        Secret::None => None,
        Secret::Kept => Some("with the keys".to_owned()),
        Secret::File(file) => Some(format!("in {}", super::shown(file))),
    };
    findings.push(match (listener.listening(vault), place) {
        (Err(fault), _) => Finding::wrong(ABOUT, whole(&fault)),
        (Ok(_), Some(place)) => Finding::good(ABOUT, format!("its secret is {place}")),
        (Ok(_), None) => Finding::note(
            ABOUT,
            "no secret: any program on this machine can make the console read, and no more; signed = true is better",
        ),
    });
    findings
}

#[cfg(test)]
mod tests {
    use super::super::Verdict;
    use super::*;
    use crate::api::Scheme;
    use crate::secrets::Owner;

    #[test]
    fn a_port_that_is_taken_and_a_secret_that_is_missing_are_told() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut listener = Listener {
            address: taken.local_addr().unwrap(),
            path: "/events".into(),
            secret: Secret::Kept,
            scheme: Scheme::default(),
            signature_header: "x-webhook-signature".into(),
            timestamp_header: "x-webhook-timestamp".into(),
            per_minute: 120,
        };
        let owner = Owner { profile: "harbour".into(), base_url: "https://api.example.com/".into() };
        let vault = Vault::in_environment(owner, None, None);
        let verdicts =
            |listener: &Listener| look(listener, &vault).into_iter().map(|found| found.verdict).collect::<Vec<_>>();
        assert_eq!(verdicts(&listener), [Verdict::Note, Verdict::Wrong]);
        drop(taken);
        listener.secret = Secret::None;
        assert_eq!(verdicts(&listener), [Verdict::Good, Verdict::Note]);
    }
}
