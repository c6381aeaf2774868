//! A small disk that can really be full: a file system of its own, which a process without privileges may mount in a
//! namespace of its own. Where the system forbids even that, the tests say so by name and are left out.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A small disk, for as long as this lives.
pub(crate) struct SmallDisk {
    /// Holds the namespace in which it is mounted.
    holder: Child,
    place: TempDir,
}

impl SmallDisk {
    /// One of so many megabytes; `None`, which is said, where the system lets nobody mount one.
    pub(crate) fn of(megabytes: u32) -> Option<Self> {
        let disk = Self::mounted(megabytes);
        if disk.is_none() {
            let mut stderr = std::io::stderr();
            writeln!(stderr, "left out: this system lets nobody mount a small disk in a namespace of their own")
                .unwrap();
        }
        disk
    }

    fn mounted(megabytes: u32) -> Option<Self> {
        let place = tempfile::tempdir().unwrap();
        let script = format!("mount -t tmpfs -o size={megabytes}m disk \"$0\" && echo mounted && exec cat");
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script]).arg(place.path());
        let mut holder = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let mut line = String::new();
        BufReader::new(holder.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let disk = Self { holder, place };
        (line == "mounted\n").then_some(disk)
    }

    /// Its folder, as who is inside sees it.
    pub(crate) fn inside(&self) -> &str {
        self.place.path().to_str().unwrap()
    }

    /// The same, from outside.
    fn folder(&self) -> PathBuf {
        Path::new(&format!("/proc/{}/root", self.holder.id())).join(self.inside().trim_start_matches('/'))
    }

    /// The words before a command that runs it where the disk is mounted.
    pub(crate) fn enter(&self) -> Vec<String> {
        let holder = self.holder.id().to_string();
        ["nsenter", "--user", "--mount", "--preserve-credentials", "--target", &holder].map(str::to_owned).to_vec()
    }

    /// A copy of a folder on it: SQLite cannot follow the way in from outside.
    pub(crate) fn copy_of(&self, folder: &str) -> TempDir {
        let copy = tempfile::tempdir().unwrap();
        for entry in fs::read_dir(self.folder().join(folder)).unwrap().flatten() {
            fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        }
        copy
    }

    /// The names of the files on it that begin so.
    pub(crate) fn files(&self, beginning: &str) -> Vec<String> {
        let names = fs::read_dir(self.folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with(beginning)).collect()
    }

    /// Takes all the room that is left.
    pub(crate) fn fill(&self) {
        self.fill_but(0);
    }

    /// Takes all the room that is left but so many bytes.
    pub(crate) fn fill_but(&self, spared: usize) {
        let spare = self.folder().join("spare");
        fs::write(&spare, vec![b'x'; spared]).unwrap();
        let mut filler = fs::File::create(self.folder().join("filler")).unwrap();
        for chunk in [64 * 1024, 4096, 512, 1] {
            while filler.write_all(&vec![b'x'; chunk]).is_ok() {}
        }
        fs::remove_file(&spare).unwrap();
    }

    /// Gives the room back.
    pub(crate) fn empty(&self) {
        fs::remove_file(self.folder().join("filler")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(self.holder.stdin.take());
        let _ended = self.holder.wait();
    }
}
