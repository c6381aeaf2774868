//! What a visitor costs: memory, the wait for the first frame, and how long a key takes while everybody watches.
//! `BURSAR_VISITORS` says how many there are (50 by default), each with a console at a lively business
//! of 400 transactions, on a terminal in memory that answers at once; with `BURSAR_OVER_SSH` each comes to `bursar ssh`, in
//! a process of its own, over a connection on loopback (`BURSAR_PROGRAM` names another build of it).
//!
//! In memory, 60 visitors on a machine of 2 cores on which others compiled (load 3 to 5): each further one takes 2,510 KiB, and all
//! together keep 0.23 of a core busy; with pages of 100 rows in place of 25, and the store's statements prepared anew more often,
//! they took 2,794 KiB and 0.32. What a visitor who watches costs is a third the newest page, read again with each look.
//!
//! When all have left, no visit is left within a millisecond. Idle connections to the service are kept for half a minute: after
//! 34 s tasks and file handles are those of before anybody came. The memory stays with the allocator (197 MB, 173 of them then),
//! which has it for whoever comes next: a second wave of 60 took 4.6 MB more than the first, 2.4 in a hundred.
//!
//! 200 visitors before that, with pages of 100 rows. In memory (load 6): each further one takes 2,741 KiB; the first
//! frame stands after 26 ms, p95 43; a key takes 1.2 ms, p95 5.4, beside 0.5 and 2.2 of one alone; all together keep 0.7 of
//! a core busy. Read every 2 s in place of 4, they took 3,082 KiB, 1.1 cores, and 259 ms for a key (p95).
//!
//! 200 over SSH, on a quiet machine of 2 cores that host and clients share, four runs: each further one takes 2,435 to 2,441 KiB;
//! the first frame stands 39 to 48 ms after the authentication, p95 63 to 76; a key takes 3.2 to 4.4 ms, p95 10.5 to 12.8,
//! beside 1.8 to 2.1 and 3.3 to 3.7 of one alone; the host keeps 1.0 core busy. Before its statements kept their plans it was 1.0
//! to 1.2 cores, and where it came to 1.2, a key took up to 130 ms (p95): there is room for 200 on two such cores, and not for
//! many more.
//!
//! Where all 200 type over SSH, each a key every two seconds on the Overview, a key takes 3.5 ms, p95 20.4, while others compiled on
//! the same two cores (load 5); the slowest hundredth waited for more than a second then. Each further visitor took 2,197 KiB, and
//! the host kept 0.57 of a core busy while all watched.

#![expect(clippy::unwrap_used, reason = "a benchmark ends with its first surprise")]
#![expect(clippy::disallowed_methods, reason = "a benchmark measures time")]

#[expect(dead_code, reason = "other benchmarks use the rest")]
mod figures;
#[path = "visitors/in_memory.rs"]
mod in_memory;
#[path = "visitors/over_ssh.rs"]
mod over_ssh;
#[expect(dead_code, reason = "another benchmark uses the rest")]
mod process;

use std::any::Any;
use std::time::{Duration, Instant};

use bursar::app::Size;
use figures::line;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::runtime::Builder;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

const SIZE: Size = Size { width: 120, height: 36 };
/// What ends a frame and is answered.
const QUESTION: &[u8] = b"\x1b[5n";
/// How long everybody watches before it is measured.
const WATCHING: Duration = Duration::from_secs(10);
/// How far apart the keys of one visitor are where all type.
const BETWEEN_KEYS: Duration = Duration::from_secs(2);
/// Keys that are pressed, one after the other.
const KEYS: usize = 500;

/// How long what was held for visitors may be held when they have left: idle connections to the service are closed by then.
const EMPTYING: Duration = Duration::from_mins(3);

/// How long anything may take that a visitor waits for.
const PATIENCE: Duration = Duration::from_mins(1);

/// Where visitors come.
trait House {
    /// Takes somebody in; says how long it took until the first frame was there, from admission on.
    async fn arrive(&mut self) -> (Visitor, Duration);

    /// The process in which the consoles run.
    fn process(&self) -> u32;

    /// How many visitors are inside.
    fn inside(&self) -> usize;

    /// How many tasks go on, where that can be told.
    fn tasks(&self) -> Option<usize>;

    /// Ends it.
    async fn end(self);
}

/// Somebody who looks at a terminal.
struct Visitor {
    keyboard: mpsc::UnboundedSender<&'static [u8]>,
    frames: watch::Receiver<u64>,
    _stays_with: Box<dyn Any>,
}

