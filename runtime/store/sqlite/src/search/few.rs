//! A few hits, whichever are found first, as the palette shows them. It counts none.

use super::begun::Begun;
use super::compile::{compile, compile_begun};
use super::looking::Looking;
use super::streams::PLACES;
use crate::error::Failure;
use rusqlite::params;
use store::records::RecordPlace;
use store::search::{Aim, Search, SearchPage};

/// Any that the full-text index finds, as many as are wanted, and no count of them.
pub(super) fn any_by_text(looking: &Looking<'_>, search: &Search) -> Result<SearchPage, Failure> {
    let mut result = SearchPage::default();
    for aim in &search.aims {
        let wanted = search.limit - result.places.len();
        if wanted == 0 {
            break;
        }
        result.places.extend(any_of(looking, search, aim, wanted)?);
    }
    Ok(result)
}

/// Those of a dataset. Where more words begin as is asked than are looked for, these most often have as many as are wanted.
fn any_of(
    looking: &Looking<'_>,
    search: &Search,
    aim: &Aim,
    wanted: usize,
) -> Result<Vec<RecordPlace>, Failure> {
    let (expression, columns) = (&search.expression, looking.columns);
    if let Some(begun) = Begun::of(looking, expression, aim)? {
        let text = compile_begun(expression, aim, columns, begun.words());
        let found = some(looking, text, wanted)?;
        if found.len() == wanted || !begun.is_cut() {
            return Ok(found);
        }
    }
    some(looking, compile(expression, aim, columns), wanted)
}

/// The first places of a text, so many at most.
fn some(
    looking: &Looking<'_>,
    text: Option<String>,
    most: usize,
) -> Result<Vec<RecordPlace>, Failure> {
    let Some(text) = text else {
        return Ok(Vec::new());
    };
    let mut page = looking.connection.prepare_cached(PLACES)?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let mut places = Vec::new();
    for place in page.query_map(params![text, 0, most], |row| row.get(0))? {
        places.push(RecordPlace::of_number(place?));
    }
    Ok(places)
}
