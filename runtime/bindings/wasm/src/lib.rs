//! The engine as a WebAssembly module of no imports: numbers and bytes in its memory. `native.js` is the other side, and what
//! JavaScript expects of classes is the Node module's `classes.js`. It knows one caller at a time: WebAssembly has one thread.
//!
//! A caller asks for `room`, writes a text there, calls a function and reads its answer: `answer_length` bytes at
//! `answer`. What is made is told by a number, and kept until it is dropped.

use bindings::{Engine, LookupTable, answer as json_of};
use std::cell::RefCell;

/// The number of what could not be made; the answer says why. As look-ups, none.
const NONE: u32 = u32::MAX;

#[derive(Default)]
struct Module {
    /// What the caller wrote.
    input: Vec<u8>,
    answer: String,
    checkers: Vec<Option<Engine>>,
    lookups: Vec<Option<LookupTable>>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

/// Room for a text of so many bytes, and where it is.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    MODULE.with_borrow_mut(|module| {
        module.input.clear();
        module.input.resize(bytes, 0);
        module.input.as_mut_ptr()
    })
}

/// Where the last answer is.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    MODULE.with_borrow(|module| module.answer.as_ptr())
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    MODULE.with_borrow(|module| module.answer.len())
}

/// Makes a checker of a schema-detail document.
#[unsafe(no_mangle)]
pub extern "C" fn checker_new() -> u32 {
    make(|module| &mut module.checkers, Engine::new)
}

/// Makes look-ups of a table.
#[unsafe(no_mangle)]
pub extern "C" fn lookups_new() -> u32 {
    make(|module| &mut module.lookups, LookupTable::read)
}

/// Forgets a checker.
#[unsafe(no_mangle)]
pub extern "C" fn checker_drop(checker: u32) {
    MODULE.with_borrow_mut(|module| forget(&mut module.checkers, checker));
}

/// Forgets look-ups.
#[unsafe(no_mangle)]
pub extern "C" fn lookups_drop(lookups: u32) {
    MODULE.with_borrow_mut(|module| forget(&mut module.lookups, lookups));
}

/// Judges the body of a new record.
#[unsafe(no_mangle)]
pub extern "C" fn check(checker: u32, lookups: u32) {
    judge(checker, lookups, |engine, table, input| {
        json_of(&engine.check(input, table))
    });
}

/// Judges a change of a stored record, which has the first so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn merge(checker: u32, lookups: u32, stored_bytes: usize) {
    judge(checker, lookups, |engine, table, input| {
        let (stored, change) = input.split_at(stored_bytes.min(input.len()));
        json_of(&engine.merge(&String::from_utf8_lossy(stored), change, table))
    });
}

fn make<T>(
    of: fn(&mut Module) -> &mut Vec<Option<T>>,
    read: impl FnOnce(&str) -> Result<T, String>,
) -> u32 {
    MODULE.with_borrow_mut(
        |module| match read(&String::from_utf8_lossy(&module.input)) {
            Ok(made) => {
                let kept = of(module);
                // a number that was given up is given out again
                let free = kept.iter().position(Option::is_none);
                let at = free.unwrap_or_else(|| {
                    kept.push(None);
                    kept.len() - 1
                });
                kept[at] = Some(made);
                u32::try_from(at).unwrap_or(NONE)
            }
            Err(why) => {
                module.answer = why;
                NONE
            }
        },
    )
}

fn forget<T>(kept: &mut [Option<T>], number: u32) {
    if let Some(place) = kept.get_mut(number as usize) {
        *place = None;
    }
}

fn judge(
    checker: u32,
    lookups: u32,
    one: impl FnOnce(&Engine, Option<&LookupTable>, &[u8]) -> String,
) {
    MODULE.with_borrow_mut(|module| {
        let engine = module.checkers.get(checker as usize);
        let table = module.lookups.get(lookups as usize);
        module.answer = match engine {
            Some(Some(engine)) => one(engine, table.and_then(Option::as_ref), &module.input),
            _ => String::new(),
        };
    });
}
