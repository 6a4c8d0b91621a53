//! Saved views above the grid: each a link to what the address said when it was saved. They are the visitor's own.

use super::asked::Asked;
use super::visit::Visit;
use service::Refusal;
use service::manage::SavedViewView;

/// Those of a dataset, as its page shows them.
#[derive(Default)]
pub(super) struct SavedViews {
    pub(super) all: Vec<SavedViewLink>,
    /// Which of them is shown; one that says no columns, whatever these are.
    pub(super) current: Option<CurrentView>,
    /// Whether what is shown is worth a name: it is not what the page shows anyhow.
    pub(super) is_new: bool,
    /// What was filled in as a name and could not be, and why.
    pub(super) refused: Option<RefusedName>,
}

pub(super) struct CurrentView {
    pub(super) id: String,
    pub(super) name: String,
    /// What it is called where it is changed.
    pub(super) change: String,
}

pub(super) struct SavedViewLink {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) address: String,
    pub(super) is_current: bool,
}

/// A name that a view can't have.
pub(super) struct RefusedName {
    pub(super) name: String,
    pub(super) why: String,
}

impl SavedViews {
    /// Those of the visitor for a dataset that is looked at so.
    ///
    /// # Errors
    /// The visitor may not call any more.
    pub(super) fn of<P>(visit: &Visit<P>, dataset: &str, asked: &Asked) -> Result<Self, Refusal> {
        let service = &visit.site.service;
        let own = service.saved_views(&visit.caller, Some(dataset))?.items;
        let here = asked.first_page().address();
        let address = |view: &SavedViewView| Asked::of_view(view).address();
        let without_columns = Asked {
            columns: Vec::new(),
            ..asked.first_page()
        };
        let bare = without_columns.address();
        let exact = own.iter().find(|view| address(view) == here);
        let current = exact.or_else(|| own.iter().find(|view| address(view) == bare));
        Ok(SavedViews {
            current: current.map(|view| CurrentView {
                id: view.saved_view_id.clone(),
                name: view.name.clone(),
                change: (visit.texts.query.view_change)(&view.name),
            }),
            is_new: exact.is_none() && here != Asked::default().address(),
            all: own
                .iter()
                .map(|view| SavedViewLink {
                    id: view.saved_view_id.clone(),
                    name: view.name.clone(),
                    is_current: current.is_some_and(|it| it.saved_view_id == view.saved_view_id),
                    address: address(view),
                })
                .collect(),
            refused: None,
        })
    }
}
