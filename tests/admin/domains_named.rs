//! A data domain that schemas name is not deleted, and which schema that is, is told to who sees it.

use crate::admin_server::AdminServer;
use crate::browser::field;
use crate::rights::role;
use serde_json::json;

/// An area with a schema that names a domain; their ids.
fn naming(server: &AdminServer, area: &str, name: &str, domain: &str) -> [String; 2] {
    let area = server.make("/areas", json!({"name": area}));
    let area = area.text("businessAreaId");
    let mut kind = field("f-kind", "Kind", "picklist", false);
    kind["picklistType"] = "dynamic".into();
    kind["dataDomainId"] = domain.into();
    let fields = [field("f-code", "Code", "string", true), kind];
    let document = json!({"name": name, "fields": fields});
    let path = format!("/areas/{area}/schemas");
    let schema = server.make(&path, json!({"document": document}));
    [area, schema.text("schemaId")]
}

#[test]
fn a_schema_that_keeps_a_domain_is_named_to_who_sees_it() {
    let server = AdminServer::start();
    let codes = json!({"name": "Kinds", "codes": [{"code": "a"}]});
    let domain = server.make("/domains", codes).text("dataDomainId");
    let [unseen, _] = naming(&server, "Unseen", "Hidden Plans", &domain);
    let open = server.make("/areas", json!({"name": "Open"}));
    let all: &[&str] = &["view", "add", "edit", "delete"];
    let role = role(
        &server,
        "Keeps schemas",
        &[("SCHEMA MODELS", all), ("DATA DOMAINS", all)],
    );
    let (_, key) = server.key("sees none", &[&role], &[&open.text("businessAreaId")]);
    let told = |by: &str| {
        let refused = server.ask(by, &format!("DELETE /domains/{domain}"), None);
        refused.is(409).text("message")
    };
    let hidden = told(&key);
    assert!(!hidden.contains("Hidden Plans"), "{hidden}");
    assert!(hidden.contains("a schema that you do not see"), "{hidden}");
    let named = told(&server.root);
    assert!(named.contains("the schema \"Hidden Plans\""), "{named}");
    // of several, one that is seen, and where it is deleted, that it is
    let [area, schema] = naming(&server, "Seen", "Open Things", &domain);
    let (_, key) = server.key("sees one", &[&role], &[&area]);
    let seen = told(&key);
    assert!(seen.contains("the schema \"Open Things\""), "{seen}");
    server
        .root(&format!("DELETE /schemas/{schema}"), None)
        .is(204);
    let deleted = told(&key);
    let is_told = deleted.contains("the deleted schema \"Open Things\"");
    assert!(is_told && deleted.contains("restore"), "{deleted}");
    // one below a deleted area is as little there
    naming(&server, "Lost", "Last Things", &domain);
    let delete = |area: &str| server.root(&format!("DELETE /areas/{area}"), None);
    delete(&unseen).is(204);
    let there = told(&server.root);
    assert!(
        there.contains("the schema \"Last Things\" names"),
        "{there}"
    );
    let codes = json!({"name": "Moods", "codes": [{"code": "a"}]});
    let moods = server.make("/domains", codes).text("dataDomainId");
    let [below, _] = naming(&server, "Below", "First Things", &moods);
    delete(&below).is(204);
    let refused = server.root(&format!("DELETE /domains/{moods}"), None);
    let below = refused.is(409).text("message");
    let is_told = below.contains("the schema \"First Things\" of a deleted area");
    assert!(is_told && below.contains("restore the area"), "{below}");
}
