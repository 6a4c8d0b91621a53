//! Saved views of whoever asks: how one looks at a dataset, under a name.

use super::nouns::Answer;
use crate::admin::request::body;
use crate::admin::response::created_among;
use crate::http::call::Call;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use service::manage::{SavedViewContent, SavedViewView};
use wire::Page;

/// The caller's own.
pub(super) fn routes() -> Vec<Route> {
    const ONE: &str = "/my/saved-views/{id}";
    let list = O::management("listSavedViews", "List your own saved views")
        .says(
            "Of all datasets that one may see, in order of making: 100 at most, so there is one page. A saved view is a query, an \
                order and columns of a dataset under a name; the application shows them above its records.",
        )
        .gives::<Page<SavedViewView>>(200);
    let create = O::management("createSavedView", "Save a view of a dataset")
        .says(
            "For oneself alone: nobody else lists it, and it gives no right. Asks for a user, not a key or client, and for view \
                of the dataset or its records. A name that one has at the dataset already, or one view more than 100, is 409.",
        )
        .takes::<SavedViewContent>()
        .gives::<SavedViewView>(201)
        .refuses(&[409]);
    let get = O::management("getSavedView", "Get one of your own saved views")
        .says("The view with its query, its order and its columns, as its user saved it.")
        .gives::<SavedViewView>(200);
    let update = O::management("updateSavedView", "Change one of your own saved views")
        .says(
            "Gives it a whole new set of properties: what is left out has its default, not what it was. A name that one has at \
                the dataset already is 409.",
        )
        .takes::<SavedViewContent>()
        .gives::<SavedViewView>(200)
        .refuses(&[409]);
    let delete = O::management("deleteSavedView", "Delete one of your own saved views")
        .says("The view alone goes: nothing of its dataset is touched.")
        .gives_nothing();
    vec![
        Route::get("/my/saved-views", self::list, list),
        Route::post("/datasets/{id}/saved-views", self::create, create),
        Route::get(ONE, self::get, get),
        Route::put(ONE, self::update, update),
        Route::delete(ONE, self::delete, delete),
    ]
}

pub(super) async fn list(call: Call) -> Answer {
    response::value(&call.service.saved_views(&call.caller, None)?)
}

pub(super) async fn create(mut call: Call<String>) -> Answer {
    let content: SavedViewContent = body(&mut call).await?;
    let made = call.service.save_view(&call.caller, &call.ids, content);
    let made = made.await?;
    created_among(&call, "my/saved-views", &made.saved_view_id, &made)
}

pub(super) async fn get(call: Call<String>) -> Answer {
    response::value(&call.service.saved_view(&call.caller, &call.ids)?)
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let content: SavedViewContent = body(&mut call).await?;
    let service = &call.service;
    let changed = service.change_saved_view(&call.caller, &call.ids, content);
    response::value(&changed.await?)
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    let service = &call.service;
    service.delete_saved_view(&call.caller, &call.ids).await?;
    Ok(response::no_content())
}
