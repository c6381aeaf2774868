use super::*;

const LIMITS: Limits = Limits {
    visitors: 2,
    per_address: 2,
    queue_length: 1,
    spectators: 3,
    unauthenticated_per_address: 3,
    unauthenticated: 4,
};

fn ip_address(address: &str) -> IpAddr {
    address.parse().unwrap()
}

#[test]
fn when_all_places_are_taken_the_oldest_stranger_goes_and_nobody_who_comes_is_turned_away() {
    let doorway = ConnectionLimit::new(LIMITS);
    let connections: Vec<_> = (0..4).map(|_| doorway.admit_connection(ip_address("192.0.2.1"))).collect();
    assert!(
        connections[0].evicted().is_cancelled() && !connections[1].evicted().is_cancelled(),
        "an address has three"
    );
    let second = doorway.admit_connection(ip_address("::ffff:192.0.2.1"));
    assert!(connections[1].evicted().is_cancelled(), "the same in another notation");
    let other = doorway.admit_connection(ip_address("192.0.2.2"));
    assert!(connections[2].evicted().is_cancelled(), "unknown ones have three of the four places");
    assert_eq!(doorway.count(), 3);
    drop(connections);
    assert_eq!(doorway.count(), 2, "whoever was evicted is not counted, and not taken away from others");
    drop((second, other));
    assert_eq!(doorway.count(), 0);
}

#[test]
fn some_places_are_kept_for_those_who_logged_in_before_and_for_those_who_present() {
    let doorway = ConnectionLimit::new(Limits { unauthenticated: 8, unauthenticated_per_address: 2, ..LIMITS });
    let silent: Vec<_> = (0..8).map(|host| doorway.admit_connection(ip_address(&format!("192.0.2.{host}")))).collect();
    let evicted = |entries: &[ConnectionPermit]| entries.iter().filter(|entry| entry.evicted().is_cancelled()).count();
    assert_eq!(evicted(&silent), 1);
    // An unknown presenter takes a place as others do, and keeps it when more unknown ones come.
    let presenter = doorway.admit_connection(ip_address("198.51.100.1"));
    presenter.prefer_presenter();
    let more: Vec<_> = (10..30).map(|host| doorway.admit_connection(ip_address(&format!("192.0.2.{host}")))).collect();
    assert!(!presenter.evicted().is_cancelled());
    presenter.mark_authenticated();
    drop(presenter);
    // From there somebody logged in.
    let returning_client = doorway.admit_connection(ip_address("198.51.100.1"));
    let yet_more: Vec<_> =
        (30..60).map(|host| doorway.admit_connection(ip_address(&format!("192.0.2.{host}")))).collect();
    assert!(!returning_client.evicted().is_cancelled());
    // A presenter alone cannot take all places that are kept.
    let feigned: Vec<_> = (0..2).map(|_| doorway.admit_connection(ip_address("198.51.100.7"))).collect();
    feigned.iter().for_each(ConnectionPermit::prefer_presenter);
    let last: Vec<_> = (60..90).map(|host| doorway.admit_connection(ip_address(&format!("192.0.2.{host}")))).collect();
    assert_eq!(evicted(&feigned), 2);
    assert!(!returning_client.evicted().is_cancelled());
    assert!(doorway.count() <= 8);
    drop((silent, more, yet_more, last));
}

#[test]
fn whoever_was_let_in_is_the_last_to_go() {
    let doorway = ConnectionLimit::new(LIMITS);
    let person = doorway.admit_connection(ip_address("192.0.2.1"));
    person.mark_authenticated();
    let others: Vec<_> =
        (0..100).map(|host| doorway.admit_connection(ip_address(&format!("198.51.100.{host}")))).collect();
    assert!(!person.evicted().is_cancelled());
    drop(others);
}

#[test]
fn a_household_is_one_address() {
    let doorway = ConnectionLimit::new(LIMITS);
    let entries: Vec<_> = ["2001:db8::1", "2001:db8::2", "2001:db8::ffff:1", "2001:db8::3"]
        .iter()
        .map(|host| doorway.admit_connection(ip_address(host)))
        .collect();
    assert!(entries[0].evicted().is_cancelled());
    let neighbours = doorway.admit_connection(ip_address("2001:db8:0:1::1"));
    assert!(!neighbours.evicted().is_cancelled());
}

#[test]
fn visitors_are_counted_apart_and_make_room_when_they_leave() {
    let doorway = ConnectionLimit::new(LIMITS);
    let enter = |address| {
        let mut entry = doorway.admit_connection(ip_address(address));
        entry.claim_role(Role::Visitor).map(|()| entry)
    };
    let first = enter("192.0.2.1").unwrap();
    let _second = enter("192.0.2.1").unwrap();
    assert_eq!(enter("192.0.2.1").unwrap_err(), CapacityError::AddressFull);
    let _third = enter("192.0.2.2").unwrap();
    assert_eq!(enter("192.0.2.3").unwrap_err(), CapacityError::QueueFull);
    assert_eq!(doorway.count(), 3);
    drop(first);
    let mut second = enter("192.0.2.1").unwrap();
    assert_eq!(second.claim_role(Role::Visitor), Ok(()), "one visit is one visit");
    drop(second);
    assert_eq!(doorway.count(), 2);
}

#[test]
fn those_who_look_on_or_present_take_no_visitors_place_and_none_of_their_address() {
    let doorway = ConnectionLimit::new(LIMITS);
    let enter = |role| {
        let mut entry = doorway.admit_connection(ip_address("192.0.2.1"));
        entry.claim_role(role).map(|()| entry)
    };
    let watching: Vec<_> = (0..3).map(|_| enter(Role::Spectator).unwrap()).collect();
    assert_eq!(enter(Role::Spectator).unwrap_err(), CapacityError::TooManySpectators);
    let _visiting: Vec<_> = (0..2).map(|_| enter(Role::Visitor).unwrap()).collect();
    assert_eq!(enter(Role::Visitor).unwrap_err(), CapacityError::AddressFull);
    // Whoever is to present is let in when all else is full.
    let presenting: Vec<_> = (0..MAX_PRESENTERS).map(|_| enter(Role::Presenter).unwrap()).collect();
    assert_eq!(enter(Role::Presenter).unwrap_err(), CapacityError::TooManyPresenters);
    assert_eq!(doorway.count(), 3 + 2 + MAX_PRESENTERS);
    drop((watching, presenting));
    assert_eq!(doorway.count(), 2);
    assert!(enter(Role::Spectator).is_ok() && enter(Role::Presenter).is_ok());
}

#[test]
fn nothing_is_remembered_of_those_who_left() {
    let doorway = ConnectionLimit::new(LIMITS);
    for host in 0..100 {
        let mut entry = doorway.admit_connection(ip_address(&format!("192.0.2.{host}")));
        if let Some((_, role)) = Role::ALL.get(host % 4) {
            entry.claim_role(*role).unwrap();
        }
    }
    assert_eq!(doorway.count(), 0);
    assert!(doorway.lock_counts().visitors_by_address.is_empty());
}
