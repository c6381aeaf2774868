//! A thread for what waits for the disk.

use std::io;
use std::sync::mpsc::{Sender, channel};
use std::thread;

type Work = Box<dyn FnOnce() + Send>;

/// The way to a thread that does one piece of work after the other. It ends when nobody can give it any more, or when one
/// of them panics.
pub struct Worker {
    work: Sender<Work>,
}

impl Worker {
    /// Starts the thread.
    pub fn start(name: &str) -> io::Result<Self> {
        let (work, given) = channel::<Work>();
        thread::Builder::new().name(name.into()).spawn(move || {
            for work in given {
                work();
            }
        })?;
        Ok(Self { work })
    }

    /// Gives it work, which nobody does where the thread has ended.
    pub fn give(&self, work: impl FnOnce() + Send + 'static) {
        let _has_ended = self.work.send(Box::new(work));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_does_what_it_is_given_in_order_and_ends_when_nobody_can_give_more() {
        let (told, hears) = channel();
        let worker = Worker::start("worker").unwrap();
        for nth in 0..3 {
            let told = told.clone();
            worker.give(move || told.send((nth, thread::current().id())).unwrap());
        }
        drop((worker, told));
        let done: Vec<_> = hears.iter().collect();
        assert_eq!(done.iter().map(|(nth, _)| *nth).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(done.iter().all(|(_, thread)| *thread == done[0].1 && *thread != thread::current().id()));
    }

    #[test]
    fn work_that_panics_and_what_is_given_after_it_are_let_go_of() {
        let worker = Worker::start("worker").unwrap();
        let (held, hears) = channel::<()>();
        worker.give(move || {
            let _held = held;
            panic!("this work panics");
        });
        assert!(hears.recv().is_err());
        let (held, hears) = channel::<()>();
        worker.give(move || drop(held));
        assert!(hears.recv().is_err(), "nobody does it, and whoever waits learns that");
    }
}
