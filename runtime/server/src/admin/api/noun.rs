//! What can be done with every kind of noun, as the document says it: listed, made, shown, changed, deleted,
//! taken back, switched. What a kind says beyond it, the table adds.

use crate::openapi::Operation;
use schemars::JsonSchema;
use wire::Page;

/// A noun of the catalog, as it stands in ids of operations: `Area` in `manage.listAreas`.
#[derive(Clone, Copy)]
pub(super) struct Noun(pub(super) &'static str);

impl Noun {
    fn operation(self, verb: &str, summary: &'static str) -> Operation {
        Operation::management(&format!("{verb}{}", self.0), summary)
    }

    /// A list, page by page.
    pub(super) fn list<Item: JsonSchema>(self) -> Operation {
        Operation::management(
            &format!("list{}s", self.0),
            "List them, in order of creation",
        )
        .paged()
        .gives::<Page<Item>>(200)
    }

    /// A list that may also be of those that were deleted.
    pub(super) fn list_with_deleted<Item: JsonSchema>(self) -> Operation {
        const DELETED: &str = "`true` lists those that were deleted, and only those";
        self.list::<Item>().asks("deleted", DELETED, false)
    }

    /// A new one.
    pub(super) fn create<New: JsonSchema, Created: JsonSchema>(self) -> Operation {
        self.operation("create", "Make one")
            .takes::<New>()
            .gives::<Created>(201)
            .refuses(&[409])
    }

    /// One as it is.
    pub(super) fn get<View: JsonSchema>(self) -> Operation {
        self.operation("get", "Get one").gives::<View>(200)
    }

    /// One as it is to be.
    pub(super) fn update<Content: JsonSchema, View: JsonSchema>(self) -> Operation {
        self.operation("update", "Give it a whole new set of properties")
            .takes::<Content>()
            .gives::<View>(200)
            .refuses(&[409])
    }

    /// One that is to go.
    pub(super) fn delete(self) -> Operation {
        self.operation("delete", "Delete it").gives_nothing()
    }

    /// One that was deleted.
    pub(super) fn restore<View: JsonSchema>(self) -> Operation {
        self.operation("restore", "Take it back from the deleted ones")
            .gives::<View>(200)
            .refuses(&[409])
    }

    /// Switching on.
    pub(super) fn enable<View: JsonSchema>(self) -> Operation {
        self.operation("enable", "Switch it on").gives::<View>(200)
    }

    /// Switching off.
    pub(super) fn disable<View: JsonSchema>(self) -> Operation {
        self.operation("disable", "Switch it off")
            .gives::<View>(200)
    }
}