impl Visitor {
    /// Somebody at the other end of a wire, once the first frame is there. What they stay with is let go when they leave.
    async fn at(wire: impl AsyncRead + AsyncWrite + Send + Unpin + 'static, stays_with: Box<dyn Any>) -> Self {
        let (keyboard, keystrokes) = mpsc::unbounded_channel();
        let (count, mut frames) = watch::channel(0);
        tokio::spawn(look(wire, keystrokes, count));
        timeout(PATIENCE, frames.wait_for(|count| *count > 0)).await.unwrap().unwrap();
        Self { keyboard, frames, _stays_with: stays_with }
    }
}

fn main() {
    let visitors = std::env::var("BURSAR_VISITORS").ok().and_then(|many| many.parse().ok()).unwrap_or(50_usize);
    let runtime = Builder::new_multi_thread().worker_threads(2).max_blocking_threads(64).enable_all().build().unwrap();
    runtime.block_on(async {
        if std::env::var_os("BURSAR_OVER_SSH").is_some() {
            measure(over_ssh::Lender::open(visitors), visitors).await;
        } else {
            measure(in_memory::Memory::open().await, visitors).await;
        }
    });
    runtime.shutdown_background();
}

async fn measure(mut house: impl House, visitors: usize) {
    let process = house.process();
    let empty = (process::handles(process), house.tasks());
    let (first, latency) = house.arrive().await;
    let mut all = vec![first];
    pass(WATCHING).await;
    let (memory_alone, idle) = (process::own_memory(process), cores_used(process, WATCHING).await);
    let keys_alone = keys(&mut all).await;
    let mut arrivals = Vec::new();
    for _ in 1..visitors {
        let (visitor, latency) = house.arrive().await;
        all.push(visitor);
        arrivals.push(latency);
    }
    pass(WATCHING).await;
    let (together, busy) = (process::own_memory(process), cores_used(process, WATCHING).await);
    let keys_together = keys(&mut all).await;
    let further = together.saturating_sub(memory_alone) / u64::try_from(visitors.saturating_sub(1).max(1)).unwrap();
    line(&format!("{visitors} visitors, one after the other"));
    line(&format!(
        "memory: the first {memory_alone} KiB, each further one {further} KiB; {} threads",
        process::threads(process)
    ));
    line(&format!("processor: {idle} thousandths of a core with one, {busy} with all"));
    tell("first frame of the first", vec![latency]);
    tell("first frame of the others", arrivals);
    let [one, many] = [tell("a key, alone", keys_alone), tell("a key, while all watch", keys_together)];
    tell("a key, while all type", keys_while_all_type(&mut all).await);
    let hundredths = many.as_micros() * 100 / one.as_micros().max(1);
    line(&format!("p95 of a key: {}.{:02} times that of one alone", hundredths / 100, hundredths % 100));
    let first_wave = empties(&house, all, empty).await;
    let mut all = Vec::new();
    for _ in 0..visitors {
        all.push(house.arrive().await.0);
    }
    pass(WATCHING).await;
    keys(&mut all).await;
    let second_wave = empties(&house, all, empty).await;
    let more = i128::from(second_wave) - i128::from(first_wave);
    line(&format!("a second wave after the first has left takes {more:+} KiB"));
    house.end().await;
}

/// Has everybody leave, and tells how long it takes until nothing is held for them; gives the memory taken while all were there.
async fn empties(house: &impl House, all: Vec<Visitor>, (empty, tasks): (usize, Option<usize>)) -> u64 {
    let process = house.process();
    let (memory, busiest) = (process::own_memory(process), process::handles(process));
    let departure = Instant::now();
    drop(all);
    let time_to_leave = async {
        while house.inside() > 0 {
            pass(Duration::from_millis(20)).await;
        }
        let time_to_leave = departure.elapsed();
        while process::handles(process) > empty || house.tasks() > tasks {
            pass(Duration::from_millis(100)).await;
        }
        time_to_leave
    };
    let visits = timeout(EMPTYING, time_to_leave).await;
    let visits = visits.map_or_else(|_| "the longest wait".to_owned(), |time| format!("{time:.1?}"));
    let text = house.tasks().map_or_else(String::new, |tasks| format!("{tasks} tasks, "));
    line(&format!(
        "when all have left: no visit after {visits}; after {:.1?} {text}{busiest} -> {} file handles ({empty} before \
         anybody came), {memory} -> {} KiB, {} threads",
        departure.elapsed(),
        process::handles(process),
        process::own_memory(process),
        process::threads(process)
    ));
    memory
}

