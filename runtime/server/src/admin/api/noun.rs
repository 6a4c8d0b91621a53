//! What can be done with every kind of noun, with its handler and as the document says it: listed, made, shown,
//! changed, deleted, taken back, switched. What a kind says beyond it, or does in its own way, the table adds.

use super::nouns::{
    create, create_below, delete, disable, enable, get, list, list_with_deleted, restore, update,
};
use crate::http::route::Route;
use crate::openapi::Operation;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use service::manage::{Noun, Restorable, Switchable};
use std::marker::PhantomData;
use wire::{ErrorCode, Page};

/// The routes of a kind of noun.
pub(super) struct NounRoutes<N> {
    /// The noun as it stands in ids of operations: `Area` in `listAreas`.
    word: &'static str,
    /// The noun as it stands in sentences, with its article: `a business area`.
    noun: &'static str,
    /// Where one is, before its id.
    path: &'static str,
    /// What else refuses that one goes or is switched off.
    stays: &'static [u16],
    /// What else is told when one is changed or restored.
    refused_by: &'static [ErrorCode],
    kind: PhantomData<N>,
}

impl<N> NounRoutes<N> {
    /// Those of the nouns of this word at this path.
    pub(super) fn at(path: &'static str, word: &'static str, noun: &'static str) -> Self {
        NounRoutes {
            word,
            noun,
            path,
            stays: &[],
            refused_by: &[],
            kind: PhantomData,
        }
    }

    /// Of nouns of which some can't go: those that are in use, or the last one of its kind.
    pub(super) fn may_stay(self) -> Self {
        NounRoutes {
            stays: &[409],
            ..self
        }
    }

    /// Of nouns of which a tenant may have so much in all, so that a change may be too much, too.
    pub(super) fn under_quota(self) -> Self {
        NounRoutes {
            refused_by: &[ErrorCode::QuotaExceeded],
            ..self
        }
    }

    fn operation_that_fills(&self, operation: Operation) -> Operation {
        match self.refused_by {
            [] => operation,
            codes => operation.codes(403, codes),
        }
    }

    fn one(&self) -> String {
        format!("{}/{{id}}", self.path)
    }

    /// The noun in sentences, without its article.
    fn bare(&self) -> &'static str {
        self.noun
            .split_once(' ')
            .map_or(self.noun, |(_, noun)| noun)
    }

    fn operation(&self, verb: &str, summary: String) -> Operation {
        Operation::management(&format!("{verb}{}", self.word), summary)
    }

    /// What the document says of a list, page by page.
    fn listed<Item: JsonSchema>(&self) -> Operation {
        let (id, noun) = (format!("list{}s", self.word), self.bare());
        Operation::management(&id, format!("List {noun}s"))
            .says(format!(
                "In order of creation, page by page. Asks for view of {noun}s."
            ))
            .paged()
            .gives::<Page<Item>>(200)
    }

    /// What the document says of a list that may also be of those that were deleted.
    pub(super) fn listed_with_deleted<Item: JsonSchema>(&self) -> Operation {
        const DELETED: &str = "`true` lists those that were deleted, and only those";
        self.listed::<Item>().asks("deleted", DELETED, false)
    }

    /// What the document says of making one.
    pub(super) fn made<New: JsonSchema, Made: JsonSchema>(&self) -> Operation {
        self.operation("create", format!("Create {}", self.noun))
            .says(format!(
                "Asks for add of {}s. A body that can't be is 400, with all that is wrong with it in `problems`, each with \
                    its JSON path; a name that is taken is 409. Nobody gives rights that they don't have.",
                self.bare()
            ))
            .takes::<New>()
            .gives::<Made>(201)
            .refuses(&[409])
            .codes(403, &[ErrorCode::QuotaExceeded])
    }

    /// What the document says of changing one.
    pub(super) fn changed<Content: JsonSchema, View: JsonSchema>(&self) -> Operation {
        let operation = self
            .operation("update", format!("Change {}", self.noun))
            .says(format!(
                "Gives it a whole new set of properties: what is left out has its default, not what it was. Asks for edit \
                    of {}s. Where a `version` is sent and another one is in force, or a name is taken: 409.",
                self.bare()
            ))
            .takes::<Content>()
            .gives::<View>(200)
            .refuses(&[409]);
        self.operation_that_fills(operation)
    }
}

