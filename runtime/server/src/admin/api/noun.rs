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
    /// The noun as it stands in ids of operations: `Area` in `manage.listAreas`.
    word: &'static str,
    /// Where one is, before its id.
    path: &'static str,
    /// What else refuses that one goes or is switched off.
    stays: &'static [u16],
    /// What else is told when one is made or changed.
    refused_by: &'static [ErrorCode],
    kind: PhantomData<N>,
}

impl<N> NounRoutes<N> {
    /// Those of the nouns of this word at this path.
    pub(super) fn at(path: &'static str, word: &'static str) -> Self {
        NounRoutes {
            word,
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

    /// Of nouns of which a tenant may have so much in all.
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

    fn operation(&self, verb: &str, summary: &'static str) -> Operation {
        Operation::management(&format!("{verb}{}", self.word), summary)
    }

    /// What the document says of a list, page by page.
    fn listed<Item: JsonSchema>(&self) -> Operation {
        Operation::management(
            &format!("list{}s", self.word),
            "List them, in order of creation",
        )
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
        let operation = self
            .operation("create", "Make one")
            .takes::<New>()
            .gives::<Made>(201)
            .refuses(&[409]);
        self.operation_that_fills(operation)
    }

    /// What the document says of changing one.
    pub(super) fn changed<Content: JsonSchema, View: JsonSchema>(&self) -> Operation {
        let operation = self
            .operation("update", "Give it a whole new set of properties")
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
        let operation = self.operation("get", "Get one").gives::<N::View>(200);
        Route::get(self.one(), get::<N>, operation)
    }

    /// These, and those that every noun has alike.
    pub(super) fn with(&self, list: Route, create: Route, update: Route) -> Vec<Route> {
        vec![list, create, self.get(), update, self.delete()]
    }

    /// One that is to go.
    fn delete(&self) -> Route {
        let operation = self.operation("delete", "Delete it").gives_nothing();
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
            .operation("restore", "Take it back from the deleted ones")
            .gives::<N::View>(200)
            .refuses(&[409]);
        let path = format!("{}/restore", self.one());
        routes.push(Route::post(path, restore::<N>, operation));
        routes
    }
}

impl<N: Switchable<View: JsonSchema>> NounRoutes<N> {
    /// Those of a noun that can be switched on and off.
    pub(super) fn switchable(&self, create: Route, update: Route) -> Vec<Route> {
        let mut routes = self.with(self.list(), create, update);
        let on = self.operation("enable", "Switch it on");
        let off = self.operation("disable", "Switch it off");
        let (on, off) = (on.gives::<N::View>(200), off.gives::<N::View>(200));
        let [on_path, off_path] =
            ["enable", "disable"].map(|verb| format!("{}/{verb}", self.one()));
        routes.push(Route::post(on_path, enable::<N>, on));
        routes.push(Route::post(off_path, disable::<N>, off.refuses(self.stays)));
        routes
    }
}
