//! Detects duplicate members in JSON objects: one reader takes the first and another the last, so the executed request
//! could differ from the reviewed one.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The name of a member that occurs twice in one object, at any depth. The text must have been parsed as JSON before,
/// which bounds its depth.
pub(super) fn find_duplicate_member(text: &str) -> Option<String> {
    let inner: Vec<&RawValue> = match text.trim_start().bytes().next() {
        Some(b'{') => {
            let MembersWithDuplicates(members) = serde_json::from_str(text).ok()?;
            let mut names = HashSet::new();
            if let Some((name, _)) = members.iter().find(|(name, _)| !names.insert(name)) {
                return Some(name.clone());
            }
            members.into_iter().map(|(_, value)| value).collect()
        }
        Some(b'[') => serde_json::from_str(text).ok()?,
        _ => return None,
    };
    inner.into_iter().find_map(|value| find_duplicate_member(value.get()))
}

/// All members of an object, duplicates included.
struct MembersWithDuplicates<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for MembersWithDuplicates<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = MembersWithDuplicates<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(member) = members.next_entry()? {
            all.push(member);
        }
        Ok(MembersWithDuplicates(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_that_stands_twice_is_found_however_deep_and_nothing_else_is() {
        for text in ["{}", r#"{"a":[1,-2,1.5,"x",null,true,{"a":{"b":"\u00e9"}}],"b":{"a":1e3}}"#, "[]", "7", ""] {
            assert_eq!(find_duplicate_member(text), None, "{text}");
        }
        for (text, name) in [
            (r#"{"amount":"1","amount":"100"}"#, "amount"),
            (r#"{"amount":"1","amount":"1"}"#, "amount"),
            (r#"{"amount":"1","a\u006dount":"100"}"#, "amount"),
            (r#" { "to" : [ {"address":"a"}, {"address":"b","address":"c"} ] }"#, "address"),
            (r#"{"metadata":{"x":{"y":1,"y":null}}}"#, "y"),
        ] {
            assert_eq!(find_duplicate_member(text).as_deref(), Some(name), "{text}");
        }
    }
}