impl<N: Noun<View: JsonSchema>> NounRoutes<N> {
    /// A list.
    pub(super) fn list(&self) -> Route {
        Route::get(self.path, list::<N>, self.listed::<N::View>())
    }

    /// One as it is.
    fn get(&self) -> Route {
        let operation = self
            .operation("get", format!("Get {}", self.noun))
            .says(format!(
                "As the list shows it. Asks for view of {}s.",
                self.bare()
            ))
            .gives::<N::View>(200);
        Route::get(self.one(), get::<N>, operation)
    }

    /// These, and those that every noun has alike.
    pub(super) fn with(&self, list: Route, create: Route, update: Route) -> Vec<Route> {
        vec![list, create, self.get(), update, self.delete()]
    }

    /// One that is to go.
    fn delete(&self) -> Route {
        let about = match self.stays {
            [] => "",
            _ => " 409 where it can't go: it is in use, or the last of its kind.",
        };
        let operation = self
            .operation("delete", format!("Delete {}", self.noun))
            .says(format!(
                "In force at once. Asks for delete of {}s.{about}",
                self.bare()
            ))
            .gives_nothing();
        Route::delete(self.one(), delete::<N>, operation.refuses(self.stays))
    }
}

/// Of nouns that are made from what is sent, as it is sent.
impl<N: Noun<View: JsonSchema, New: JsonSchema + DeserializeOwned>> NounRoutes<N> {
    /// A new one.
    pub(super) fn create(&self) -> Route {
        Route::post(self.path, create::<N>, self.made::<N::New, N::View>())
    }

    /// A new one below the noun of a path.
    pub(super) fn create_below(&self, path: &'static str) -> Route {
        Route::post(path, create_below::<N>, self.made::<N::New, N::View>())
    }
}

/// Of nouns that are changed to what is sent, as it is sent.
impl<N: Noun<View: JsonSchema, Content: JsonSchema + DeserializeOwned>> NounRoutes<N> {
    /// One as it is to be.
    pub(super) fn update(&self) -> Route {
        let operation = self.changed::<N::Content, N::View>();
        Route::put(self.one(), update::<N>, operation)
    }
}

/// Of nouns that are just what is sent.
impl<N> NounRoutes<N>
where
    N: Noun<View: JsonSchema>,
    N::New: JsonSchema + DeserializeOwned,
    N::Content: JsonSchema + DeserializeOwned,
{
    /// All routes of a noun of which nothing more is to be said.
    pub(super) fn all(&self) -> Vec<Route> {
        self.with(self.list(), self.create(), self.update())
    }
}

impl<N: Restorable<View: JsonSchema>> NounRoutes<N> {
    /// A list, or one of those that were deleted.
    pub(super) fn list_with_deleted(&self) -> Route {
        let operation = self.listed_with_deleted::<N::View>();
        Route::get(self.path, list_with_deleted::<N>, operation)
    }

    /// Those of a noun that can be taken back.
    pub(super) fn restorable(&self, list: Route, create: Route, update: Route) -> Vec<Route> {
        let mut routes = self.with(list, create, update);
        let operation = self
            .operation("restore", format!("Restore {}", self.noun))
            .says(format!(
                "Takes it back from the deleted ones, with all that is below it. 409 where its name is taken by now. \
                    Asks for delete of {}s.",
                self.bare()
            ))
            .gives::<N::View>(200)
            .refuses(&[409]);
        let operation = self.operation_that_fills(operation);
        let path = format!("{}/restore", self.one());
        routes.push(Route::post(path, restore::<N>, operation));
        routes
    }
}

impl<N: Switchable<View: JsonSchema>> NounRoutes<N> {
    /// Those of a noun that can be switched on and off.
    pub(super) fn switchable(&self, create: Route, update: Route) -> Vec<Route> {
        let mut routes = self.with(self.list(), create, update);
        let asks = format!(
            "In force for the very next request. Asks for edit of {}s.",
            self.bare()
        );
        let on = self.operation("enable", format!("Switch on {}", self.noun));
        let off = self.operation("disable", format!("Switch off {}", self.noun));
        let (on, off) = (on.says(asks.clone()), off.says(asks));
        let (on, off) = (on.gives::<N::View>(200), off.gives::<N::View>(200));
        let [on_path, off_path] =
            ["enable", "disable"].map(|verb| format!("{}/{verb}", self.one()));
        routes.push(Route::post(on_path, enable::<N>, on));
        routes.push(Route::post(off_path, disable::<N>, off.refuses(self.stays)));
        routes
    }
}
