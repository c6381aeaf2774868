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
struct SessionTest {
    session: VisitorSession,
    notices: UnboundedReceiver<TerminalNotice>,
    closing: CancellationToken,
    time: Arc<AtomicI64>,
}

impl SessionTest {
    fn new(lending: impl FnOnce(crate::ssh::admission::QueueTicket) -> PendingConsole, places: usize) -> Self {
        let seats = Admission::new(places);
        let time = Arc::new(AtomicI64::new(1_000_000));
        let clock = Clock::Manual(Arc::clone(&time));
        let waiting = seats.join_queue();
        let page =
            QueuePage::new(Arc::clone(&seats), waiting.number(), clock.now(), 100 * SECOND, Appearance::default());
        let (sender, notices) = unbounded_channel();
        let closing = CancellationToken::new();
        let time_limits = TimeLimits {
            idle_time_out: 100 * SECOND,
            max_visit: 250 * SECOND,
            warning_before_end: 10 * SECOND,
            ..TimeLimits::default()
        };
        let session = VisitorSession::new(
            page,
            lending(waiting),
            Appearance::default(),
            time_limits,
            clock,
            sender,
            closing.clone(),
        );
        Self { session, notices, closing, time }
    }

    /// A stay with a console.
    async fn with_console(veiled: bool) -> Self {
        let furnishing = WorkspaceOptions {
            sample: Sample { seed: 1, transactions: 10 },
            scene: None,
            pace: Pace::USUAL,
            veiled,
            read_only: false,
        };
        let workspaces = Workspaces::start(furnishing).await.unwrap();
        let workspace = workspaces.create_workspace().await.unwrap();
        let console = workspace.console(Size { width: 80, height: 24 }, Appearance::default()).unwrap();
        let mut scene = Self::new(
            |waiting| {
                Box::pin(async move {
                    let seat = Some(waiting.wait_for_slot().await);
                    Ok(Box::new(LentConsole { console, _workspace: Some(workspace), slot: seat }))
                })
            },
            1,
        );
        scene.session.wait_for_console(60 * SECOND).await;
        scene
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.time.load(Ordering::SeqCst))
    }

    /// Lets time pass, and tells the stay where something of its own is due.
    fn pass_time(&mut self, time: Duration) {
        let now = self.now().plus(time);
        self.time.store(now.millis(), Ordering::SeqCst);
        self.session.run_due_timers(now);
    }

    fn press_key(&mut self, key: KeyEvent) -> Flow {
        let now = self.now();
        self.session.input(Event::Key(key), now)
    }

    /// The last line of the screen.
    fn last_line(&self) -> String {
        let area = Rect::new(0, 0, 80, 24);
        let mut buf = Buffer::empty(area);
        self.session.view(area, &mut buf);
        (0..80).map(|x| buf[(x, 23)].symbol()).collect()
    }

    fn is_ended(&mut self) -> bool {
        self.notices.try_recv() == Ok(TerminalNotice::Ended(ExitReason::Quit))
    }
}

#[tokio::test]
async fn whoever_presses_no_key_is_told_a_while_before_the_end() {
    let mut scene = Box::pin(SessionTest::with_console(false)).await;
    scene.pass_time(89 * SECOND);
    assert!(!scene.last_line().contains("this visit ends"), "{}", scene.last_line());
    scene.pass_time(SECOND);
    assert!(scene.last_line().contains("ends in 10 seconds"), "{}", scene.last_line());
    assert!(scene.session.take_has_changed());
    assert_eq!(scene.session.next_time_out(), Some(scene.now().plus(SECOND)));
    // A key puts it off.
    scene.press_key(KeyCode::Down.into());
    assert!(!scene.last_line().contains("this visit ends"), "{}", scene.last_line());
    scene.pass_time(50 * SECOND);
    assert!(!scene.is_ended());
    scene.pass_time(50 * SECOND);
    assert!(scene.is_ended());
    assert_eq!(scene.session.end_reason(), Some(EndReason::Idle(100 * SECOND)));
}

#[tokio::test]
async fn the_end_is_told_through_the_veil() {
    let mut scene = Box::pin(SessionTest::with_console(true)).await;
    scene.pass_time(90 * SECOND);
    assert!(scene.last_line().contains("ends in 10 seconds"), "{}", scene.last_line());
}

#[tokio::test]
async fn the_longest_visit_ends_whatever_is_pressed() {
    let mut scene = Box::pin(SessionTest::with_console(false)).await;
    for _ in 0..4 {
        scene.press_key(KeyCode::Down.into());
        scene.pass_time(60 * SECOND);
    }
    // The word stays and counts down, whatever is pressed and painted meanwhile.
    for seconds_left in (2..=10).rev() {
        let warning = format!("this visit ends in {seconds_left} seconds; log in again any time");
        assert!(scene.last_line().contains(&warning), "{seconds_left}: {}", scene.last_line());
        scene.press_key(KeyCode::Char(if seconds_left % 2 == 0 { '3' } else { '1' }).into());
        assert!(scene.last_line().contains(&warning), "{seconds_left}: {}", scene.last_line());
        assert_eq!(scene.session.next_time_out(), Some(scene.now().plus(SECOND)));
        scene.pass_time(SECOND);
    }
    assert!(scene.last_line().contains("ends in 1 second;"), "{}", scene.last_line());
    scene.pass_time(SECOND);
    assert!(scene.is_ended());
    assert_eq!(scene.session.end_reason(), Some(EndReason::MaxSession(250 * SECOND)));
}

#[tokio::test]
async fn whoever_waits_in_line_may_leave_it_and_does_so_at_last_without_a_key() {
    let mut scene = SessionTest::new(
        |waiting| {
            Box::pin(async move {
                let _seat = waiting.wait_for_slot().await;
                Err("not reached".into())
            })
        },
        0,
    );
    scene.session.wait_for_console(Duration::ZERO).await;
    // The longest visit begins only with the console.
    for _ in 0..10 {
        scene.pass_time(99 * SECOND);
        assert!(!scene.is_ended());
        assert_eq!(scene.press_key(KeyCode::Char('x').into()), Flow::Continue);
    }
    assert_eq!(scene.press_key(KeyCode::Char('q').into()), Flow::Quit);
    assert_eq!(scene.session.end_reason(), None);
    scene.pass_time(100 * SECOND);
    assert!(scene.is_ended());
    assert_eq!(scene.session.end_reason(), Some(EndReason::Idle(100 * SECOND)));
}

#[tokio::test]
async fn a_workspace_that_cannot_be_lent_ends_the_stay_with_its_reason() {
    let mut scene = SessionTest::new(|_waiting| Box::pin(async { Err("the disk is full".into()) }), 1);
    scene.session.apply_next_result().await;
    assert!(scene.is_ended());
    assert_eq!(scene.session.end_reason(), Some(EndReason::NoWorkspace("the disk is full".into())));
}

#[tokio::test]
async fn a_wait_that_is_given_up_loses_nothing() {
    let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
    let mut scene = SessionTest::new(
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
        let given_up = futures::FutureExt::now_or_never(scene.session.apply_next_result());
        assert!(given_up.is_none());
    }
    sender.send(()).unwrap();
    scene.session.apply_next_result().await;
    assert_eq!(scene.session.end_reason(), Some(EndReason::NoWorkspace("told".into())));
}

#[tokio::test]
async fn no_more_input_is_taken_in_once_the_loop_ends() {
    let mut scene = Box::pin(SessionTest::with_console(false)).await;
    assert!(!scene.closing.is_cancelled());
    scene.session.on_loop_end();
    assert!(scene.closing.is_cancelled());
}
