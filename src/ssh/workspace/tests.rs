//! Workspaces come with their visitors and go with them.

use super::*;

async fn start_workspaces() -> Workspaces {
    start_workspaces_with(false).await
}

async fn start_workspaces_with(read_only: bool) -> Workspaces {
    let sample = Sample { seed: 1, transactions: 12 };
    Workspaces::start(WorkspaceOptions { sample, scene: None, pace: Pace::USUAL, veiled: false, read_only })
        .await
        .unwrap()
}

#[tokio::test]
async fn where_it_was_told_to_read_visitors_change_nothing() {
    for read_only in [false, true] {
        let workspaces = start_workspaces_with(read_only).await;
        let workspace = workspaces.create_workspace().await.unwrap();
        assert_eq!(workspace.world.payments.is_err(), read_only);
        assert_eq!(open_console(&workspace).model().console.read_only.is_some(), read_only);
    }
}

fn open_console(workspace: &Workspace) -> Console {
    workspace.console(Size { width: 80, height: 24 }, Appearance::default()).unwrap()
}

#[tokio::test]
async fn a_workspace_is_gone_with_its_visitor_even_in_a_panic() {
    let workspaces = std::sync::Arc::new(start_workspaces().await);
    let stays = workspaces.create_workspace().await.unwrap();
    let mut stays_console = open_console(&stays);
    stays_console.start_service_reads();
    let lender = std::sync::Arc::clone(&workspaces);
    let visit = tokio::spawn(async move {
        let workspace = lender.create_workspace().await.unwrap();
        let mut console = open_console(&workspace);
        console.start_service_reads();
        assert_eq!(lender.tenant_host.tenant_count(), 2);
        panic!("a fault in one visitor's console")
    });
    assert!(visit.await.unwrap_err().is_panic());
    assert_eq!(workspaces.tenant_host.tenant_count(), 1);
    // The other one reads on.
    while !stays_console.model().data.progress.complete {
        stays_console.apply_next_completion().await;
        let due = stays_console.next_poll_at();
        stays_console.handle_message(crate::app::Msg::Tick(due.unwrap_or(crate::runtime::Clock::System.now())));
    }
    drop((stays_console, stays));
    assert_eq!(workspaces.tenant_host.tenant_count(), 0);
}

#[tokio::test]
async fn a_visitors_world_holds_nothing_of_the_host() {
    let workspaces = start_workspaces().await;
    let workspace = workspaces.create_workspace().await.unwrap();
    assert!(workspace.world.host.is_none());
    assert!(workspace.world.store.is_temporary());
    let console = open_console(&workspace);
    assert!(console.model().console.profiles.is_empty());
    assert_eq!(console.model().session.watches.count(), 0, "nothing calls a visitor");
    assert_eq!(console.model().console.identity.base_url, workspaces.tenant_host.base_url().into());
    let paying = workspace.world.payments.as_ref().ok().unwrap();
    assert!(paying.passphrase_verifier.is_none());
    let opened = (paying.operator_factory)().unwrap();
    assert_eq!(opened.operator.base_url().to_string(), workspaces.tenant_host.base_url());
}

#[tokio::test]
async fn two_of_a_desk_have_one_treasury_until_both_have_left() {
    let options = WorkspaceOptions {
        sample: Sample { seed: 1, transactions: 100 },
        scene: Some(Scene::FourEyes),
        pace: Pace::USUAL,
        veiled: false,
        read_only: false,
    };
    assert!(options.has_desks() && !WorkspaceOptions { read_only: true, ..options }.has_desks());
    assert!(!WorkspaceOptions { scene: Some(Scene::Calm), ..options }.has_desks());
    let workspaces = Workspaces::start(options).await.unwrap();
    let desks = std::sync::Arc::<crate::ssh::desks::Desks>::default();
    let seats = [desks.take_seat("desk1").unwrap(), desks.take_seat("desk1").unwrap()];
    // They come at the same time.
    let [maker, checker] = seats.map(|seat| workspaces.create_desk_workspace(seat));
    let (maker, checker) = tokio::join!(maker, checker);
    let (maker, checker) = (maker.unwrap(), checker.unwrap());
    let own = workspaces.create_workspace().await.unwrap();
    assert_eq!(workspaces.tenant_host.tenant_count(), 2);
    assert!(Arc::ptr_eq(&maker.treasury, &checker.treasury));
    let role = |workspace: &Workspace| open_console(workspace).model().console.identity.demo_role.clone();
    assert_eq!((role(&maker), role(&checker), role(&own)), (Some("maker".into()), Some("checker".into()), None));
    let orders = |workspace: &Workspace| workspace.world.payments.as_ref().ok().unwrap().journal.all_orders().unwrap();
    assert!(!orders(&checker).is_empty());
    assert_eq!(orders(&maker), orders(&checker), "the past is recorded once");
    drop(maker);
    assert_eq!(workspaces.tenant_host.tenant_count(), 2);
    drop(checker);
    assert_eq!(workspaces.tenant_host.tenant_count(), 1);
    let new_workspace = workspaces.create_desk_workspace(desks.take_seat("desk1").unwrap()).await.unwrap();
    assert_eq!(workspaces.tenant_host.tenant_count(), 2);
    assert_eq!(role(&new_workspace), Some("maker".into()));
}
