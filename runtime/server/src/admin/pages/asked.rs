//! How a grid is asked for. The address says it all, and a saved view keeps it.

use super::visit::{Form, Visit};
use service::manage::SavedViewView;
use url::form_urlencoded::Serializer;

/// How a grid is asked for.
#[derive(Clone, Default)]
pub(super) struct Asked {
    pub(super) query: String,
    pub(super) sort: String,
    pub(super) columns: Vec<String>,
    pub(super) key: Option<String>,
}

impl Asked {
    pub(super) fn of<P>(visit: &Visit<P>) -> Self {
        let columns = visit.parameter("columns").unwrap_or_default();
        // boxes that were ticked come one by one
        let ticked = visit.parameters("column");
        Asked {
            query: visit.parameter("q").unwrap_or_default().trim().to_owned(),
            sort: visit.parameter("sort").unwrap_or_default(),
            columns: ids(&columns).chain(ticked).collect(),
            key: visit.parameter("pageKey").filter(|key| !key.is_empty()),
        }
    }

    /// As a form of the page brings it along.
    pub(super) fn of_form(form: &Form) -> Self {
        Asked {
            query: form.text("q").trim().to_owned(),
            sort: form.text("sort").to_owned(),
            columns: ids(form.text("columns")).collect(),
            key: None,
        }
    }

    /// As it was saved.
    pub(super) fn of_view(view: &SavedViewView) -> Self {
        Asked {
            query: view.query.clone(),
            sort: view.sort.clone(),
            columns: view.columns.clone(),
            key: None,
        }
    }

    /// The same from its first page on.
    pub(super) fn from_start(&self) -> Self {
        Asked {
            key: None,
            ..self.clone()
        }
    }

    /// The address of the same grid, behind its path.
    pub(super) fn address(&self) -> String {
        let mut pairs = Serializer::new(String::new());
        for (name, value) in [
            ("q", &*self.query),
            ("sort", &*self.sort),
            ("columns", &*self.columns.join(" ")),
            ("pageKey", self.key.as_deref().unwrap_or_default()),
        ] {
            if !value.is_empty() {
                pairs.append_pair(name, value);
            }
        }
        match pairs.finish() {
            pairs if pairs.is_empty() => "?".to_owned(),
            pairs => format!("?{pairs}"),
        }
    }
}

/// The ids of a list that a space parts.
fn ids(list: &str) -> impl Iterator<Item = String> {
    let all = list.split(' ').filter(|id| !id.is_empty());
    all.map(str::to_owned)
}
