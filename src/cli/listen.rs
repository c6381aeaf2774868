//! `bursar listen`: prints signed webhooks as they come, and forwards them.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use futures::FutureExt as _;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;

use super::output::print_line;
use super::{CommandContext, Exit, passphrase};
use crate::api::{SignatureOptions, SignatureScheme, SignedEvent, WebhookListener, WebhookOptions};
use crate::config::read_listener_secret;
use crate::domain::{Redaction, WebhookHints};
use crate::runtime::Clock;
use crate::service::{WebhookForwarder, WebhookUrl, wait_for_signal};

/// What `bursar listen` may be told.
#[derive(Debug, clap::Args)]
pub(super) struct ListenArguments {
    /// File with the secret of the signatures, or the ready file of `bursar serve`, which has it; without it, the
    /// listener of the profile is used
    #[arg(long, value_name = "FILE")]
    secret_file: Option<PathBuf>,
    /// Address and port to listen on
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8470", requires = "secret_file", value_parser = |text: &str| super::address::parse_socket_address(text, 8470))]
    listen: SocketAddr,
    /// Path that webhooks are sent to
    #[arg(long, value_name = "PATH", default_value = "/events", requires = "secret_file")]
    path: String,
    /// Forward each webhook, with its headers, to this address, whose answer is returned to the sender
    #[arg(long, value_name = "URL")]
    forward: Option<WebhookUrl>,
    /// Print the webhooks themselves, one a line
    #[arg(long)]
    json: bool,
}

/// Webhooks taken a minute.
const PER_MINUTE: u32 = 6_000;
/// Time-out of a forwarded webhook: shorter than that of the connection on which it came.
const FORWARD_TIME_OUT: Duration = Duration::from_secs(4);

pub(super) fn run(context: &CommandContext, arguments: &ListenArguments) -> anyhow::Result<Exit> {
    let options = match &arguments.secret_file {
        Some(file) => options_from_arguments(arguments, file)?,
        None => options_from_profile(context)?,
    };
    if options.signature.is_none() {
        anyhow::bail!("the listener of the profile takes unsigned webhooks; set signed = true, or use --secret-file");
    }
    let path = options.path.clone();
    let forwarder = arguments.forward.clone().map(WebhookForwarder::new).transpose()?;
    let is_json = arguments.json;
    let printing = Arc::new(Mutex::new(()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let events = Arc::new(move |event: SignedEvent| {
            let (forwarder, printing) = (forwarder.clone(), Arc::clone(&printing));
            async move {
                let (headers, body) = (event.headers.clone(), event.body.clone());
                let answer = match &forwarder {
                    Some(forwarder) => Some(forwarder.post_event(headers, body, FORWARD_TIME_OUT).await),
                    None => None,
                };
                let _one_at_a_time = printing.lock().unwrap_or_else(PoisonError::into_inner);
                print_line(&if is_json { body_line(&event) } else { event_line(&event, answer.as_ref()) });
                answer.is_none_or(|answer| answer.is_ok_and(|status| (200..300).contains(&status)))
            }
            .boxed()
        });
        let rejections = Arc::new(|hints: WebhookHints| {
            for (reason, count) in hints.rejected {
                let _stderr_may_be_gone = writeln!(std::io::stderr(), "bursar: {count} refused: {reason}");
            }
        });
        let address = options.address;
        let listener =
            WebhookListener::open_with_events(options, Arc::new(|| Clock::System.now()), rejections, Some(events));
        let listener = listener.await.with_context(|| format!("cannot listen on {address}"))?;
        if !is_json {
            print_line(&format!("listening on http://{}{path}", listener.address()));
        }
        wait_for_signal().await;
        Ok(Exit::Normally)
    })
}

