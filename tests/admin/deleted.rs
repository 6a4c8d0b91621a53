//! Areas, schemas and datasets that were deleted: listed apart, for whoever might see them alive, so that
//! they can be found and restored.

use crate::admin_server::{AdminServer, city};
use runtime::service::manage::{AreaContent, TenantContent};
use serde_json::{Value, json};

fn ids(page: &Value, key: &str) -> Vec<String> {
    let items = page["items"].as_array().expect("a page").iter();
    items
        .map(|item| item[key].as_str().expect("an id").to_owned())
        .collect()
}

#[test]
fn what_is_deleted_is_listed_apart_and_restored_from_there() {
    let server = AdminServer::start();
    let [area, schema, dataset] = server.places(&city());
    for (list, noun, key, id) in [
        (
            format!("/schemas/{schema}/datasets"),
            "datasets",
            "dataSetId",
            &dataset,
        ),
        (
            format!("/areas/{area}/schemas"),
            "schemas",
            "schemaId",
            &schema,
        ),
        ("/areas".to_owned(), "areas", "businessAreaId", &area),
    ] {
        let shown = |query: &str| ids(&server.get(&format!("{list}{query}")), key);
        let none: [String; 0] = [];
        let (alive, deleted) = ("?deleted=false", "?deleted=true");
        assert_eq!(shown(deleted), none, "{noun}");
        server.root(&format!("DELETE /{noun}/{id}"), None).is(204);
        assert_eq!(shown(""), none, "{noun}");
        assert_eq!(shown(alive), none, "{noun}");
        let page = server.get(&format!("{list}{deleted}"));
        assert_eq!(ids(&page, key), [id.as_str()]);
        assert_eq!(page["items"][0]["deleted"], true, "{page}");
        let found = ids(&page, key).remove(0);
        let line = format!("POST /{noun}/{found}/restore");
        server.root(&line, None).is(200);
        assert_eq!(shown(deleted), none, "{noun}");
        assert_eq!(shown(alive), [id.as_str()]);
    }
}

#[test]
fn deleted_ones_come_in_pages_of_their_own_list() {
    let server = AdminServer::start();
    let mut deleted = Vec::new();
    for number in 0..5 {
        let area = server.make("/areas", json!({"name": format!("Area {number}")}));
        let id = area.text("businessAreaId");
        if number != 2 {
            server.root(&format!("DELETE /areas/{id}"), None).is(204);
            deleted.push(id);
        }
    }
    let (mut seen, mut next) = (Vec::new(), String::new());
    loop {
        let page = server.get(&format!("/areas?deleted=true&pageSize=3{next}"));
        seen.extend(ids(&page, "businessAreaId"));
        let Some(key) = page["nextPageKey"].as_str() else {
            break;
        };
        server
            .root(&format!("GET /areas?pageKey={key}"), None)
            .is(400);
        next = format!("&pageKey={key}");
    }
    assert_eq!(seen, deleted);
    let unclear = "`deleted` must be `true` or `false`";
    for (wrong, told) in [
        ("", unclear),
        ("yes", unclear),
        ("TRUE", unclear),
        // as of every other parameter
        ("true&deleted=true", "`deleted` stands twice; send it once"),
    ] {
        let line = format!("GET /areas?deleted={wrong}");
        let refused = server.root(&line, None).is(400);
        assert_eq!(refused.problems(), ["query"]);
        assert_eq!(refused.json()["problems"][0]["message"], told, "{wrong}");
    }
}

#[test]
fn deleted_ones_show_themselves_to_whoever_might_see_them_alive() {
    let server = AdminServer::start();
    let [area, schema, dataset] = server.places(&city());
    let member = server.role("MEMBER");
    let (_, inside) = server.key("inside", &[&member], &[&area]);
    let (_, outside) = server.key("outside", &[&member], &[]);
    let (_, bare) = server.key("bare", &[], &[&area]);
    let other = TenantContent {
        name: "Other".to_owned(),
    };
    let other = server.service.create_tenant(&server.operator, other);
    let other = server.tokio.block_on(other).expect("a tenant").id.clone();
    let by = server.service.operator(&server.operator, &other);
    let by = by.expect("the operator");
    let content: AreaContent = serde_json::from_value(json!({"name": "Theirs"})).unwrap();
    let theirs = server.service.areas().create(&by, "", content);
    let theirs = server.tokio.block_on(theirs).expect("an area").id.clone();
    let gone = server.service.areas().delete(&by, &theirs);
    server.tokio.block_on(gone).expect("it was there");

    let restore = format!("POST /areas/{area}/restore");
    for (list, deletion) in [
        (
            format!("/schemas/{schema}/datasets"),
            format!("/datasets/{dataset}"),
        ),
        (
            format!("/areas/{area}/schemas"),
            format!("/schemas/{schema}"),
        ),
        ("/areas".to_owned(), format!("/areas/{area}")),
    ] {
        server.root(&format!("DELETE {deletion}"), None).is(204);
        let line = format!("GET {list}?deleted=true");
        let count = |by: &str| {
            let page = server.ask(by, &line, None).is(200).json();
            page["items"].as_array().expect("a page").len()
        };
        assert_eq!([count(&inside), count(&server.root)], [1, 1], "{line}");
        if list == "/areas" {
            assert_eq!(count(&outside), 0);
            // role before place, as everywhere
            server.ask(&bare, "POST /areas/none/restore", None).is(403);
            server.ask(&bare, &restore, None).is(403);
            server.ask(&outside, &restore, None).is(403);
        } else {
            server.ask(&outside, &line, None).is(403);
            server
                .root(&format!("POST {deletion}/restore"), None)
                .is(200);
        }
        server.ask(&bare, &line, None).is(403);
    }
    // below what is deleted nothing is listed, neither alive nor deleted
    let below = format!("GET /areas/{area}/schemas?deleted=true");
    server.root(&below, None).is(404);
}
