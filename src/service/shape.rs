//! The shapes of answers as JSON Schemas, read off the very types that are serialised.

use serde_json::{Map, Value, json};

/// A type whose JSON can be described.
pub(in crate::service) trait Shape {
    /// The schema of a value. Those of named types are added to `schemas` and referred to.
    fn schema(schemas: &mut Map<String, Value>) -> Value;
}

/// Declares resources and describes them in one.
macro_rules! shaped {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$about:meta])* pub $field:ident: $kind:ty,)+ })+) => { $(
        $(#[$meta])*
        pub struct $name { $($(#[$about])* pub $field: $kind,)+ }

        impl $crate::service::shape::Shape for $name {
            fn schema(schemas: &mut serde_json::Map<String, serde_json::Value>) -> serde_json::Value {
                $crate::service::shape::named(schemas, stringify!($name), |schemas| vec![
                    $((stringify!($field), <$kind as $crate::service::shape::Shape>::schema(schemas)),)+
                ])
            }
        }
    )+ };
}
pub(in crate::service) use shaped;

/// A reference to a named type, whose fields are described if they were not yet.
pub(super) fn named(
    schemas: &mut Map<String, Value>,
    name: &str,
    fields: impl FnOnce(&mut Map<String, Value>) -> Vec<(&'static str, Value)>,
) -> Value {
    if !schemas.contains_key(name) {
        let fields = fields(schemas);
        let names: Vec<_> = fields.iter().map(|(field, _)| wire_name(field)).collect();
        let properties: Map<_, _> = fields.into_iter().map(|(field, schema)| (wire_name(field), schema)).collect();
        let schema = json!({ "type": "object", "required": names, "properties": properties });
        schemas.insert(name.to_owned(), schema);
    }
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// The name of a field on the wire: in camel case, save for those that Rust cannot call what they are called there.
fn wire_name(field: &str) -> String {
    if matches!(field, "kind" | "mime") {
        return "type".into();
    }
    let mut words = field.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (initial, rest) = word.split_at(word.len().min(1));
        name + &initial.to_ascii_uppercase() + rest
    })
}

macro_rules! plain {
    ($($kind:ty => $schema:tt,)+) => { $(
        impl Shape for $kind {
            fn schema(_: &mut Map<String, Value>) -> Value {
                json!($schema)
            }
        }
    )+ };
}

plain! {
    String => { "type": "string" },
    &'static str => { "type": "string" },
    bool => { "type": "boolean" },
    u8 => { "type": "integer", "minimum": 0, "maximum": 255 },
    u64 => { "type": "integer", "minimum": 0 },
}

impl<T: Shape> Shape for Option<T> {
    fn schema(schemas: &mut Map<String, Value>) -> Value {
        let mut schema = T::schema(schemas);
        match schema.get("type").and_then(Value::as_str).map(str::to_owned) {
            Some(kind) => {
                schema["type"] = json!([kind, "null"]);
                schema
            }
            None => json!({ "anyOf": [schema, { "type": "null" }] }),
        }
    }
}

impl<T: Shape> Shape for Vec<T> {
    fn schema(schemas: &mut Map<String, Value>) -> Value {
        json!({ "type": "array", "items": T::schema(schemas) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_called_as_on_the_wire() {
        for (field, wire) in
            [("id", "id"), ("ref_id", "refId"), ("kind", "type"), ("is_evm_compatible", "isEvmCompatible")]
        {
            assert_eq!(wire_name(field), wire);
        }
    }
}
