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

/// How long after it could not listen a console tries again.
const RETRY_INTERVAL: Duration = Duration::from_secs(10);
/// Columns that an event's words have on a screen of 80.
const ROOM: usize = 60;

/// Listens, from now on or as soon as it can, until what this gives is dropped.
///
/// A console without webhooks is a slower one, not a worse one: that it cannot listen is told in the header and among the
/// events, and it goes on trying, as where another console of the profile has the port and will be closed.
pub(super) async fn start_webhooks(
    console: &mut Console,
    effects: &Runtime,
    listening: WebhookOptions,
    place: String,
) -> JoinSet<()> {
    let mut listens = JoinSet::new();
    let (takes, tell) = (console.webhook_sink(), console.told());
    let first = effects.spawn(open(listening.clone(), Arc::clone(&takes))).await;
    match first.unwrap_or_else(|broke_off| Err(format!("no webhooks: {broke_off}"))) {
        Ok(listener) => {
            let _asks_nothing = console.handle_message(Msg::Listening(Ok(place)));
            listens.spawn_on(keep(listener), effects.handle());
        }
        Err(why) => {
            tracing::warn!(why, "webhooks are not listened for");
            let _asks_nothing = console.handle_message(Msg::Listening(Err(why.clone())));
            let again = async move {
                let listener = at_last(&listening, &takes, why, &tell).await;
                tell(Msg::Listening(Ok(place)));
                keep(listener).await;
            };
            listens.spawn_on(again, effects.handle());
        }
    }
    listens
}

async fn open(listening: WebhookOptions, takes: HintSink) -> Result<WebhookListener, String> {
    let address = listening.address;
    let now = Arc::new(|| Clock::System.now());
    WebhookListener::open(listening, now, takes).await.map_err(|error| unheard(address, &error))
}

/// Tries until it listens. Why it cannot is told again only where that has changed.
async fn at_last(
    listening: &WebhookOptions,
    takes: &HintSink,
    mut told: String,
    tell: impl Fn(Msg),
) -> WebhookListener {
    loop {
        sleep(RETRY_INTERVAL).await;
        match open(listening.clone(), Arc::clone(takes)).await {
            Ok(listener) => return listener,
            Err(why) if why == told => {}
            Err(why) => {
                tracing::warn!(why, "webhooks are not listened for");
                told.clone_from(&why);
                tell(Msg::Listening(Err(why)));
            }
        }
    }
}

/// Has it listen until this is dropped.
async fn keep(_listens: WebhookListener) {
    std::future::pending::<()>().await;
}

/// Why no webhooks are heard and what would be right, in a line that a row of 80 columns has room for: an address of version 6
/// may be too long for that.
fn unheard(address: SocketAddr, error: &io::Error) -> String {
    let port = address.port();
    let fitting = |whole: String, short: String| if whole.chars().count() <= ROOM { whole } else { short };
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
        for (address, kind, words) in [
            ("127.0.0.1:18470", io::ErrorKind::AddrInUse, "127.0.0.1:18470 is taken, by another console?"),
            (long, io::ErrorKind::AddrInUse, "port 18470 is taken, by another console?"),
            ("192.168.100.200:8470", io::ErrorKind::AddrNotAvailable, "192.168.100.200 is not on this machine"),
            (long, io::ErrorKind::AddrNotAvailable, "the address is not on this machine"),
            ("127.0.0.1:80", io::ErrorKind::PermissionDenied, "port 80 is reserved; use 1024 or higher"),
        ] {
            let said = unheard(address.parse().unwrap(), &kind.into());
            assert!(said.contains(words) && said.chars().count() <= ROOM, "{said}");
        }
    }
}
