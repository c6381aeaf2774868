//! bursar: a treasury console in the terminal.
//!
//! It watches a business's accounts, wallets, balances and transactions at a wallet and transfer service, and carries a
//! full implementation of that service inside, so that everything can be tried offline. This page says how it is built;
//! the modules below stand in the order in which they are best read.
//!
//! Three promises, in this order when they conflict: money is safe, the screen is true, the screen is fast.
//!
//! # Rooms
//!
//! Each module is a room with one task, and what a room may import is a rule that a test reads from its `use` lines.
//!
//! | Room | Its task | Imports |
//! |---|---|---|
//! | [`domain`] | what things are: exact amounts, addresses, transactions, failures, text made harmless | nothing of ours |
//! | [`guard`] | from what is to be paid and what is known to what the operator must be told | `domain` |
//! | [`api`] | speaks HTTP to a service and hears its webhooks; the only place that does | `domain`, `journal` for its permission to send |
//! | [`journal`] | keeps every order from its birth to its end, and permits each sending | `domain`, `scratch` |
//! | [`store`] | keeps what was read, and answers windows, searches and sums from it; delete it and nothing is lost | `domain`, `scratch` |
//! | [`app`] | decides, purely; its view files draw | `domain`, `guard`, views also `ui` |
//! | [`ui`] | paint, and the widgets that views share | `domain` |
//! | [`runtime`] | the only place where anything happens: terminal, clock, loop, effects | all but `service`, `ssh` and `cli` |
//! | [`service`] | the embedded service: ledger, simulated chains, HTTP | `domain`, `scratch` |
//! | `scratch` | folders of temporary files, gone with the process that holds them | nothing of ours |
//! | [`secrets`] | keys and where they are kept: keyring, sealed file, environment; nothing prints them | `domain` |
//! | [`config`] | what the program is told to do, as one validated value | `domain`, `secrets`, `api` |
//! | [`ssh`] | lends the console over SSH, each visitor on a workspace of their own | `runtime`, `service` and what a console is made of |
//! | [`cli`] | the command line: puts the rooms together | everything |
//!
//! What Rust has no safe call for, the settings of the C library's allocator, is a crate of its own, `crates/heap`; all else forbids unsafe code.
//!
//! The console and the embedded service share [`domain`], folders of temporary files and nothing else: they meet over HTTP on loopback alone, so the
//! console cannot know of its own service what it could not know of a stranger's.
//!
//! # How a value travels
//!
//! ```text
//!            bytes                 Msg                   Effect
//!  terminal ───────▶ runtime ─────────────▶ app::update ────────▶ runtime ──┬─▶ api ───▶ the service
//!      ▲             input                   (pure)               perform   │     │ domain values
//!      │                                        │                           │     ▼
//!      │   few bytes                            ▼                           └─▶ store ──▶ SQLite
//!      └──────────── encoder ◀── pump ◀── app::view ◀── Model                     │
//!                                            (pure)      ▲                        │
//!                                                        └─── Msg::Answered ◀─────┘
//! ```
//!
//! - A balance leaves the service as JSON. [`api`] reads its digits as text into an [`Amount`](domain::Amount), a 256-bit
//!   integer and its decimals, never through binary floating point; every word beside it passes through
//!   [`Text`](domain::Text), which takes out what could move a cursor or turn a line around.
//! - [`runtime`] writes it into the [`store`], with the moment at which it was read, and tells the model only *that*
//!   something was read ([`Msg::Loaded`](app::Msg::Loaded)).
//! - [`app::update()`] asks the store for what is on screen ([`Effect::QueryStore`](app::Effect::QueryStore)). The model never holds the
//!   history: it holds the window of rows that the screen shows and a little around it.
//! - [`app::view()`] paints the model. A figure that is older than two poll periods is dim and says its age; one that is not
//!   known is a dash, never a zero.
//! - The pump paints when something changed and the terminal has caught up, and the encoder sends the difference.
//!
//! # How a payment travels
//!
//! ```text
//!   form ──Draft──▶ freeze ──bytes──▶ journal ──Intent──▶ review ──typed──▶ journal ──Order──▶ Operator ──▶ the service
//!   app::forms      api               drafted   guard     app::forms        confirmed          api             │
//!                                                                           sending      ◀──── answered ◀──────┤
//!   Orders page ◀── app::orders ◀──────── Msg::Orders ◀──────────────────── looked, ended ◀─── the history ◀───┘
//! ```
//!
//! - The request is made once, as bytes, and those bytes are recorded, read back for the review, and sent. Nobody makes them
//!   again: not to show them, not to resend them.
//! - What may follow on what is decided in [`domain::intent`]; the journal asks it inside the transaction that writes. An
//!   [`SendPermit`](journal::SendPermit) comes out of the transaction that records the attempt, cannot be copied, and is used up by
//!   [`Operator::send`](api::Operator::send): without a record on the disk there is nothing to send with.
//! - A swap's quote promises nothing: right before the journal begins, it is asked for once more, and what is worse than the
//!   review showed and the bound allows goes back to the review ([`guard::check_quote`]).
//! - What came back is an [`Outcome`](domain::Outcome), and only an acceptance clears what was unknown before. [`app::orders`]
//!   decides what is read, what is sent again, and which words the operator sees. The table of what a crash leaves at each
//!   moment stands in [`journal`].
//!
//! # The central types
//!
//! | Type | What it is |
//! |---|---|
//! | [`Msg`](app::Msg) | what comes in, grouped by who sends it: a key, a tick, an answer of the service or of the store |
//! | [`Effect`](app::Effect) | what is to be done, as plain data that can be compared and printed; each is answered |
//! | [`Model`](app::Model) | everything that the screen shows and the next key depends on |
//! | [`Remote`](app::remote::Remote) | how fresh a data set is: last good answer, what is under way, what failed, what is due |
//! | [`RequestId`](app::RequestId) | which question an answer belongs to: one to an older question is dropped |
//! | [`Listing`](app::listing::Listing) | a list of which a window is held; rows are known by keys, so a refresh moves no selection |
//! | [`Failure`](domain::Failure) | what went wrong, and the question that money asks first: may it have taken effect? |
//! | [`Vault`](secrets::Vault) | the place where the keys of one profile at one address are kept, asked anew each time |
//! | [`PagedList`](domain::PagedList) | a list as it was read: what the service ignored of filter and paging was done here, and is noted |
//! | [`Order`](domain::Order) | the life of an order, as the sum of its events |
//! | [`Finding`](guard::Finding) | what the guard has to say of a payment, and how grave it is |
//! | [`Reader`](api::Reader) | a connection that has no method which changes state |
//! | [`Operator`](api::Operator) | the only one that has: it sends what the journal permits, once, and says what came of it |
//! | [`RequestBytes`](domain::intent::RequestBytes) | a request as bytes: what is confirmed is read back from them, and they are what is sent |
//! | [`ConfirmedQuote`](domain::ConfirmedQuote) | what a review showed of a swap when it was confirmed; what comes of it is held against it |
//! | [`Events`](app::events::Events) | what happened while the console ran, in a ring; `Model::record_event` adds to it |
//! | [`Hints`](domain::Hints) | that webhooks came in: a reason to read, and nothing that is believed |
//! | [`Appearance`](domain::Appearance) | how a screen may look: the theme, the colours that there are, the characters; [`Zone`](domain::Zone) is its clock |
//! | [`Watch`](domain::watch::Watch) | what the operator wants to be told of; a [`Gauge`](domain::watch::Gauge) says when that is so, once for each crossing |
//! | [`Veil`](app::veil::Veil) | whether the screen is veiled: then a twin of the model is drawn that holds stand-ins alone |
//! | [`Lock`](app::lock::Lock) | whether paying is locked, and what unlocks it |
//! | [`Presentation`](runtime::presentation::Presentation) | where one presents and others look on, who get finished pictures and nothing else |
//! | [`World`](runtime::effect_runner::World) | what a console may reach, handed to it at its start |
//! | [`HostPermission`](runtime::HostPermission) | the permission to touch this machine's files: the command line gives it out, a visitor has none |
//! | [`Instance`](service::Instance) | a ledger with its keys and its life, behind a door of its own or, as a [`TenantInstance`](service::TenantInstance), behind one that many share |
//!
//! # What holds everywhere
//!
//! - Decisions are pure and effects are data: `update` cannot cause anything, and drawing never changes behaviour.
//! - What is polled follows what is looked at. A data set has one request under way at most and one more remembered; a
//!   pause that the service asked for is kept by all of them, whatever moves on screen. A rejected key stops everything until the
//!   operator says so. See [`app::poll`].
//! - The clock is read in [`runtime::clock`] and in the service's own [`clock`](service::clock); everybody else is told
//!   the time.
//! - Words of a service are open: a status that nobody knows is shown as it came and never taken to be final.
//! - Errors are typed where somebody branches on them and say what would be right.
//!
//! # Where things go
//!
//! | To add | Write | Touch |
//! |---|---|---|
//! | a pane | `app/panes/x.rs` and `x/view.rs`, a row of screens in the tests | [`Pane`](app::screen::Pane) and its matches |
//! | what the model shows | its field | its stand-in in `app/veil/mask.rs`: without one it is blank while the veil is on |
//! | a key | one row in [`keymap`](app::keymap) | nothing: footer, help, palette and README follow; where it can be refused, its arm in `app/availability.rs` |
//! | a watch | a [`Condition`](domain::watch::Condition) | its arm in the gauge, in `config/watches.rs` and in `runtime/watch_readings.rs` |
//! | an endpoint | a method and its wire types in `api/` | the same resource under `service/http/`, a fixture of the specification |
//! | what is polled | a [`Dataset`](app::Dataset) | its arm in `runtime/reads.rs`, its pause in [`app::poll`] |
//! | a chain | a row in [`domain::chain`] | rows of fixtures |
//! | a scene of the demo | its row in `service/activity/scene.rs`, and what happened last in it | README's table; a journey in `tests/suite/scenes.rs` |
//! | an export | its columns in `runtime/export/x.rs` | its [`ExportRows`](app::ExportRows), the list that `app/export/shown.rs` makes them of, their arm in `runtime/export/rows.rs`; its command in [`cli`] |
//! | a parser of what strangers write | its laws in `tests/fuzzed.rs` beside it | nothing: `cargo test` and `.ci/fuzz` find it |
//! | a field of the filter | its name in [`domain::filter`] | where the store's scan looks for it |
//! | a theme | its palettes in `ui/theme/palettes.rs`, for sixteen colours and for many | [`ThemeName`](domain::ThemeName) and its matches |
//! | a sign beyond ASCII | its stand-in in [`ui::glyphs`] | nothing: a test reads the source for those that are missing |
//! | a kind of visit over SSH | a [`Role`](ssh::Role) | its arm in `ssh/visit.rs` |
//! | a guard rule | `guard/x.rs` | one line in [`guard::judge()`], a field of [`GuardFacts`](guard::GuardFacts) and its arm in [`runtime::guard_facts`] if it needs to know more |

pub mod domain;
pub mod guard;

pub mod api;
mod disk;
pub mod journal;
mod scratch;
pub mod store;

pub mod app;
pub mod ui;

pub mod runtime;

pub mod service;
pub mod ssh;

pub mod config;
pub mod secrets;

pub mod cli;

#[cfg(test)]
mod fuzzing;
