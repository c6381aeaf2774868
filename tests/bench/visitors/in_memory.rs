//! Visitors at terminals in memory, in this process.

use std::time::{Duration, Instant};

use bursar::app::Size;
use bursar::app::session::veil::Veil;
use bursar::domain::Appearance;
use bursar::domain::order::ConsoleIdentity as Who;
use bursar::runtime::console::Console;
use bursar::runtime::demo::{DemoClient, DemoCredentials};
use bursar::runtime::{Clock, TerminalChannel, run_program};
use bursar::service::{Options, Sample, TenantHost};
use bursar::terminal::Dialect;
use tokio::io::{duplex, split};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::{House, SIZE, Visitor};

/// How often a visitor's screen is read.
const PERIOD: Duration = Duration::from_secs(4);
/// Bytes on their way between a console and its terminal.
const WIRE: usize = 16 * 1024;

/// The service that all share.
pub(super) struct Memory {
    guests: TenantHost,
    /// The console of the first, whose connections those that come later share.
    pattern: Option<DemoClient>,
}

impl Memory {
    pub(super) async fn open() -> Self {
        let sample = Some(Sample { seed: 1, transactions: Sample::USUAL });
        let options = Options { sample, lively: true, with_lists: true, ..Options::temporary() };
        Self { guests: TenantHost::start(options).await.unwrap(), pattern: None }
    }
}

impl House for Memory {
    async fn arrive(&mut self) -> (Visitor, Duration) {
        let start = Instant::now();
        let guest = self.guests.create_tenant().await.unwrap();
        let credentials = guest.credentials().unwrap();
        let keys =
            DemoCredentials { api_key: credentials.api_key.clone(), wallet_secret: credentials.wallet_secret.clone() };
        let demo = match &self.pattern {
            Some(pattern) => pattern.with_credentials(keys).unwrap(),
            None => DemoClient::connect(self.guests.base_url(), keys, PERIOD).unwrap(),
        };
        let by = Who { user: "visitor".into(), host: "bench".into(), run: uuid::Uuid::new_v4() };
        let world = demo.visitor_resources(by).unwrap();
        let settings = demo.settings(Appearance::default(), Veil::default());
        let mut console = Console::new(settings, world, Handle::current(), SIZE).unwrap();
        self.pattern.get_or_insert(demo);
        let (near, far) = duplex(WIRE);
        let (input, output) = split(near);
        let (notices, inbox) = mpsc::unbounded_channel();
        let Size { width, height } = SIZE;
        let screen =
            TerminalChannel { input, output, notices: inbox, dialect: Dialect::FULL, width, height, guard: None };
        tokio::spawn(async move { run_program(screen, &Clock::System, &mut console).await });
        let visitor = Visitor::at(far, Box::new((notices, guest))).await;
        (visitor, start.elapsed())
    }

    fn process(&self) -> u32 {
        std::process::id()
    }

    fn inside(&self) -> usize {
        self.guests.tenant_count()
    }

    fn tasks(&self) -> Option<usize> {
        Some(Handle::current().metrics().num_alive_tasks())
    }

    async fn end(self) {
        self.guests.stop().await.unwrap();
    }
}
