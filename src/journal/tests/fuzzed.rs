//! Bodies of records, of any text: what is understood is written again as the same, whatever a newer version added.

use super::fixtures::withdrawal;
use crate::domain::order::OrderEvent;
use crate::fuzzing::{choice, target, text};
use crate::journal::record::Body;

const KINDS: [&str; 11] = [
    "drafted",
    "confirmed",
    "sending",
    "answered",
    "looked",
    "ended",
    "imported",
    "copied",
    "restored",
    "service",
    "acknowledged",
];

#[test]
fn a_record_says_the_same_after_it_was_read_and_written() {
    let (kind, drafted) = Body::Event(OrderEvent::Drafted(Box::new(withdrawal("25")))).write().unwrap();
    assert_eq!(kind, KINDS[0]);
    let drafted = [b"\0", drafted.as_bytes()].concat();
    let seeds: [&[u8]; 16] = [
        &drafted,
        b"\0{\"v\":1,\"draft\":{\"operation\":\"create-user\",\"email\":\"a@b.c\"},\"sender\":{\"blockchain\":\"base\",\"raw\":\"25\",\"decimals\":6},\"request\":{\"method\":\"POST\",\"path\":\"/v2/users\",\"body\":\"{}\"},\"to\":{\"profile\":\"p\",\"base_url\":\"b\",\"key_mark\":\"k\"},\"newest\":[]}",
        b"\x01{\"v\":1,\"typed\":[\"25\"],\"findings\":[]}",
        b"\x02{\"v\":1,\"attempt\":1,\"because\":\"confirmed\",\"gives_up_at\":1}",
        b"\x02{\"v\":2,\"attempt\":2,\"because\":{\"operator\":{\"warned\":true}},\"gives_up_at\":-1}",
        b"\x03{\"v\":1,\"attempt\":1,\"answer\":{\"outcome\":\"accepted\",\"status\":201,\"said\":\"done\",\"raw\":\"{}\"}}",
        b"\x04{\"v\":1,\"found\":{\"transaction\":\"t\",\"status\":\"pending\",\"confirmed\":false},\"covers\":true}",
        b"\x05{\"v\":1,\"end\":\"settled\"}",
        b"\x05{\"v\":1,\"end\":{\"written-off\":{\"reason\":\"by hand\"}}}",
        b"\x05{\"v\":1,\"end\":\"abandoned\",\"why\":\"old\"}",
        b"\x06{\"v\":1,\"base_url\":\"https://a\",\"origin\":\"f.csv\",\"entries\":[]}",
        b"\x07{\"v\":1,\"open\":2}",
        b"\x08{\"v\":1,\"open\":18446744073709551615}",
        b"\x08{\"v\":1,\"open\":1,\"open\":2}",
        b"\x09{\"v\":1,\"base_url\":\"https://a\"}",
        b"\x09{\"v\":1,\"base_url\":\"https://a\",\"answer\":{\"other\":\"https://b\",\"same\":true}}",
    ];
    target(&seeds, |input| {
        let (kind, json) = choice(input, KINDS.len());
        let (kind, json) = (KINDS[kind], text(json));
        let Some(body) = Body::read(kind, json) else { return };
        let (written_kind, written) = body.write().unwrap();
        assert_eq!(written_kind, kind);
        assert_eq!(Body::read(kind, &written).as_ref(), Some(&body), "{json}");
        assert_eq!(Body::read(kind, &written).unwrap().write().unwrap().1, written);
        if json.trim_start().starts_with('{') {
            let newer = json.replacen('{', "{\"unknown_to_all\":[{}],", 1);
            assert_eq!(Body::read(kind, &newer), Some(body), "{newer}");
        }
    });
}
