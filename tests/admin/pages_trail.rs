//! What changed, as the page of the trail tells it.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, HOSTILE, cities};
use crate::rights::role;
use serde_json::json;

#[test]
fn the_trail_tells_roles_areas_and_datasets_by_name_and_what_one_does_not_see_not_even_by_its_id() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let area = server.service.store().catalog().datasets[&dataset]
        .area
        .clone();
    let own = server.make("/roles", json!({"name": HOSTILE, "permissions": []}));
    let own = own.text("roleId");
    let (key, _) = server.key("Reader", &[&own], &[&area]);
    let hook = json!({"name": "Hook", "url": "https://example.org/x", "datasets": [dataset]});
    server.make("/webhooks", hook);
    let named = |id: &str, name: &str| format!(r#"<span title="{id}">&#34;{name}&#34;</span>"#);
    let ada = Browser::signed_in(&server);
    let keys = ada.get("/app/audit?noun=api_key").is(200);
    let shown = named(&area, "Places");
    assert!(keys.body.contains(&shown), "{shown}: {}", keys.body);
    // a name is text, whatever it says
    let title = format!(r#"<span title="{own}">&#34;&#60;script&#62;"#);
    assert!(keys.body.contains(&title), "{title}: {}", keys.body);
    assert!(!keys.body.contains("<script>alert"), "{}", keys.body);
    let hooks = ada.get("/app/audit?noun=webhook").is(200);
    let shown = named(&dataset, "Europe");
    assert!(hooks.body.contains(&shown), "{shown}: {}", hooks.body);
    let reads = role(&server, "Reads the trail", &[("AUDIT", &["view"])]);
    let eve = Browser::of_user(&server, "eve", &reads, &json!([]));
    for (noun, unseen) in [("api_key", vec![&own, &area]), ("webhook", vec![&dataset])] {
        let page = eve.get(&format!("/app/audit?noun={noun}")).is(200);
        assert!(page.body.contains("not shown to you"), "{}", page.body);
        for id in unseen {
            assert!(!page.body.contains(&**id), "{id}: {}", page.body);
        }
    }
    // what is gone for good has nothing but its id
    let delete = format!("DELETE /api-keys/{key}");
    server.root(&delete, None).is(204);
    let delete = format!("DELETE /roles/{own}");
    server.root(&delete, None).is(204);
    let keys = ada.get("/app/audit?noun=api_key").is(200);
    let shown = format!("&#34;{own}&#34;");
    assert!(keys.body.contains(&shown), "{shown}: {}", keys.body);
}
