//! Folders of temporary files: each is held by its process through a lock in it, and goes with that process or, where
//! that was killed, when the next one looks.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use uuid::Uuid;

/// How many folders are made before it is given up. Others that clear up may take a few.
const TRIES: usize = 16;

/// A new folder of temporary files for its owner alone, and its lock, which holds it until it is dropped.
///
/// Its name begins with `kind`; `lock` is the lock's file in it. First those of its kind are removed that nobody holds any
/// more. Fails where the system has no room for it or does not permit it.
pub(crate) fn create(kind: &str, lock: &str) -> io::Result<(PathBuf, File)> {
    clear_up(kind, lock);
    for _ in 0..TRIES {
        let folder = std::env::temp_dir().join(format!("{kind}{}", Uuid::new_v4().simple()));
        if let Some(lock_file) = make(&folder, lock)? {
            return Ok((folder, lock_file));
        }
    }
    Err(io::Error::other("another process removes every new folder of temporary files"))
}

/// Makes a folder and takes its lock; `None` where somebody who clears up came first and took it for one left behind.
fn make(folder: &Path, lock: &str) -> io::Result<Option<File>> {
    let (mut builder, mut options) = (DirBuilder::new(), OpenOptions::new());
    options.create_new(true).write(true);
    #[cfg(unix)]
    {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    builder.create(folder)?;
    let path = folder.join(lock);
    let lock_file = options.open(&path)?;
    match lock_file.try_lock() {
        Ok(()) => Ok(path.exists().then_some(lock_file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Removes the folders of a kind whose owners were killed.
fn clear_up(kind: &str, lock: &str) {
    let Ok(entries) = fs::read_dir(std::env::temp_dir()) else { return };
    let of_the_kind = entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(kind));
    for folder in of_the_kind.map(|entry| entry.path()) {
        let Some(lock_file) = open_lock(&folder, lock) else { continue };
        if lock_file.try_lock().is_ok() {
            // Somebody else may be clearing up too; whoever is second finds nothing left.
            let _gone_already = fs::remove_dir_all(folder);
        }
    }
}

/// Opens the lock of a folder that this user's own program made; nothing that somebody else may have put there.
///
/// Everybody may write where temporary files stand. A pipe in place of the lock would keep whoever opens it waiting for
/// ever, a link would lead elsewhere, and what belongs to another user is not for this one to clear up.
#[cfg(unix)]
fn open_lock(folder: &Path, lock: &str) -> Option<File> {
    use rustix::fs::{FileType, Mode, OFlags};

    let user = rustix::process::geteuid().as_raw();
    let is_own = |file: &std::os::fd::OwnedFd, kind: FileType| {
        rustix::fs::fstat(file)
            .is_ok_and(|about| about.st_uid == user && FileType::from_raw_mode(about.st_mode) == kind)
    };
    let cautiously = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let folder = rustix::fs::open(folder, cautiously | OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()).ok()?;
    if !is_own(&folder, FileType::Directory) {
        return None;
    }
    let lock = rustix::fs::openat(&folder, lock, cautiously | OFlags::WRONLY, Mode::empty()).ok()?;
    is_own(&lock, FileType::RegularFile).then(|| lock.into())
}

#[cfg(not(unix))]
fn open_lock(folder: &Path, lock: &str) -> Option<File> {
    File::options().write(true).open(folder.join(lock)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: &str = "bursar-scratch-";

    #[test]
    fn what_is_held_stays_and_what_is_let_go_of_is_removed_by_the_next() {
        let ((one, one_lock), (other, other_lock)) = (create(KIND, "lock").unwrap(), create(KIND, "lock").unwrap());
        fs::write(other.join("more"), "more").unwrap();
        drop(other_lock);
        let (third, _held_too) = create(KIND, "lock").unwrap();
        assert!(one.exists() && !other.exists() && third.exists());
        drop(one_lock);
        fs::remove_dir_all(one).unwrap();
        fs::remove_dir_all(third).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_somebody_planted_is_neither_waited_for_nor_followed_nor_removed() {
        use std::os::unix::fs::symlink;

        let kind = format!("bursar-planted-{}-", Uuid::new_v4().simple());
        let planted = |name: &str| std::env::temp_dir().join(format!("{kind}{name}"));
        let pipe =
            |path: PathBuf| rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, 0o600.into(), 0);
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join("lock"), "").unwrap();
        let folders = ["pipe", "read-pipe", "link", "folder"].map(planted);
        for folder in &folders {
            fs::create_dir(folder).unwrap();
        }
        let [a_pipe, read_pipe, link, folder] = &folders;
        pipe(a_pipe.join("lock")).unwrap();
        pipe(read_pipe.join("lock")).unwrap();
        let reading = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::NONBLOCK;
        let _somebody_reads = rustix::fs::open(read_pipe.join("lock"), reading, rustix::fs::Mode::empty()).unwrap();
        symlink(elsewhere.path().join("lock"), link.join("lock")).unwrap();
        fs::create_dir(folder.join("lock")).unwrap();
        symlink(elsewhere.path(), planted("linked-folder")).unwrap();
        pipe(planted("bare-pipe")).unwrap();

        let (done, ended) = std::sync::mpsc::channel();
        let kind_of_thread = kind.clone();
        std::thread::spawn(move || done.send(create(&kind_of_thread, "lock").map(|(folder, _)| folder)));
        let own = ended.recv_timeout(std::time::Duration::from_secs(30)).expect("it hangs").unwrap();
        assert!(folders.iter().all(|folder| folder.exists()) && elsewhere.path().join("lock").exists());
        let links = [planted("linked-folder"), planted("bare-pipe")];
        assert!(links.iter().all(|link| link.symlink_metadata().is_ok()));
        for folder in folders.iter().chain([&own]) {
            fs::remove_dir_all(folder).unwrap();
        }
        for link in &links {
            fs::remove_file(link).unwrap();
        }
    }

    /// Everybody clears up while everybody else is making.
    #[test]
    fn nobody_is_given_a_folder_that_another_took_for_one_left_behind() {
        let kind = format!("bursar-many-{}-", Uuid::new_v4().simple());
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let (folder, lock) = create(&kind, "lock").unwrap();
                        fs::write(folder.join("file"), "text").unwrap();
                        assert_eq!(fs::read(folder.join("file")).unwrap(), b"text");
                        drop(lock);
                        // Another may have cleared it up by now.
                        let _gone_already = fs::remove_dir_all(folder);
                    }
                });
            }
        });
    }
}
