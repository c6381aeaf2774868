use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crossterm::event::{Event, KeyCode, KeyEvent};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::*;
use crate::domain::Appearance;
use crate::service::{Pace, Sample};
use crate::ssh::admission::Admission;
use crate::ssh::workspace::{WorkspaceOptions, Workspaces};

const SECOND: Duration = Duration::from_secs(1);

/// A stay, and what the loop would hear of it.
struct Scene {
    stay: VisitorSession,
    notices: UnboundedReceiver<Notice>,
    closing: CancellationToken,
    time: Arc<AtomicI64>,
}

impl Scene {
    fn new(lending: impl FnOnce(crate::ssh::admission::QueueTicket) -> PendingConsole, places: usize) -> Self {
        let seats = Admission::new(places);
        let time = Arc::new(AtomicI64::new(1_000_000));
        let clock = Clock::Manual(Arc::clone(&time));
        let waiting = seats.wait();
        let page =
            QueuePage::new(Arc::clone(&seats), waiting.number(), clock.now(), 100 * SECOND, Appearance::default());
        let (sender, notices) = unbounded_channel();
        let closing = CancellationToken::new();
        let timing = Timing { idle: 100 * SECOND, longest: 250 * SECOND, warning: 10 * SECOND, ..Timing::default() };
        let stay =
            VisitorSession::new(page, lending(waiting), Appearance::default(), timing, clock, sender, closing.clone());
        Self { stay, notices, closing, time }
    }

    /// A stay with a console.
    async fn seated(veiled: bool) -> Self {
        let furnishing = WorkspaceOptions {
            sample: Sample { seed: 1, transactions: 10 },
            scene: None,
            pace: Pace::USUAL,
            veiled,
            read_only: false,
        };
        let workspaces = Workspaces::start(furnishing).await.unwrap();
        let workspace = workspaces.lend().await.unwrap();
        let console = workspace.console(Size { width: 80, height: 24 }, Appearance::default()).unwrap();
        let mut scene = Self::new(
            |waiting| {
                Box::pin(async move {
                    let seat = Some(waiting.seat().await);
                    Ok(Box::new(LentConsole { console, _workspace: Some(workspace), seat }))
                })
            },
            1,
        );
        scene.stay.settle_for(60 * SECOND).await;
        scene
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.time.load(Ordering::SeqCst))
    }

    /// Lets time pass, and tells the stay where something of its own is due.
    fn passes(&mut self, time: Duration) {
        let now = self.now().plus(time);
        self.time.store(now.millis(), Ordering::SeqCst);
        self.stay.tick(now);
    }

    fn presses(&mut self, key: KeyEvent) -> Flow {
        let now = self.now();
        self.stay.input(Event::Key(key), now)
    }

    /// The last line of the screen.
    fn last_line(&self) -> String {
        let area = Rect::new(0, 0, 80, 24);
        let mut buf = Buffer::empty(area);
        self.stay.view(area, &mut buf);
        (0..80).map(|x| buf[(x, 23)].symbol()).collect()
    }

    fn is_ended(&mut self) -> bool {
        self.notices.try_recv() == Ok(Notice::Ended(ExitReason::Quit))
    }
}

#[tokio::test]
async fn whoever_presses_no_key_is_told_a_while_before_the_end() {
    let mut scene = Box::pin(Scene::seated(false)).await;
    scene.passes(89 * SECOND);
    assert!(!scene.last_line().contains("this visit ends"), "{}", scene.last_line());
    scene.passes(SECOND);
    assert!(scene.last_line().contains("ends in 10 seconds"), "{}", scene.last_line());
    assert!(scene.stay.changed());
    assert_eq!(scene.stay.next_end(), Some(scene.now().plus(SECOND)));
    // A key puts it off.
    scene.presses(KeyCode::Down.into());
    assert!(!scene.last_line().contains("this visit ends"), "{}", scene.last_line());
    scene.passes(50 * SECOND);
    assert!(!scene.is_ended());
    scene.passes(50 * SECOND);
    assert!(scene.is_ended());
    assert_eq!(scene.stay.end_reason(), Some(EndReason::Idle(100 * SECOND)));
}

