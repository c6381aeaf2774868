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
//! | [`domain`] | what things are: exact amounts, addresses, transactions, orders, failures, sanitised text | nothing of ours |
//! | [`orders`] | decides about money that leaves: whose a row is, what a read proves, when an order has ended | `domain` |
//! | [`guard`] | judges a payment by the facts that are known: one finding a rule | `domain` |
//! | [`api`] | speaks HTTP to the service and receives its webhooks; no other room does | `domain`, `journal` for its `SendPermit` |
//! | [`journal`] | records every order from draft to end, and permits each attempt to send it | `domain`, `orders`, `scratch` |
//! | [`store`] | caches what was read, and answers windows, searches and sums from it; deleting it loses nothing | `domain`, `scratch` |
//! | [`app`] | decides, purely; its view files draw | `domain`, `orders`, `guard`, views also `ui` |
//! | [`ui`] | paint, and the widgets that views share | `domain` |
//! | [`terminal`] | what a terminal or an SSH channel is told and tells: modes, input parser, encoder, frame pump | `domain` |
//! | [`runtime`] | the only room with effects: local terminal, clock, run loop, requests, disk | all but `service`, `ssh` and `cli` |
//! | [`service`] | the embedded service: ledger, simulated chains, HTTP | `domain`, `scratch` |
//! | `scratch` | temporary folders, removed with the process that made them | nothing of ours |
//! | [`manual`] | the chapters of `assets/manual`, as lines for a screen and as a manual page | `domain` |
//! | [`secrets`] | API keys and wallet secrets, and where they are stored: keyring, sealed file, environment | `domain` |
//! | [`config`] | profiles and options, as one validated value | `domain`, `secrets`, `api` |
//! | [`ssh`] | serves the console over SSH, with a workspace for each visitor | `terminal`, `runtime`, `service` and what a console is made of |
//! | [`cli`] | the command line: puts the rooms together | everything |
//!
//! The settings of the C library's allocator, for which Rust has no safe call, are a crate of their own, `crates/heap`; all
//! other code forbids `unsafe`.
//!
//! The console and the embedded service share [`domain`] and `scratch` and meet over HTTP on loopback alone, so that the
//! console can know nothing of its own service that it could not know of any other.
//!
//! # How a value travels
//!
//! ```text
//!            bytes                 Msg                   Effect
//!      tty ───────▶ terminal ────────────▶ app::update ────────▶ runtime ──┬─▶ api ───▶ the service
//!      ▲             input                   (pure)               perform   │     │ domain values
//!      │                                        │                           │     ▼
//!      │   few bytes                            ▼                           └─▶ store ──▶ SQLite
//!      └──────────── encoder ◀── pump ◀── app::view ◀── Model                     │
//!                                            (pure)      ▲                        │
//!                                                        └─── Msg::Answered ◀─────┘
//! ```
//!
//! - The service sends a balance as JSON. [`api`] reads its digits as text into an [`Amount`](domain::Amount), a 256-bit
//!   integer with its decimals, never through binary floating point; every text beside it becomes a
//!   [`Text`](domain::Text), without characters that move a cursor or reverse a line.
//! - [`runtime`] writes it into the [`store`] with the time of the read, and the model learns only *that* a data set was
//!   read ([`Msg::Loaded`](app::Msg::Loaded)).
//! - [`app::update()`] queries the store for what is on screen ([`Effect::QueryStore`](app::Effect::QueryStore)). The model
//!   never holds the history, only the window of rows on screen and a margin around it.
//! - [`app::view()`] draws the model. A figure older than two poll periods is dim and states its age; an unknown one is a
//!   dash, never a zero.
//! - The pump draws a frame when the model changed and the terminal has acknowledged the last one; the encoder sends the
//!   difference.
//!
//! # How a payment travels
//!
//! ```text
//!   form ──Draft──▶ encode ──bytes──▶ journal ──Order──▶ review ──typed──▶ journal ──SendPermit──▶ Operator ──▶ the service
//!   app::forms      api               drafted   guard    app::forms        confirmed               api             │
//!                                                                          sending      ◀────── answered ◀─────────┤
//!   Orders page ◀── app::orders ◀──────── Msg::Orders ◀─────────────────── looked, ended ◀───── the history ◀──────┘
//! ```
//!
//! - The request is serialised once; those bytes are recorded, decoded for the review, and sent. Nothing serialises them
//!   again, neither to show nor to resend them.
//! - [`domain::order`] decides which event may follow which; the journal asks it inside the transaction that writes. A
//!   [`SendPermit`](journal::SendPermit) comes out of the transaction that records the attempt, cannot be copied, and is used
//!   up by [`Operator::send`](api::Operator::send): without a record on disk there is nothing to send with.
//! - A swap's quote is fetched again right before it is sent; one that is worse than the review showed, beyond the slippage
//!   tolerance, goes back to the review ([`guard::check_quote`]).
//! - Where a rule of [`domain::approval`] asks for it, the review ends in a proposal instead of a send, and [`SendPermit`](journal::SendPermit)
//!   is issued only after the journal has counted the signatures of other people over that very request.
//! - What came back is an [`Outcome`](domain::Outcome), and only an acceptance resolves what was unknown before. [`orders`]
//!   decides for which orders the history is read, what it proves of them, and what is sent again; [`app::orders`] which
//!   sentences the operator reads. The table of what a crash leaves at each moment is in [`journal`].
//!
//! # The central types
//!
//! | Type | What it is |
//! |---|---|
//! | [`Msg`](app::Msg) | what comes in, grouped by sender: a key, a tick, a response of the service or of the store |
//! | [`Effect`](app::Effect) | what is to be done, as plain data; each is answered by one message |
//! | [`Model`](app::Model) | everything that the screen shows and the next key depends on: what this console is, what was read from the service and the journal, each page with its own state, the session, forms and overlays |
//! | [`PollState`](app::data::remote::PollState) | how fresh a data set is: last success, request under way, failure, when it is due |
//! | [`RequestId`](app::RequestId) | which request a response belongs to; stale responses are dropped |
//! | [`Listing`](app::listing::Listing) | a list of which a window is loaded; rows are keyed by id, so a refresh moves no selection |
//! | [`Failure`](domain::Failure) | what went wrong, and the question that money asks first: may it have taken effect? |
//! | [`Vault`](secrets::Vault) | where the keys of one profile at one base address are stored, opened again for each use |
//! | [`PagedList`](domain::PagedList) | a list as read from the service, with what the service ignored of filter and paging |
//! | [`Order`](domain::Order) | the life of an order, as the sum of its events |
//! | [`Finding`](guard::Finding) | what the guard says of a payment, and how grave it is |
//! | [`Reader`](api::Reader) | a connection without any method that changes state at the service |
//! | [`Operator`](api::Operator) | the only one with such a method: it sends what a `SendPermit` permits, once |
//! | [`RequestBytes`](domain::order::RequestBytes) | a serialised request: the review decodes these bytes, and they are sent |
//! | [`ConfirmedQuote`](domain::ConfirmedQuote) | what the review of a swap showed when it was confirmed; its proceeds are compared with it |
//! | [`Events`](app::session::events::Events) | the log of this console, a ring; `Model::record_event` adds to it |
//! | [`WebhookHints`](domain::WebhookHints) | webhooks that came in: a reason to read, never evidence |
//! | [`Appearance`](domain::Appearance) | theme, colour depth and character set; [`Zone`](domain::Zone) is the time zone |
//! | [`Watch`](domain::watch::Watch) | a condition to alert on; its [`AlertState`](domain::watch::AlertState) raises an alert once for each crossing |
//! | [`Veil`](app::session::veil::Veil) | whether figures and names are hidden: then a masked copy of the model is drawn |
//! | [`Lock`](app::session::lock::Lock) | whether paying is locked, and how it is unlocked |
//! | [`Presentation`](runtime::presentation::Presentation) | one presenter's frames, sent to spectators |
//! | [`ConsoleResources`](runtime::effect_runner::ConsoleResources) | what a console may reach, handed to it at its start |
//! | [`HostPermission`](runtime::HostPermission) | permission to touch this machine's files: the command line grants it, a visitor has none |
//! | [`Instance`](service::Instance) | a ledger with its keys and schedules, behind a listener of its own or, as a [`TenantInstance`](service::TenantInstance), a shared one |
//!
//! # What holds everywhere
//!
//! - Decisions are pure and effects are data: `update` causes nothing, and drawing never changes behaviour.
//! - Polling follows the screen. A data set has at most one request in flight and one more queued; a pause that the service
//!   demands applies to all of them. A rejected key stops polling until the operator acts. See [`app::data::poll`].
//! - The clock is read in [`runtime::clock`] and in the service's own [`clock`](service::clock) alone; all other code is
//!   given the time.
//! - Enums of the service are open: an unknown status is shown as received and never taken to be final.
//! - Errors are typed where code branches on them, and name what would be right.
//!
//! # Glossary
//!
//! Beyond the specification's words:
//!
//! | Word | Meaning |
//! |---|---|
//! | order | a change that an operator confirmed, from draft to settled, failed, rejected or written off |
//! | attempt | one sending of an order's request; a resend is another attempt with the same idempotency key |
//! | unresolved | an order of which an attempt was sent and whose outcome is not known |
//! | lookup | a read of the history for an order; `is_complete` where it covers the time since the order's draft |
//! | finding | the guard's judgement by one rule: note, caution, danger (typed words override it) or stop |
//! | sync, backfill, rescan | reading the newest rows; the rows below them, once; all rows again |
//! | segment | a column chunk of the cache with a fixed number of rows |
//! | watch, alert state | a condition in the profile; whether it is raised now |
//! | attention item, acknowledgement | something that needs a person; that somebody takes care of it |
//! | hint | a webhook: a reason to read |
//! | proposal, statement | the file of an order that other people must approve; an SSH signature over it: to propose, approve or refuse |
//! | maker, approver, release | who proposes; who approves, never the maker; sending what enough people approved |
//! | veil | hides figures and names on the screen |
//!
//! # Where things go
//!
//! | To add | Write | Touch |
//! |---|---|---|
//! | a column | its head, width, rank and cell, one [`Column`](ui::table::Column) in the list of the pane's view | its exported form, if it has one, in `domain/export/` or beside its pane |
//! | a pane | its rows in the page's state; its keys, filter, copies and export in the page's `panes.rs`; its title and rows in the page's `view.rs` | [`Pane`](app::screen::Pane) and its page's list of panes in [`Page`](app::screen::Page), the page's `layout.rs`, and its arm in `app/pages/registry.rs` |
//! | a page | a folder under `app/pages/`: its state with its stand-in under the veil, its panes, its layout, queries and commands in `page.rs`, its details in `view.rs` | [`Page`](app::screen::Page), its arm in `app/pages/registry.rs`, its module and state in [`Pages`](app::pages::Pages) |
//! | a preference of a profile | its field, its default and whether the veil shows it in `domain/preferences.rs` | how it is read and shown in `config/profile_settings.rs`, where it is written in `config/edit.rs`, `assets/manual/configuration.md` |
//! | a text over the page | its lines in a file under `app/overlays/record/`, as an [`AnyRecord`](app::overlays::record::AnyRecord): closing and scrolling come with it | its module, its title and what the veil lets through in `app/overlays/record.rs`, its arm in `app/overlays/record/lines.rs`; its key, as below |
//! | another overlay | its state and view under `app/overlays/` | its `Mode` with its keys and its drawing; `Model::open_over` opens it over what is there, `Model::close_mode` closes it |
//! | what the model shows | its field in the page's state or in a group under `app/model/` | its stand-in beside the page's state, or in `app/session/veil/mask.rs`: without one it is blank while the veil is on |
//! | a key | its row in `assets/keys.toml`, with its words; a new command also in [`Command`](app::input::keymap::Command) and where it runs: the `run_command` of its pane or page, or `app/input/keys.rs` | nothing: footer, help, palette and manual follow; where the veil allows it, `under_veil` in its row; where the palette shows its page first, an arm in `app/overlays/palette/command_home.rs` (keys of `attention` have one); where it can be refused, the `availability` of its pane or page, or `app/input/availability.rs` |
//! | a watch | a [`WatchCondition`](domain::watch::WatchCondition): which rows it counts, when it holds and how it is titled, in `domain/watch/condition.rs` | how it is typed in `domain/watch/sentence.rs`, its keys in `config/watches.rs`, `assets/manual/configuration.md` and `watch.md`; where no [`WatchFigure`](domain::watch::WatchFigure) fits it, another one in `domain/watch/trial.rs` and `runtime/watch_readings/` |
//! | what needs a person | an [`AttentionKind`](domain::attention::AttentionKind), and what to do about it in `domain/attention/advice.rs` | where its items are collected: `app/session/attention.rs`, or `domain/attention/findings.rs` for what the history shows |
//! | an operation | its draft in [`domain::draft`], its form in `app/forms/` | its row in the table of [`Operation`](domain::Operation), its fields in `domain/draft/field.rs`; its members in `api/request_bytes/members.rs`; its arms in `app/forms/form_state/operation_fields.rs` and `app/orders/subject.rs`; how its form is opened; its twin under `service/http/` |
//! | a line of a review | in `app/forms/review/facts/`: `payment.rs`, `batch.rs` or `swap.rs` | nothing |
//! | how a field of a payment is read, or what stands beside it | in `app/forms/withdraw/`: `amount.rs`, `recipient.rs`, `offers.rs` for its choices, `hints.rs` | where other forms need it too, `app/forms/payer.rs` |
//! | an endpoint that is read | a method and its wire types in `api/` | the same resource under `service/http/`, its row in `service/http/operations.rs`, `assets/openapi.json`; a fixture of the specification |
//! | what is polled | a [`Dataset`](app::Dataset), with its state and its pause in [`app::data::poll`] | when it is needed, if not always, in `app/data/poll/due.rs`; its [`Snapshot`](app::Snapshot), its arms in `app/update/load_results.rs` and in `runtime/reads.rs`; where it is kept in `app/model/data.rs` |
//! | a chain | a row in [`domain::chain`] | rows of fixtures |
//! | a scene of the demo | its row in `service/activity/scene.rs`, and what happened last in it | the table in `assets/manual/present.md`; a journey in `tests/suite/scenes.rs` |
//! | an export | its columns in `domain/export/`, or beside its pane | the `exportable_list` of its pane; its command in [`cli`]; its [`ExportRows`](app::ExportRows) where the store holds the rows |
//! | a format of tables | an [`ExportFormat`](domain::ExportFormat), with its name and its description | its writer in `runtime/export/table.rs` |
//! | a parser of what strangers write | its laws in `tests/fuzzed.rs` beside it | nothing: `cargo test` and `.ci/fuzz` find it |
//! | a period by name | in `domain/period/named.rs` | nothing: filter, completions and reports follow |
//! | what is recorded of who acted | [`ConsoleIdentity`](domain::order::ConsoleIdentity) | its column and its part of the hash in `journal/record.rs`, `journal/schema.rs` |
//! | a field of the filter | its name in [`domain::filter`] | where its texts are stored, its row in `store/scan/text_locations.rs`; or, where its words are no texts, how they are read in `domain/filter/term.rs` and matched in `store/scan/` |
//! | a theme | a file in `assets/themes`, with a palette for 256 colours and one for sixteen | its facts in [`ThemeName`](domain::ThemeName); its sentence in `assets/manual/configuration.md` |
//! | a sign beyond ASCII | its stand-in in [`ui::glyphs`] | nothing: a test reads the source for those that are missing |
//! | a kind of visit over SSH | a [`Role`](ssh::Role) | its arm in `ssh/visit.rs` |
//! | a guard rule | `guard/x.rs` | one line in [`guard::judge()`], a field of [`GuardFacts`](guard::GuardFacts) and its arm in [`runtime::guard_facts`] if it needs to know more |

pub mod domain;
pub mod guard;
pub mod orders;

pub mod api;
mod disk;
pub mod journal;
mod scratch;
pub mod store;

#[cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]
pub mod app;
pub mod ui;

pub mod terminal;

#[cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]
pub mod runtime;

pub mod service;
pub mod ssh;

pub mod config;
pub mod manual;
pub mod secrets;

pub mod cli;

#[cfg(test)]
mod fuzzing;
