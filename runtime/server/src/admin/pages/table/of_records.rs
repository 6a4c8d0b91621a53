//! The pages of records: one of them, its files and its past, how they are found, and how what is wrong with them is mended. One
//! operation does all that is done to records, so each form of it says what it does itself.

use super::PageRoute;
use crate::admin::pages::{
    all_faults, cell, complete, dataset_api, deleted, go, history, mends, paste, record,
    record_uploads, record_version, saved_view_forms, search, selected,
};

pub(super) fn routes() -> Vec<PageRoute> {
    let mut routes = routes_of_one();
    routes.extend(routes_of_past());
    routes.extend(routes_of_faults());
    routes.extend(routes_of_several());
    routes.extend(routes_of_views());
    routes
}

/// One record.
fn routes_of_one() -> Vec<PageRoute> {
    use PageRoute as R;
    const NEW: &str = "/datasets/{id}/new";
    const RECORD: &str = "/datasets/{id}/records/{record}";
    const CELL: &str = "/datasets/{id}/records/{record}/cells/{field}";
    vec![
        R::page(NEW, record::show_new),
        R::form(NEW, "writeRecords", record::create).does(|it| it.access.does_create_record),
        R::page(RECORD, record::show),
        R::form(RECORD, "writeRecords", record::update).does(|it| it.access.does_save_record),
        R::form(
            "/datasets/{id}/records/{record}/delete",
            "writeRecords",
            record::delete,
        )
        .does(|it| it.delete_record),
        R::upload(
            "/datasets/{id}/records/{record}/files/{field}",
            "uploadDatasetFile",
            record_uploads::upload,
        ),
        R::form(
            "/datasets/{id}/records/{record}/files/{field}/remove",
            "writeRecords",
            record_uploads::remove,
        )
        .does(|it| it.file_remove),
        R::page(CELL, cell::show),
        R::form(CELL, "writeRecords", cell::update).does(|it| it.access.does_set_value),
        R::form(
            "/datasets/{id}/records/{record}/cells/{field}/mend",
            "writeRecords",
            cell::mend,
        )
        .does(|it| it.access.does_set_value),
    ]
}

/// The past of a record.
fn routes_of_past() -> Vec<PageRoute> {
    use PageRoute as R;
    const VERSION: &str = "/datasets/{id}/records/{record}/versions/{version}";
    vec![
        R::page("/datasets/{id}/records/{record}/history", history::show),
        R::page(VERSION, record_version::show),
        R::form(
            "/datasets/{id}/records/{record}/versions/{version}/restore",
            "restoreRecordVersion",
            history::restore,
        ),
        R::page("/datasets/{id}/deleted", deleted::show),
        R::form(
            "/datasets/{id}/records/{record}/restore",
            "restoreRecord",
            deleted::restore,
        ),
        R::form(
            "/datasets/{id}/records/{record}/purge",
            "purgeRecord",
            deleted::purge,
        ),
    ]
}

/// Those that find records, and mend what is wrong with them.
fn routes_of_faults() -> Vec<PageRoute> {
    use PageRoute as R;
    const MEND: &str = "/datasets/{id}/mend";
    vec![
        R::page("/faults", all_faults::show),
        R::page("/search", search::show),
        R::page("/go", go::show),
        R::page("/datasets/{id}/api", dataset_api::show),
        R::page(MEND, mends::show),
        R::form(MEND, "repairRecords", mends::mend),
        R::page("/datasets/{id}/completions", complete::in_dataset),
        R::page("/search/completions", complete::everywhere),
    ]
}

/// Many records at once.
fn routes_of_several() -> Vec<PageRoute> {
    use PageRoute as R;
    vec![
        R::form("/datasets/{id}/paste", "writeRecords", paste::look).does(|it| it.set_show),
        R::form("/datasets/{id}/paste/write", "writeRecords", paste::write)
            .does(|it| it.paste.write),
        R::page("/datasets/{id}/selected", selected::show),
        R::form(
            "/datasets/{id}/selected/look",
            "writeRecords",
            selected::look,
        )
        .does(|it| it.set_show),
        R::form("/datasets/{id}/selected/set", "writeRecords", selected::set)
            .does(|it| it.set_field),
        R::form(
            "/datasets/{id}/selected/delete",
            "writeRecords",
            selected::delete,
        )
        .does(|it| it.delete_selected),
    ]
}

/// What a visitor saved of how it looks at a dataset.
fn routes_of_views() -> Vec<PageRoute> {
    use PageRoute as R;
    vec![
        R::form(
            "/datasets/{id}/views",
            "createSavedView",
            saved_view_forms::create,
        ),
        R::form(
            "/datasets/{id}/views/replace",
            "updateSavedView",
            saved_view_forms::replace,
        ),
        R::form(
            "/datasets/{id}/views/{view}",
            "updateSavedView",
            saved_view_forms::rename,
        ),
        R::form(
            "/datasets/{id}/views/{view}/delete",
            "deleteSavedView",
            saved_view_forms::delete,
        ),
    ]
}
