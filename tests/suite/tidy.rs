//! The rules of the house, read off the source text: who may import whom, where the clock is read, how long a file is.
//!
//! Each rule stands beside code that breaks it and code that keeps it, so that a rule that sees nothing is found out.

mod cycles;
mod reach;
mod retired;
mod source;

use bursar::app::Page;
use bursar::ui::glyphs::ascii_fallback;

use source::Source;

/// A rule and what proves that it can fail.
struct Rule {
    /// What it asks, as a sentence.
    asks: &'static str,
    /// What a file has against it: a line and why.
    check: fn(&Source) -> Vec<(usize, String)>,
    /// Files that break it, each as path and text.
    broken: &'static [(&'static str, &'static str)],
    /// Files that keep it.
    clean: &'static [(&'static str, &'static str)],
}

/// What each room may import of ours beside itself. A new room is written down here first.
const ROOMS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("fuzzing", &[]),
    ("orders", &["domain"]),
    ("guard", &["domain"]),
    ("scratch", &[]),
    ("disk", &[]),
    ("journal", &["domain", "orders", "scratch", "disk"]),
    ("store", &["domain", "scratch", "disk"]),
    ("api", &["domain", "journal"]),
    ("secrets", &["domain"]),
    ("config", &["domain", "guard", "secrets", "api"]),
    ("manual", &["domain"]),
    ("app", &["domain", "orders", "guard", "manual"]),
    ("ui", &["domain"]),
    ("terminal", &["domain"]),
    ("service", &["domain", "scratch", "disk"]),
    (
        "runtime",
        &["domain", "orders", "guard", "journal", "store", "api", "secrets", "config", "app", "ui", "terminal"],
    ),
    ("ssh", &["domain", "app", "ui", "terminal", "runtime", "service"]),
    (
        "cli",
        &[
            "domain", "guard", "journal", "store", "api", "secrets", "config", "manual", "app", "ui", "terminal",
            "runtime", "service", "ssh",
        ],
    ),
];

/// What may be named only in some rooms, as a path and those rooms.
const KEPT_TO: &[(&str, &[&str])] = &[
    ("reqwest", &["api"]),
    ("rusqlite", &["store", "journal", "service", "disk"]),
    ("axum", &["service"]),
    ("hyper", &["api", "service"]),
    ("hyper_util", &["api", "service"]),
    ("keyring", &["secrets"]),
    ("keyring_core", &["secrets"]),
    ("zbus_secret_service_keyring_store", &["secrets"]),
    ("russh", &["ssh", "secrets"]),
    ("ssh_key", &["domain"]),
    ("ratatui", &["app", "ui", "terminal", "runtime", "ssh"]),
    ("crossterm", &["terminal", "app", "runtime", "ssh", "cli"]),
    ("termina", &["runtime"]),
    ("rustix", &["scratch", "runtime", "cli", "journal", "store", "ssh", "secrets", "service"]),
];

/// What decides about money that leaves, and the rooms that may ask it: what the history proves, how attempts combine, what
/// pays the same. All others ask these rooms.
const DECISIONS: &[(&str, &[&str])] = &[
    ("check_event", &["orders", "journal", "app"]),
    ("check_send", &["orders", "app"]),
    ("combine_after", &["domain"]),
    ("delay_past_sending", &["orders", "runtime"]),
    ("end_from_recipient_reports", &["orders"]),
    ("end_from_verdict", &["orders", "runtime"]),
    ("has_new_alarm", &["orders"]),
    ("is_surely_failed", &["orders"]),
    ("is_worth_recording", &["orders", "journal", "runtime"]),
    ("OrderPattern", &["orders"]),
    ("pays_same_as", &["orders", "journal"]),
    ("transaction_of_other_order", &["orders", "runtime"]),
];

/// What decides, draws or encodes is pure: it names none of these.
const IMPURE: &[&str] = &[
    "tokio",
    "reqwest",
    "rusqlite",
    "crossterm",
    "termina",
    "rustix",
    "axum",
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::thread",
];

