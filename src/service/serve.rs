//! `bursar serve`: prints the address and the keys, then serves until the end.

use std::fs;
use std::future::Future;
use std::io::Write;
use std::path::PathBuf;

use secrecy::ExposeSecret;

use super::clock::ServiceClock;
use super::{Credentials, FaultPreset, NewKey, Options, RunningService, ServiceError, ready_file, start};
use crate::domain::approval::StatementKind;

#[derive(Debug, Clone)]
pub struct ServeOptions {
    pub service: Options,
    /// Where to write address, key and secret for another program, once the service is ready.
    pub ready_file: Option<PathBuf>,
    /// A fault to simulate, once the service is ready.
    pub fault: Option<&'static FaultPreset>,
}

/// Serves until `end`, then finishes the requests under way.
pub async fn serve(
    options: ServeOptions,
    mut out: impl Write,
    end: impl Future<Output = ()>,
) -> Result<(), ServiceError> {
    if let Some(path) = &options.ready_file {
        ready_file::check_path(path)?;
    }
    let running = start(options.service.clone()).await?;
    if let Some(path) = &options.ready_file {
        // A ready file of an earlier run would report this service as ready too early.
        let _none_before = fs::remove_file(path);
    }
    let served = async {
        print_address_and_keys(&running, &options, &mut out).await?;
        std::future::pending().await
    };
    let ended = tokio::select! {
        ended = served => ended,
        () = end => Ok(()),
    };
    let stopped = running.stop().await;
    ended.and(stopped)
}

/// Returns on SIGTERM or SIGINT.
pub async fn wait_for_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut term), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt())) {
            tokio::select! {
                _ = term.recv() => {}
                _ = interrupt.recv() => {}
            }
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        // Signals are unavailable here: the process ends by being killed, which the ledger survives.
        std::future::pending::<()>().await;
    }
}

/// Prints the address and the keys. Keys are shown here and never again.
async fn print_address_and_keys(
    running: &RunningService,
    options: &ServeOptions,
    out: &mut impl Write,
) -> Result<(), ServiceError> {
    let show = |out: &mut dyn Write, text: &str| {
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(ServiceError::Show)
    };
    show(out, &format!("listening on {}\n", running.base_url()))?;
    match running.credentials() {
        Some(credentials) => show(out, &credentials_text(credentials, "shown only this once, stored as hashes"))?,
        None if options.ready_file.is_none() => {
            show(
                out,
                "the keys of this folder were shown when it was created and cannot be shown again; \
                 a ready file has its own key\n",
            )?;
        }
        None => {}
    }
    if let Some(secret) = running.signing_secret() {
        show(out, &format!("webhook secret {}\n               events are signed with it\n", secret.expose_secret()))?;
    }
    running.wait_until_ready().await?;
    if let Some(path) = &options.ready_file {
        // The key of an earlier ready file stops working here.
        let own = running.replace_key(NewKey::for_ready_file()).await?;
        ready_file::write(path, &own.ready_file_json(running.base_url(), running.signing_secret()))?;
        show(
            out,
            &credentials_text(
                &own,
                "the key of the ready file, named ready-file; it replaces that of an earlier start",
            ),
        )?;
    }
    if let Some(fault) = options.fault {
        running.set_faults(fault.rules.to_vec()).await;
        show(out, &format!("fault {}: {}\n", fault.word, fault.sentence))?;
    }
    if options.service.with_control {
        show(out, "control requests are accepted: see /openapi.json\n")?;
    }
    if let Some(policy) = &options.service.approvals {
        let standings = policy.signers.signing_fault_by_person(StatementKind::Approve, ServiceClock::System.now());
        let people = standings.values().filter(|fault| fault.is_none()).count();
        let rules = policy.rules.len();
        show(out, &format!("approvals are enforced: rules {rules}, signers {people}; see /openapi.json\n"))?;
    }
    show(out, "ready\n")
}

fn credentials_text(credentials: &Credentials, remark: &str) -> String {
    format!(
        "API key        {}\nwallet secret  {}\n               {remark}\n",
        credentials.api_key.expose_secret(),
        credentials.wallet_secret.expose_secret(),
    )
}
