//! Listens for webhooks while a console is open.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::api::{HintSink, WebhookListener, WebhookOptions};
use crate::app::Msg;
use crate::runtime::Clock;
use crate::runtime::console::Console;

/// The pause before a console tries again to listen.
const RETRY_INTERVAL: Duration = Duration::from_secs(10);
/// Columns of an event's text on a screen of 80.
const MAX_MESSAGE_COLUMNS: usize = 60;

/// Listens, from now on or as soon as possible, until the returned value is dropped.
///
/// A console without webhooks is only slower. A failure to listen is shown in the header and among the events, and it
/// tries again: another console of the profile may have the port and be closed later.
pub(super) async fn start_webhooks(
    console: &mut Console,
    effects: &Runtime,
    listening: WebhookOptions,
    endpoint: String,
) -> JoinSet<()> {
    let mut listens = JoinSet::new();
    let (hint_sink, tell) = (console.webhook_sink(), console.message_sink());
    let first = effects.spawn(open_listener(listening.clone(), Arc::clone(&hint_sink))).await;
    match first.unwrap_or_else(|broke_off| Err(format!("no webhooks: {broke_off}"))) {
        Ok(listener) => {
            let _asks_nothing = console.handle_message(Msg::Listening(Ok(endpoint)));
            listens.spawn_on(keep_listener(listener), effects.handle());
        }
        Err(why) => {
            tracing::warn!(why, "webhooks are not listened for");
            let _asks_nothing = console.handle_message(Msg::Listening(Err(why.clone())));
            let restart = async move {
                let listener = retry_until_listening(&listening, &hint_sink, why, &tell).await;
                tell(Msg::Listening(Ok(endpoint)));
                keep_listener(listener).await;
            };
            listens.spawn_on(restart, effects.handle());
        }
    }
    listens
}

async fn open_listener(listening: WebhookOptions, hint_sink: HintSink) -> Result<WebhookListener, String> {
    let address = listening.address;
    let now = Arc::new(|| Clock::System.now());
    WebhookListener::open(listening, now, hint_sink).await.map_err(|error| listen_failure_text(address, &error))
}

/// Tries until it listens. Reports the reason of a failure again only when it has changed.
async fn retry_until_listening(
    listening: &WebhookOptions,
    hint_sink: &HintSink,
    mut last_failure: String,
    tell: impl Fn(Msg),
) -> WebhookListener {
    loop {
        sleep(RETRY_INTERVAL).await;
        match open_listener(listening.clone(), Arc::clone(hint_sink)).await {
            Ok(listener) => return listener,
            Err(why) if why == last_failure => {}
            Err(why) => {
                tracing::warn!(why, "webhooks are not listened for");
                last_failure.clone_from(&why);
                tell(Msg::Listening(Err(why)));
            }
        }
    }
}

/// Keeps the listener until this future is dropped.
async fn keep_listener(_listens: WebhookListener) {
    std::future::pending::<()>().await;
}

/// The reason why webhooks are not received, and the remedy, in a line that fits a row of 80 columns: an IPv6 address
/// may be too long for that.
fn listen_failure_text(address: SocketAddr, error: &io::Error) -> String {
    let port = address.port();
    let fitting =
        |whole: String, short: String| if whole.chars().count() <= MAX_MESSAGE_COLUMNS { whole } else { short };
    match error.kind() {
        io::ErrorKind::AddrInUse => fitting(
            format!("no webhooks: {address} is taken, by another console?"),
            format!("no webhooks: port {port} is taken, by another console?"),
        ),
        io::ErrorKind::AddrNotAvailable => fitting(
            format!("no webhooks: {} is not on this machine", address.ip()),
            "no webhooks: the address is not on this machine".to_owned(),
        ),
        io::ErrorKind::PermissionDenied => format!("no webhooks: port {port} is reserved; use 1024 or higher"),
        _ => format!("no webhooks at {address}: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_no_webhooks_are_heard_fits_in_a_row_of_80_columns_with_what_would_be_right() {
        let long = "[2001:db8:85a3:1234:5678:8a2e:370:7334]:18470";
        for (address, kind, expected) in [
            ("127.0.0.1:18470", io::ErrorKind::AddrInUse, "127.0.0.1:18470 is taken, by another console?"),
            (long, io::ErrorKind::AddrInUse, "port 18470 is taken, by another console?"),
            ("192.168.100.200:8470", io::ErrorKind::AddrNotAvailable, "192.168.100.200 is not on this machine"),
            (long, io::ErrorKind::AddrNotAvailable, "the address is not on this machine"),
            ("127.0.0.1:80", io::ErrorKind::PermissionDenied, "port 80 is reserved; use 1024 or higher"),
        ] {
            let message = listen_failure_text(address.parse().unwrap(), &kind.into());
            assert!(message.contains(expected) && message.chars().count() <= MAX_MESSAGE_COLUMNS, "{message}");
        }
    }
}