/// A terminal: answers the question at the end of each frame, counts them, and sends what is typed.
async fn look(
    mut wire: impl AsyncRead + AsyncWrite + Unpin,
    mut keystrokes: mpsc::UnboundedReceiver<&'static [u8]>,
    count: watch::Sender<u64>,
) {
    let (mut tail, mut chunk) = (Vec::new(), vec![0; 4096]);
    loop {
        let reply: &[u8] = tokio::select! {
            length = wire.read(&mut chunk) => {
                let Some(length) = length.ok().filter(|length| *length > 0) else { return };
                tail.extend_from_slice(&chunk[..length]);
                let question_count = tail.windows(QUESTION.len()).filter(|window| *window == QUESTION).count();
                // A question may come in two pieces.
                tail.drain(..tail.len().saturating_sub(if tail.ends_with(QUESTION) { 0 } else { QUESTION.len() - 1 }));
                if question_count == 0 {
                    continue;
                }
                count.send_modify(|count| *count += 1);
                b"\x1b[0n"
            }
            keys = keystrokes.recv() => match keys {
                Some(keys) => keys,
                None => return,
            },
        };
        if wire.write_all(reply).await.is_err() {
            return;
        }
    }
}

/// Presses keys at one terminal after the other, and says how long each took to be on its screen.
async fn keys(visitors: &mut [Visitor]) -> Vec<Duration> {
    let mut latencies = Vec::new();
    let count = visitors.len();
    for nth in 0..KEYS {
        let visitor = &mut visitors[nth.wrapping_mul(7) % count];
        visitor.frames.mark_unchanged();
        let start = Instant::now();
        // Down and up in turn, so that each has something to move.
        visitor.keyboard.send(if (nth / count).is_multiple_of(2) { b"j" } else { b"k" }).unwrap();
        timeout(Duration::from_secs(5), visitor.frames.changed()).await.unwrap().unwrap();
        latencies.push(start.elapsed());
        pass(Duration::from_millis(10)).await;
    }
    latencies
}

/// The same while all but some press a key every so often, each at a moment of their own.
async fn keys_while_all_type(visitors: &mut [Visitor]) -> Vec<Duration> {
    let measured = visitors.len().div_ceil(10);
    let (some, others) = visitors.split_at_mut(measured);
    let count = u32::try_from(others.len().max(1)).unwrap();
    let typing: Vec<_> = (0..count)
        .zip(others.iter())
        .map(|(nth, visitor)| {
            let keyboard = visitor.keyboard.clone();
            tokio::spawn(async move {
                pass(BETWEEN_KEYS * nth / count).await;
                for key in [b"j", b"k"].into_iter().cycle() {
                    if keyboard.send(key).is_err() {
                        return;
                    }
                    pass(BETWEEN_KEYS).await;
                }
            })
        })
        .collect();
    pass(WATCHING).await;
    let latencies = keys(some).await;
    typing.iter().for_each(tokio::task::JoinHandle::abort);
    latencies
}

/// Lets time pass, which is what is measured.
async fn pass(time: Duration) {
    let _elapsed = timeout(time, std::future::pending::<()>()).await;
}

/// Tells the middle and the slow end; gives the latter.
fn tell(label: &str, mut latencies: Vec<Duration>) -> Duration {
    latencies.sort_unstable();
    let at = |part: usize| {
        latencies
            .get((latencies.len() * part / 100).min(latencies.len().saturating_sub(1)))
            .copied()
            .unwrap_or_default()
    };
    line(&format!("{label:<24} p50 {:>9.2?}   p95 {:>9.2?}   p99 {:>9.2?}", at(50), at(95), at(99)));
    at(95)
}

/// Thousandths of a core that a process takes meanwhile.
async fn cores_used(process: u32, meanwhile: Duration) -> u128 {
    let processor_time = || {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        let behind_name = stat.rsplit(')').next().unwrap();
        // In hundredths of a second: of the program, and of the system for it.
        behind_name.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u128>().unwrap()).sum::<u128>()
    };
    let before = processor_time();
    pass(meanwhile).await;
    (processor_time() - before) * 10 * 1_000 / meanwhile.as_millis()
}