/// What of these a room names all the same: `app` knows keys, `terminal` knows a terminal's commands and the time that it is
/// given.
const EXCEPTED: &[(&str, &[&str])] = &[
    ("app", &["crossterm::event::KeyCode", "crossterm::event::KeyEvent", "crossterm::event::KeyModifiers"]),
    ("terminal", &["crossterm", "tokio::time::Instant"]),
];

/// Whether a page has the name, which is also that of its folder and of its field in the model's `pages`.
fn is_page(name: &str) -> bool {
    Page::ALL.iter().any(|page| format!("{page:?}").to_lowercase() == name)
}

const RULES: &[Rule] = &[
    Rule {
        asks: "a page names neither another page nor its state",
        check: |source| {
            let below = source.path.strip_prefix("src/app/pages/").unwrap_or_default();
            let own = below.split('/').next().unwrap_or_default().trim_end_matches(".rs");
            if !is_page(own) {
                return Vec::new();
            }
            let is_other = |name: &str| name != own && is_page(name);
            let imports = source.named_paths().into_iter().filter(|named_path| {
                named_path.parts.starts_with(&["crate", "app", "pages"].map(str::to_owned))
                    && named_path.parts.get(3).is_some_and(|page| is_other(page))
            });
            let imports = imports.map(|named_path| (named_path.line, named_path.parts.join("::")));
            let states = source.offsets_of("pages").filter(|at| *at < source.shipped().len()).filter_map(|at| {
                let field = source.code[at + "pages".len()..].trim_start().strip_prefix('.')?.trim_start();
                let name: String = field.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                is_other(&name).then(|| (source.line(at), format!("pages.{name}")))
            });
            imports.chain(states).collect()
        },
        broken: &[
            ("src/app/pages/users/keys.rs", "use crate::app::pages::book::BookRow;"),
            ("src/app/pages/users.rs", "use super::{Tone, overview};\nfn f() { overview::view() }"),
            ("src/app/pages/events/view.rs", "fn f(model: &mut Model) { model.pages\n.orders.listing.reset() }"),
        ],
        clean: &[
            ("src/app/pages/users/keys.rs", "use crate::app::pages::users::select;\nuse crate::app::pages::Tone;"),
            ("src/app/pages/orders.rs", "fn f(model: &mut Model) { model.pages.orders.listing.reset() }"),
            ("src/app/pages/holdings.rs", "use super::users;"),
            ("src/app/input/keys.rs", "fn f(model: &mut Model) { model.pages.orders.listing.reset() }"),
        ],
    },
    Rule {
        asks: "the model has 15 fields at most",
        check: |source| {
            let Some((_, fields)) = source.code.split_once("pub struct Model {\n") else { return Vec::new() };
            let fields = fields.split_once("\n}").map_or(fields, |(fields, _)| fields);
            let count = fields.lines().filter(|line| line.trim_start().starts_with("pub ")).count();
            if count <= 15 {
                Vec::new()
            } else {
                vec![(1, format!("it has {count}: each belongs to a page or a group"))]
            }
        },
        broken: &[(
            "src/app/model.rs",
            concat!(
                "pub struct Model {\n",
                "pub a: A,\npub b: A,\npub c: A,\npub d: A,\npub e: A,\npub f: A,\npub g: A,\npub h: A,\n",
                "pub i: A,\npub j: A,\npub k: A,\npub l: A,\npub m: A,\npub n: A,\npub o: A,\npub p: A,\n}",
            ),
        )],
        clean: &[("src/app/model.rs", "pub struct Model {\n    pub pages: Pages,\n}")],
    },
    Rule {
        asks: "a room imports only the rooms that it may",
        check: |source| {
            let Some(room) = source.room() else { return Vec::new() };
            let Some((_, others)) = ROOMS.iter().find(|(name, _)| *name == room) else {
                return vec![(1, format!("the room {room} is not in the table of tests/suite/tidy.rs"))];
            };
            let allowed = |other: &str| {
                other == room || others.contains(&other) || (room == "app" && other == "ui" && source.is_view())
            };
            let own_paths = source.named_paths().into_iter().filter(|named_path| named_path.parts[0] == "crate");
            let strange = own_paths.filter(|named_path| {
                let other = named_path.parts.get(1).map_or("", String::as_str);
                ROOMS.iter().any(|(name, _)| *name == other) && !allowed(other)
            });
            strange
                .map(|named_path| (named_path.line, format!("{room} imports {}", named_path.parts.join("::"))))
                .collect()
        },
        broken: &[
            ("src/domain/amount.rs", "use crate::store::Store;"),
            ("src/app/update.rs", "fn f() { crate::api::Reader::new() }"),
            ("src/app/update.rs", "use crate::{domain::Text, ui::theme};"),
            ("src/app.rs", "use super::runtime::clock;"),
            ("src/runtime/effect_runner.rs", "use crate::service::start;"),
            ("src/service/http.rs", "use crate::api::v2;"),
            ("src/cellar.rs", "fn f() {}"),
        ],
        clean: &[
            ("src/app/view.rs", "use crate::ui::theme;\nuse super::model;"),
            ("src/app/pages/users/view.rs", "use crate::ui::theme;"),
            ("src/store.rs", "use crate::domain::Text; // crate::api"),
            ("src/api/client.rs", "#[cfg(test)]\nmod tests {\n    use crate::service::start;\n}"),
            ("src/main.rs", "use bursar::service;"),
            ("src/store/schema.rs", "use super::super::*;"),
        ],
    },
    Rule {
        asks: "what decides about money that leaves is asked only by the rooms that it is kept to",
        check: |source| {
            let Some(room) = source.room() else { return Vec::new() };
            let strange = DECISIONS.iter().filter(|(_, rooms)| !rooms.contains(&room));
            let strange_words = strange.flat_map(|(name, _)| source.offsets_of(name).map(move |at| (at, *name)));
            let shipped = strange_words.filter(|(at, _)| *at < source.shipped().len());
            shipped.map(|(at, name)| (source.line(at), format!("{room} names {name}"))).collect()
        },
        broken: &[
            ("src/app/orders.rs", "fn f() { this.combine_after(earlier) }"),
            ("src/runtime/payments/lookup.rs", "fn f() { order.is_surely_failed(words, at) }"),
            ("src/guard/duplicate.rs", "use crate::orders::claim::OrderPattern;"),
        ],
        clean: &[
            ("src/domain/order.rs", "fn f() { this.combine_after(earlier) }"),
            ("src/orders/lookup.rs", "fn f() { order.is_surely_failed(words, at) }"),
            ("src/app/orders.rs", "#[cfg(test)]\nmod tests {\n    fn f() { order.has_new_alarm(look) }\n}"),
        ],
    },
    Rule {
        asks: "a library that acts is named only in the rooms that it is kept to",
        check: |source| {
            let Some(room) = source.room() else { return Vec::new() };
            let webhooks = source.path.starts_with("src/service/webhooks");
            let strange = source.named_paths().into_iter().filter(|named_path| {
                let library = named_path.parts[0].as_str();
                let rule = KEPT_TO.iter().find(|(name, _)| *name == library);
                rule.is_some_and(|(_, rooms)| !rooms.contains(&room)) && !(library == "reqwest" && webhooks)
            });
            strange
                .map(|named_path| (named_path.line, format!("{room} names {}", named_path.parts.join("::"))))
                .collect()
        },
        broken: &[
            ("src/service/http.rs", "use reqwest::Client;"),
            ("src/runtime/effect_runner.rs", "fn f(e: reqwest::Error) {}"),
            ("src/api/client.rs", "use rusqlite::Connection;"),
            ("src/runtime/console.rs", "use hyper::Request;"),
            ("src/config.rs", "fn f() { keyring::Entry::new() }"),
            ("src/domain/text.rs", "use ratatui::text::Line;"),
        ],
        clean: &[
            ("src/api/client.rs", "use reqwest::Client;"),
            ("src/service/webhooks/send.rs", "use reqwest::Client;"),
            ("src/secrets.rs", "use keyring::Entry;"),
        ],
    },
    Rule {
        asks: "what decides, draws or encodes names nothing that acts",
        check: |source| {
            let Some(room @ ("app" | "domain" | "orders" | "guard" | "ui" | "terminal")) = source.room() else {
                return Vec::new();
            };
            let exempt_paths = EXCEPTED.iter().find(|(name, _)| *name == room).map_or(&[][..], |(_, paths)| *paths);
            let strange = source.named_paths().into_iter().filter_map(|named_path| {
                let path = named_path.parts.join("::");
                let within = |library: &&str| path == *library || path.starts_with(&format!("{library}::"));
                let acts = IMPURE.iter().any(within) && !exempt_paths.iter().any(within);
                acts.then(|| (named_path.line, format!("names {path}")))
            });
            strange.collect()
        },
        broken: &[
            ("src/app/update.rs", "use std::{fmt, fs};"),
            ("src/app/view.rs", "use tokio::time;"),
            ("src/app/poll.rs", "fn f() { std::env::var(\"HOME\") }"),
            ("src/domain/chain.rs", "use std::fs::File;"),
            ("src/ui/theme.rs", "use crossterm::style::Color;"),
            ("src/app/keys.rs", "use crossterm::event::{KeyCode, read};"),
            ("src/domain/text.rs", "use crossterm::event::KeyCode;"),
            ("src/terminal/pump.rs", "use tokio::io::AsyncWrite;"),
        ],
        clean: &[
            ("src/app/update.rs", "use std::fmt;"),
            ("src/app/keys.rs", "fn f(key: crossterm::event::KeyCode) { crossterm::event::KeyEvent::from(key) }"),
            ("src/terminal/pump.rs", "use tokio::time::Instant;"),
            ("src/runtime/local_terminal.rs", "use std::fs::File;"),
        ],
    },
    Rule {
        asks: "under app, only view files name ratatui",
        check: |source| {
            if source.room() != Some("app") || source.is_view() {
                return Vec::new();
            }
            let imports = source.named_paths().into_iter().filter(|named_path| named_path.parts[0] == "ratatui");
            imports.map(|imports| (imports.line, imports.parts.join("::"))).collect()
        },
        broken: &[("src/app/model.rs", "use ratatui::widgets::TableState;")],
        clean: &[("src/app/view.rs", "use ratatui::Frame;"), ("src/app/pages/users/view.rs", "use ratatui::Frame;")],
    },
    Rule {
        asks: "the clock is read in the two clock modules alone",
        check: |source| {
            if source.room().is_none()
                || matches!(source.path.as_str(), "src/runtime/clock.rs" | "src/service/clock.rs")
            {
                return Vec::new();
            }
            let clocks = ["SystemTime", "Instant", "Utc", "Local"];
            let calls = source.named_paths().into_iter().filter(|named_path| {
                let [.., clock, last] = named_path.parts.as_slice() else { return false };
                last == "now" && clocks.contains(&clock.as_str())
            });
            let elapsed =
                source.shipped().match_indices(".elapsed()").map(|(at, _)| (source.line(at), "elapsed()".into()));
            calls.map(|calls| (calls.line, calls.parts.join("::"))).chain(elapsed).collect()
        },
        broken: &[
            ("src/store/history.rs", "fn f() { let t = std::time::SystemTime::now(); }"),
            ("src/app/update.rs", "fn f() { chrono::Utc::now() }"),
            ("src/terminal/pump.rs", "fn f() { Instant::now() }"),
            ("src/api/client.rs", "fn f(start: Instant) { start.elapsed(); }"),
        ],
        clean: &[
            ("src/runtime/clock.rs", "fn f() { Instant::now() }"),
            ("src/service/clock.rs", "fn f() { Utc::now() }"),
        ],
    },
    Rule {
        asks: "names that the specification leaves out are spelled in wire_names alone",
        check: |source| {
            if source.room() != Some("api") || source.path == "src/api/wire_names.rs" {
                return Vec::new();
            }
            // The reply of a list names its page, which is documented; the question for one is not.
            let undocumented_names =
                ["(\"pageNo\",", "(\"pageLimit\",", "pageNo=", "pageLimit=", "\"extId\"", "\"transferId\""];
            let shipped = &source.spoken[..source.shipped().len()];
            let wire_names = undocumented_names.iter().flat_map(|name| shipped.match_indices(name));
            wire_names.map(|(at, name)| (source.line(at), name.to_owned())).collect()
        },
        broken: &[
            ("src/api/v2/transactions.rs", "fn f() { query(&[(\"pageNo\", 1)]) }"),
            ("src/api/v2/users.rs", "fn f() { get(\"/v2/users?pageLimit=100\") }"),
        ],
        clean: &[
            ("src/api/wire_names.rs", "fn f() { query(&[(\"pageNo\", 1)]) }"),
            ("src/api/envelope.rs", "fn f() { fields.integer(\"pageNo\") }"),
            ("src/api/v2.rs", "// asks with (\"pageNo\", 1)"),
        ],
    },
    Rule {
        asks: "requests that change something are made by the operator alone",
        check: |source| {
            // Notifications go to the operator's own address, never to the service.
            let exempt_files = ["src/api/operator.rs", "src/api/notification.rs"];
            if source.room() != Some("api") || exempt_files.contains(&source.path.as_str()) {
                return Vec::new();
            }
            let shipped = source.shipped();
            let methods = ["post", "put", "patch", "delete", "request", "execute"];
            let calls = methods.into_iter().flat_map(|word| {
                let calls = source
                    .offsets_of(word)
                    .filter(move |at| shipped.get(at + word.len()..at + word.len() + 1) == Some("("));
                calls.filter(|at| shipped[..*at].ends_with(['.', ':'])).map(move |at| (at, word))
            });
            let methods = source.offsets_of("Method").filter(|at| *at < shipped.len()).map(|at| (at, "Method"));
            calls.chain(methods).map(|(at, word)| (source.line(at), word.to_owned())).collect()
        },
        broken: &[
            ("src/api/client.rs", "fn f() { http.post(url) }"),
            ("src/api/v2/users.rs", "fn f() { self.http().request(m, url) }"),
            ("src/api/client.rs", "fn f() { Client::execute(&http, r) }"),
            ("src/api/body.rs", "use reqwest::Method;"),
        ],
        clean: &[
            ("src/api/operator.rs", "use reqwest::Method; fn f() { http.request(Method::POST, url) }"),
            ("src/api/client.rs", "fn f() { http.get(url); limits.request; request.send() } // .post(x)"),
            ("src/service/http.rs", "use axum::http::Method; fn f() { r.post(x) }"),
            ("src/api/client.rs", "fn f() {}\n#[cfg(test)]\nmod tests {\n    fn f() { http.post(url) }\n}"),
        ],
    },
    Rule {
        asks: "a file has at most 400 lines, tests aside",
        check: |source| {
            let lines = source.shipped().lines().count();
            if lines > 400 { vec![(401, format!("{lines} lines; split it by subject"))] } else { Vec::new() }
        },
        broken: &[("src/app/update.rs", LONG)],
        clean: &[("src/app/update/tests.rs", LONG), ("tests/suite/walk.rs", LONG)],
    },
    Rule {
        asks: "a module is name.rs, and its name says what is in it",
        check: |source| {
            let names = source.path.trim_end_matches(".rs").split('/');
            let vague = names
                .filter(|name| matches!(*name, "mod" | "utils" | "util" | "helpers" | "common" | "types" | "manager"));
            vague.map(|name| (1, format!("a file or folder called {name}"))).collect()
        },
        broken: &[
            ("src/app/mod.rs", ""),
            ("src/ui/utils.rs", ""),
            ("tests/suite/common/screen.rs", ""),
            ("src/api/types.rs", ""),
        ],
        clean: &[("src/app/model.rs", ""), ("src/domain/account.rs", "")],
    },
    Rule {
        asks: "no binary floating point where money is",
        check: |source| {
            if !matches!(source.room(), Some("domain" | "orders" | "guard" | "api" | "journal" | "store" | "service")) {
                return Vec::new();
            }
            let floats = ["f32", "f64"].into_iter().flat_map(|word| source.offsets_of(word));
            floats.map(|at| (source.line(at), "f32 or f64".to_owned())).collect()
        },
        broken: &[("src/domain/amount.rs", "fn f(x: f64) {}"), ("src/service/ledger/fee.rs", "let x = 1 as f32;")],
        clean: &[("src/ui/chart.rs", "fn f(x: f64) {}"), ("src/api/number.rs", "// never an f64\nlet half64 = 0xf64;")],
    },
    Rule {
        asks: "exceptions are expected and say why",
        check: |source| {
            let allowed = ["#[allow(", "#![allow("].into_iter().flat_map(|start| source.code.match_indices(start));
            let allowed = allowed.map(|(at, _)| (source.line(at), "allow; write expect with a reason".to_owned()));
            let expected = ["#[expect(", "#![expect("].into_iter().flat_map(|start| source.code.match_indices(start));
            let unreasoned = expected.filter(|(at, _)| {
                let end = source.code[*at..].find(")]").unwrap_or(source.code.len() - at);
                !source.code[*at..at + end].contains("reason =")
            });
            let unreasoned = unreasoned.map(|(at, _)| (source.line(at), "expect without a reason".to_owned()));
            allowed.chain(unreasoned).collect()
        },
        broken: &[
            ("src/ui.rs", "#[allow(dead_code)]\nfn f() {}"),
            ("tests/suite/walk.rs", "#![allow(clippy::all)]"),
            ("src/ui.rs", "#[expect(clippy::expect_used)]\nfn f() {}"),
        ],
        clean: &[(
            "src/ui.rs",
            "#[expect(\n    clippy::expect_used,\n    reason = \"the table (above) holds it\"\n)]\nfn f() {}",
        )],
    },
    Rule {
        asks: "each sign beyond ASCII that reaches the screen has its stand-in in src/ui/glyphs.rs",
        check: |source| {
            let painted_rooms = [
                "app", "ui", "domain", "orders", "guard", "journal", "store", "api", "secrets", "config", "terminal",
                "runtime",
            ];
            if !source.room().is_some_and(|room| painted_rooms.contains(&room)) {
                return Vec::new();
            }
            // Comments are blanks here, and code is ASCII: what is left stands in literals.
            let spoken = &source.spoken[..source.shipped().len()];
            let unmapped =
                spoken.char_indices().filter(|(_, sign)| !sign.is_ascii() && ascii_fallback(*sign).is_none());
            unmapped.map(|(at, sign)| (source.line(at), sign.to_string())).collect()
        },
        broken: &[("src/app/view.rs", "fn f() { put(\"☂\") }"), ("src/domain/failure.rs", "const X: char = '☂';")],
        clean: &[
            ("src/app/view.rs", "fn f() { put(\"● –\") } // ☂"),
            ("src/service/rate_limit.rs", "fn f() { \"☂\" }"),
            ("src/ui/row.rs", "fn f() {}\n#[cfg(test)]\nmod tests {\n    fn f() { \"☂\" }\n}"),
        ],
    },
    Rule {
        asks: "a test is left out of `cargo test` only for a program that it needs or as a campaign, and none sleeps",
        check: |source| {
            let has_reason = |at: usize| {
                let line = source.spoken.lines().nth(source.line(at) - 1).unwrap_or_default().trim_start();
                ["needs ", "campaign"].iter().any(|reason| line.starts_with(&format!("#[ignore = \"{reason}")))
            };
            let ignored = source.code.match_indices("#[ignore").filter(|(at, _)| !has_reason(*at));
            let ignored = ignored.map(|(at, _)| (source.line(at), "ignored".to_owned()));
            let from = source.code.len() - source.tests().len();
            let asleep = ["sleep", "sleep_until", "sleep_ms"].into_iter().flat_map(|word| source.offsets_of(word));
            let asleep = asleep.filter(|at| *at >= from).map(|at| (source.line(at), "sleeps".to_owned()));
            ignored.chain(asleep).collect()
        },
        broken: &[
            ("tests/suite/walk.rs", "#[test]\n#[ignore = \"slow\"]\nfn f() {}"),
            ("tests/suite/walk.rs", "#[test]\n#[ignore]\nfn f() {}"),
            ("tests/suite/walk.rs", "fn f() { std::thread::sleep(d) }"),
            ("src/api/client/tests.rs", "async fn f() { sleep(d).await }"),
            ("src/api/client.rs", "fn g() {}\n#[cfg(test)]\nmod tests {\n    fn f() { tokio::time::sleep(d) }\n}"),
        ],
        clean: &[
            ("src/terminal/pump.rs", "async fn f() { tokio::time::sleep(d).await }"),
            ("tests/suite/walk.rs", "fn a_sleepless_night() {} // sleep"),
            ("tests/suite/walk.rs", "#[test]\n#[ignore = \"needs tmux\"]\nfn f() {}"),
            ("tests/suite/walk.rs", "#[test]\n#[ignore = \"campaign: every flip\"]\nfn f() {}"),
        ],
    },
    Rule {
        asks: "a test that starts a keyring is left out of `cargo test`, for not every machine has one",
        check: |source| {
            let is_run_everywhere = |at: &usize| {
                let before = &source.code[..*at];
                let test = before.rfind("#[test]").map_or("", |start| &before[start..]);
                !test.is_empty() && !test.contains("\n}\n") && !test.contains("#[ignore")
            };
            let starts =
                ["Desk::unlocked", "Desk::new(&Policy"].into_iter().flat_map(|call| source.code.match_indices(call));
            let starts = starts.map(|(at, _)| at).filter(is_run_everywhere);
            starts.map(|at| (source.line(at), "starts a keyring".to_owned())).collect()
        },
        broken: &[("tests/suite/keys.rs", "#[test]\nfn f() {\n    let desk = Desk::unlocked();\n}")],
        clean: &[
            (
                "tests/suite/keys.rs",
                "#[test]\n#[ignore = \"needs dbus\"]\nfn f() {\n    let desk = Desk::unlocked();\n}",
            ),
            ("tests/suite/keys.rs", "#[test]\nfn f() {\n}\n\nfn g() {\n    Desk::unlocked();\n}"),
        ],
    },
    Rule {
        asks: "what the veil shows is named field by field: a field that is new is no part of it until somebody says so",
        check: |source| {
            let is_of_veil = source.path.ends_with("/masking.rs") || source.path.starts_with("src/app/session/veil/");
            if !is_of_veil && !source.code.contains("veil: &Veil") {
                return Vec::new();
            }
            let rests = source.code.match_indices("..").filter(|(at, _)| {
                let rest = source.code[at + 2..].split(['}', '\n', ';']).next().unwrap_or_default();
                rest.starts_with(|c: char| c.is_ascii_lowercase()) && rest.contains(".clone()")
            });
            rests.map(|(at, _)| (source.line(at), "copies the rest".to_owned())).collect()
        },
        broken: &[
            ("src/app/pages/book/masking.rs", "fn f() { Row { name, ..row.clone() } }"),
            ("src/app/session/veil/mask.rs", "fn f() { Row {\n    name,\n    ..self.row.clone()\n} }"),
            ("src/app/model/pages.rs", "fn to_masked(&self, veil: &Veil) -> Self { Self { name, ..self.clone() } }"),
        ],
        clean: &[
            (
                "src/app/pages/book/masking.rs",
                "fn f() { let Row { name, .. } = row; Row { name: name.clone(), ..Row::default() } }",
            ),
            ("src/app/pages/book/list.rs", "fn f() { Row { name, ..row.clone() } }"),
        ],
    },
];