fn options_from_arguments(arguments: &ListenArguments, file: &std::path::Path) -> anyhow::Result<WebhookOptions> {
    let line = read_listener_secret(file)?;
    let secret: SecretString = match serde_json::from_str::<Value>(line.expose_secret()) {
        Ok(ready) if ready.is_object() => {
            let secret = ready.get("webhookSecret").and_then(Value::as_str);
            let message = "has no webhookSecret: the service was started without --webhook";
            secret.with_context(|| format!("{} {message}", file.display()))?.to_owned().into()
        }
        _ => line,
    };
    let redaction = Redaction::default();
    redaction.add_secret(Redaction::WEBHOOK_SECRET, secret.expose_secret());
    Ok(WebhookOptions {
        address: arguments.listen,
        path: arguments.path.clone(),
        signature: Some(SignatureOptions {
            scheme: SignatureScheme::default(),
            header: "x-webhook-signature".into(),
            timestamp_header: "x-webhook-timestamp".into(),
            secret,
        }),
        per_minute: PER_MINUTE,
        redaction,
    })
}

/// The listener of the profile.
fn options_from_profile(context: &CommandContext) -> anyhow::Result<WebhookOptions> {
    let config = context.config()?;
    let profile = config.profile()?;
    let listener = profile.listener.as_ref();
    let listener = listener.context("the profile has no listener; name a secret with --secret-file")?;
    let vault = passphrase::prompt_passphrase_if_needed(config.vault(profile, &context.environment)?)?;
    Ok(listener.webhook_options(&vault)?)
}

/// A webhook in one line.
fn body_line(event: &SignedEvent) -> String {
    match serde_json::from_slice::<Value>(&event.body) {
        Ok(body) => body.to_string(),
        Err(_) => String::from_utf8_lossy(&event.body).replace(['\r', '\n'], " "),
    }
}

/// What a webhook says: its time, topic, amount, chain and identifier; and what became of it.
fn event_line(event: &SignedEvent, forwarded: Option<&Result<u16, String>>) -> String {
    let body = serde_json::from_slice::<Value>(&event.body).unwrap_or(Value::Null);
    let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str).unwrap_or("—").to_owned();
    let topic = event.topic.as_deref().unwrap_or("—").to_owned();
    let amount = format!("{} {}", text("/params/amount/value"), text("/params/token/symbol"));
    let id = event.headers.iter().find(|(name, _)| name == "x-webhook-id").map_or("—", |(_, id)| id);
    let fate = match forwarded {
        None => String::new(),
        Some(Ok(status)) => format!("  forwarded: {status}"),
        Some(Err(reason)) => format!("  not forwarded: {reason}"),
    };
    format!(
        "{}  {topic}  {amount}  {}  {id}  signature verified{fate}",
        text("/createdAt"),
        text("/params/wallet/blockchain")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(body: &str) -> SignedEvent {
        SignedEvent {
            topic: Some("wallets:deposit.success".into()),
            headers: vec![("x-webhook-id".into(), "7".into())],
            body: body.as_bytes().to_vec(),
        }
    }

    #[test]
    fn a_webhook_is_told_in_one_line_whatever_is_missing() {
        let whole = r#"{"createdAt":"2026-01-05T12:00:00.000Z","params":{"amount":{"value":"1.5"},"token":{"symbol":"USDC"},"wallet":{"blockchain":"base"}}}"#;
        for (body, forwarded, expected) in [
            (whole, None, "2026-01-05T12:00:00.000Z  wallets:deposit.success  1.5 USDC  base  7  signature verified"),
            ("[]", Some(Ok(503)), "—  wallets:deposit.success  — —  —  7  signature verified  forwarded: 503"),
            (
                "not JSON",
                Some(Err("no connection".to_owned())),
                "—  wallets:deposit.success  — —  —  7  signature verified  not forwarded: no connection",
            ),
        ] {
            assert_eq!(event_line(&event(body), forwarded.as_ref()), expected);
        }
        assert_eq!(body_line(&event("{\n \"a\": 1 }")), r#"{"a":1}"#);
        assert_eq!(body_line(&event("a\nb")), "a b");
    }
}
