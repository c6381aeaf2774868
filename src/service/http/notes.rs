//! What a handler asks for and answers with, noted down while it runs without doing anything.
//!
//! The document of the interface is written from these notes, so that it says what the code does: a parameter that a
//! handler asks for is in it, and one that it does not ask for is not.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};

use crate::service::shape::Shape;

/// A parameter that a handler asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) required: bool,
    pub(super) schema: Value,
}

/// The parameters that a handler asks for, if somebody takes notes.
#[derive(Debug, Default)]
pub(super) struct Asked(Option<Vec<Parameter>>);

impl Asked {
    /// With notes being taken.
    pub(super) fn noting() -> Self {
        Self(Some(Vec::new()))
    }

    /// A parameter is asked for. What is asked in several ways is noted as it was asked first.
    pub(super) fn note(&mut self, name: &str, required: bool, schema: impl FnOnce() -> Value) {
        if let Some(asked) = &mut self.0
            && asked.iter().all(|known| known.name != name)
        {
            asked.push(Parameter { name: name.to_owned(), required, schema: schema() });
        }
    }

    /// Whether notes are taken.
    pub(super) fn is_noting(&self) -> bool {
        self.0.is_some()
    }

    /// What was asked for.
    pub(super) fn parameters(self) -> Vec<Parameter> {
        self.0.unwrap_or_default()
    }
}

/// The schema of an object with such parameters.
pub(super) fn object(parameters: Vec<Parameter>) -> Value {
    let required: Vec<_> =
        parameters.iter().filter(|parameter| parameter.required).map(|parameter| parameter.name.clone()).collect();
    let properties: Map<_, _> = parameters.into_iter().map(|parameter| (parameter.name, parameter.schema)).collect();
    json!({ "type": "object", "required": required, "properties": properties })
}

/// How an answer is wrapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Envelope {
    /// One resource, or a list that is not paged.
    Success,
    /// One page.
    List,
}

/// Travels with a request that is only to be described. No request from outside carries one.
#[derive(Debug, Clone, Default)]
pub(super) struct Notes(Arc<Mutex<Noted>>);

/// What was noted of one operation.
#[derive(Debug, Clone, Default)]
pub(super) struct Noted {
    pub(super) parameters: Vec<Parameter>,
    pub(super) answer: Option<(Envelope, Value)>,
    pub(super) schemas: Map<String, Value>,
}

impl Notes {
    /// Notes an operation's parameters and the type of its answer.
    pub(super) fn write<T: Shape>(&self, asked: Asked, envelope: Envelope) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.parameters = asked.parameters();
        let schema = T::schema(&mut noted.schemas);
        noted.answer = Some((envelope, schema));
    }

    /// What was noted.
    pub(super) fn read(&self) -> Noted {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