#[tokio::test]
async fn the_end_is_told_through_the_veil() {
    let mut scene = Box::pin(Scene::seated(true)).await;
    scene.passes(90 * SECOND);
    assert!(scene.last_line().contains("ends in 10 seconds"), "{}", scene.last_line());
}

#[tokio::test]
async fn the_longest_visit_ends_whatever_is_pressed() {
    let mut scene = Box::pin(Scene::seated(false)).await;
    for _ in 0..4 {
        scene.presses(KeyCode::Down.into());
        scene.passes(60 * SECOND);
    }
    // The word stays and counts down, whatever is pressed and painted meanwhile.
    for left in (2..=10).rev() {
        let words = format!("this visit ends in {left} seconds; log in again any time");
        assert!(scene.last_line().contains(&words), "{left}: {}", scene.last_line());
        scene.presses(KeyCode::Char(if left % 2 == 0 { '3' } else { '1' }).into());
        assert!(scene.last_line().contains(&words), "{left}: {}", scene.last_line());
        assert_eq!(scene.stay.next_end(), Some(scene.now().plus(SECOND)));
        scene.passes(SECOND);
    }
    assert!(scene.last_line().contains("ends in 1 second;"), "{}", scene.last_line());
    scene.passes(SECOND);
    assert!(scene.is_ended());
    assert_eq!(scene.stay.end_reason(), Some(EndReason::MaxSession(250 * SECOND)));
}

#[tokio::test]
async fn whoever_waits_in_line_may_leave_it_and_does_so_at_last_without_a_key() {
    let mut scene = Scene::new(
        |waiting| {
            Box::pin(async move {
                let _seat = waiting.seat().await;
                Err("not reached".into())
            })
        },
        0,
    );
    scene.stay.settle_for(Duration::ZERO).await;
    // The longest visit begins only with the console.
    for _ in 0..10 {
        scene.passes(99 * SECOND);
        assert!(!scene.is_ended());
        assert_eq!(scene.presses(KeyCode::Char('x').into()), Flow::Continue);
    }
    assert_eq!(scene.presses(KeyCode::Char('q').into()), Flow::Quit);
    assert_eq!(scene.stay.end_reason(), None);
    scene.passes(100 * SECOND);
    assert!(scene.is_ended());
    assert_eq!(scene.stay.end_reason(), Some(EndReason::Idle(100 * SECOND)));
}

#[tokio::test]
async fn a_workspace_that_cannot_be_lent_ends_the_stay_with_its_reason() {
    let mut scene = Scene::new(|_waiting| Box::pin(async { Err("the disk is full".into()) }), 1);
    scene.stay.answer().await;
    assert!(scene.is_ended());
    assert_eq!(scene.stay.end_reason(), Some(EndReason::NoWorkspace("the disk is full".into())));
}

#[tokio::test]
async fn a_wait_that_is_given_up_loses_nothing() {
    let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
    let mut scene = Scene::new(
        |waiting| {
            Box::pin(async move {
                let _waits = waiting;
                let _told = receiver.await;
                Err("told".into())
            })
        },
        1,
    );
    for _ in 0..3 {
        let given_up = futures::FutureExt::now_or_never(scene.stay.answer());
        assert!(given_up.is_none());
    }
    sender.send(()).unwrap();
    scene.stay.answer().await;
    assert_eq!(scene.stay.end_reason(), Some(EndReason::NoWorkspace("told".into())));
}

#[tokio::test]
async fn no_more_input_is_taken_in_once_the_loop_ends() {
    let mut scene = Box::pin(Scene::seated(false)).await;
    assert!(!scene.closing.is_cancelled());
    scene.stay.stop();
    assert!(scene.closing.is_cancelled());
}
