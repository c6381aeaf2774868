//! The folder of temporary files, where everybody may write: what somebody planted there keeps nobody waiting.

use std::process::{Command, Stdio};

use super::fake_service::{FakeService, KEY, ok};
use super::harness::wait::ends;
use super::pty::PtySession;

/// Folders as bursar names its own, with the locks that it would open, each of which is a pipe that nobody reads.
const PLANTED: [(&str, &str); 3] =
    [("bursar-cache-0", "cache.lock"), ("bursar-journal-0", "journal.lock"), ("bursar-ledger-0", "ledger.lock")];

#[test]
fn a_pipe_planted_among_the_temporary_files_hangs_neither_status_nor_a_second_console_nor_the_demo() {
    let (temporary, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (folder, lock) in PLANTED {
        let folder = temporary.path().join(folder);
        std::fs::create_dir(&folder).unwrap();
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, folder.join(lock), kind, 0o600.into(), 0).unwrap();
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let empty = r#"{"success":true,"data":[],"totalPage":0,"pageNo":1,"pageLimit":100}"#;
    let service = runtime.block_on(FakeService::new(vec![ok(empty)]));
    let (home, temporary) = (home.path().to_str().unwrap(), temporary.path().to_str().unwrap());
    let variables =
        [("HOME", home), ("TMPDIR", temporary), ("BURSAR_BASE_URL", &service.base_url), ("BURSAR_API_KEY", KEY)];

    let first = PtySession::open_with(&[], &variables);
    first.waits_for("Overview");
    // The first has the cache: whoever comes now keeps one among the temporary files.
    let second = PtySession::open_with(&[], &variables);
    second.waits_for("Overview");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bursar"));
    command.env_clear().args(["status", "--offline"]).envs(variables).stdout(Stdio::null()).stderr(Stdio::null());
    ends(&mut command.spawn().unwrap());
    let demo = PtySession::open_with(&["demo"], &variables);
    demo.waits_for("Harbour");
    for mut terminal in [first, second, demo] {
        terminal.types("q");
        terminal.ends();
    }
    for (folder, lock) in PLANTED {
        assert!(std::path::Path::new(temporary).join(folder).join(lock).exists(), "{folder} is not ours to remove");
    }
}
