//! Visitors over connections to `bursar ssh`, in a process of its own.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use russh::client;
use russh::keys::PublicKeyOrCertificate;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::time::timeout;

use super::{House, PATIENCE, SIZE, Visitor, process};

/// The process.
pub(super) struct Lender {
    child: Child,
    address: SocketAddr,
    /// How many have come and not left, by what it says.
    inside: Arc<AtomicUsize>,
    _folder: TempDir,
}

/// Takes any host for the right one.
struct AcceptAnyHostKey;

impl client::Handler for AcceptAnyHostKey {
    type Error = russh::Error;

    async fn check_server_key(&mut self, _key: &PublicKeyOrCertificate) -> Result<bool, Self::Error> {
        Ok(true)
    }
}

impl Lender {
    /// A host with room for so many.
    pub(super) fn open(visitors: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let limit = visitors.to_string();
        let mut command = Command::new(process::program());
        command.args(["ssh", "--listen", "127.0.0.1:0", "--visitors", &limit, "--per-address", &limit]);
        command.arg("--data-dir").arg(folder.path()).env_clear().stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let inside = Arc::<AtomicUsize>::default();
        let (log_lines, count) = (BufReader::new(child.stderr.take().unwrap()).lines(), Arc::clone(&inside));
        std::thread::spawn(move || {
            for line in log_lines.map_while(Result::ok) {
                if line.contains(" came as demo") {
                    count.fetch_add(1, Ordering::SeqCst);
                } else if line.contains(" left as demo") {
                    count.fetch_sub(1, Ordering::SeqCst);
                }
            }
        });
        let output_lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let output_lines: Vec<_> = output_lines.take_while(|line| line != "ready").collect();
        let address = output_lines.iter().find_map(|line| line.strip_prefix("listening on ")).unwrap().parse().unwrap();
        Self { child, address, inside, _folder: folder }
    }
}

impl House for Lender {
    async fn arrive(&mut self) -> (Visitor, Duration) {
        let arrival = async {
            // As the client of OpenSSH does, it sends each key at once.
            let config = client::Config { nodelay: true, ..client::Config::default() };
            let mut handle = client::connect(Arc::new(config), self.address, AcceptAnyHostKey).await.unwrap();
            assert!(handle.authenticate_none("demo").await.unwrap().success(), "everybody is let in");
            let start = Instant::now();
            let channel = handle.channel_open_session().await.unwrap();
            let (width, height) = (SIZE.width.into(), SIZE.height.into());
            channel.request_pty(false, "xterm-256color", width, height, 0, 0, &[]).await.unwrap();
            channel.request_shell(false).await.unwrap();
            let visitor = Visitor::at(channel.into_stream(), Box::new(handle)).await;
            (visitor, start.elapsed())
        };
        timeout(PATIENCE, arrival).await.unwrap()
    }

    fn process(&self) -> u32 {
        self.child.id()
    }

    fn inside(&self) -> usize {
        self.inside.load(Ordering::SeqCst)
    }

    fn tasks(&self) -> Option<usize> {
        None
    }

    async fn end(mut self) {
        let process = Pid::from_raw(self.child.id().try_into().unwrap()).unwrap();
        kill_process(process, Signal::TERM).unwrap();
        let status = tokio::task::spawn_blocking(move || self.child.wait());
        assert!(timeout(PATIENCE, status).await.unwrap().unwrap().unwrap().success(), "it ends well");
    }
}

impl Drop for Lender {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _reaped_already = self.child.wait();
    }
}