/// More than 400 lines.
const LONG: &str = {
    const LINES: [u8; 401] = [b'\n'; 401];
    match std::str::from_utf8(&LINES) {
        Ok(text) => text,
        Err(_) => "",
    }
};

#[test]
fn the_house_keeps_its_rules() {
    let sources = Source::all();
    assert!(sources.iter().any(|source| source.path == "src/lib.rs"), "the source was not found");
    let mut faults = Vec::new();
    for rule in RULES.iter().chain(reach::RULES) {
        for source in &sources {
            let against = (rule.check)(source).into_iter();
            faults.extend(against.map(|(line, reason)| format!("{}:{line}: {} ({reason})", source.path, rule.asks)));
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn each_rule_sees_what_breaks_it_and_nothing_else() {
    for rule in RULES.iter().chain(reach::RULES) {
        assert!(!rule.broken.is_empty(), "nothing proves that this can fail: {}", rule.asks);
        for (path, text) in rule.broken {
            assert!(!(rule.check)(&Source::new(path, text)).is_empty(), "{}: not seen in {path}: {text}", rule.asks);
        }
        for (path, text) in rule.clean {
            assert_eq!((rule.check)(&Source::new(path, text)), [], "{}: wrongly seen in {path}: {text}", rule.asks);
        }
    }
}
