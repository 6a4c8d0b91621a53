//! The engine as a Node module. `index.js` puts classes of JavaScript around it, `index.d.ts` tells what each is for.

use bindings::{Engine, LookupTable, Rejected};
use napi::bindgen_prelude::{Either, Error, Result, Uint8Array};
use napi_derive::napi;

/// A text, or its bytes.
type Body = Either<String, Uint8Array>;

fn bytes(body: &Body) -> &[u8] {
    match body {
        Either::A(text) => text.as_bytes(),
        Either::B(bytes) => bytes,
    }
}

/// Judges records of one schema.
#[napi]
pub struct NativeChecker(Engine);

/// A judged record.
#[napi(object)]
pub struct Checked {
    /// As it is stored.
    pub normal_form: String,
    /// Its text.
    pub primary_key: Option<String>,
    /// `_errors`, as JSON text.
    pub errors: String,
    /// What is wrong.
    pub faults: Vec<Fault>,
    /// Whether every rule was judged.
    pub is_fully_judged: bool,
}

/// What is wrong with a value.
#[napi(object)]
pub struct Fault {
    /// Its field.
    pub field: String,
    /// Of a value among several, from 1.
    pub position: Option<u32>,
    /// The rule.
    pub code: String,
    /// In bytes.
    pub offset: Option<u32>,
    /// In words.
    pub text: String,
}

/// Why a body is refused as a whole.
#[napi(object)]
pub struct Refused {
    /// Its reasons.
    pub rejections: Vec<Rejection>,
}

/// One reason.
#[napi(object)]
pub struct Rejection {
    /// The reason.
    pub code: String,
    /// In bytes.
    pub offset: u32,
    /// The key or field that it is about.
    pub name: Option<String>,
    /// In words.
    pub text: String,
}

#[napi]
impl NativeChecker {
    /// Of a schema-detail document.
    #[napi(constructor)]
    pub fn new(schema: String) -> Result<Self> {
        Engine::new(&schema)
            .map(NativeChecker)
            .map_err(Error::from_reason)
    }

    /// Judges the body of a new record.
    #[napi]
    pub fn check(&self, body: Body, lookups: Option<&NativeLookups>) -> Either<Checked, Refused> {
        told(
            self.0
                .check(bytes(&body), lookups.map(|lookups| &lookups.0)),
        )
    }

    /// Judges a change of a stored record.
    #[napi]
    pub fn merge(
        &self,
        stored: String,
        change: Body,
        lookups: Option<&NativeLookups>,
    ) -> Either<Checked, Refused> {
        let table = lookups.map(|lookups| &lookups.0);
        told(self.0.merge(&stored, bytes(&change), table))
    }

    /// Whether a record has no fault.
    #[napi]
    pub fn is_clean(&self, body: Body, lookups: Option<&NativeLookups>) -> bool {
        let checked = self
            .0
            .check(bytes(&body), lookups.map(|lookups| &lookups.0));
        checked.is_ok_and(|checked| checked.is_clean())
    }
}

/// What is known outside a schema.
#[napi]
pub struct NativeLookups(LookupTable);

#[napi]
impl NativeLookups {
    /// From JSON.
    #[napi(constructor)]
    pub fn new(table: String) -> Result<Self> {
        LookupTable::read(&table)
            .map(NativeLookups)
            .map_err(Error::from_reason)
    }
}

fn told(checked: std::result::Result<bindings::Checked, Rejected>) -> Either<Checked, Refused> {
    match checked {
        Ok(checked) => Either::A(Checked {
            primary_key: checked.primary_key().map(str::to_owned),
            errors: checked.errors_json(),
            faults: checked.faults().iter().map(fault).collect(),
            is_fully_judged: checked.is_fully_judged(),
            normal_form: checked.into_normal_form(),
        }),
        Err(rejected) => Either::B(Refused {
            rejections: rejected.items().iter().map(rejection).collect(),
        }),
    }
}

fn fault(fault: &bindings::Fault) -> Fault {
    Fault {
        field: fault.field().to_owned(),
        position: fault.position().map(narrow),
        code: fault.rule().code().to_owned(),
        offset: fault.offset().map(narrow),
        text: fault.to_string(),
    }
}

fn rejection(rejection: &bindings::Rejection) -> Rejection {
    Rejection {
        code: rejection.code.name().to_owned(),
        offset: narrow(rejection.offset),
        name: rejection.name.clone(),
        text: rejection.text(),
    }
}

/// Places in a body, which has 16 MiB at most.
fn narrow(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
