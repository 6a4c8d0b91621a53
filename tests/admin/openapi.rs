//! The management part of the OpenAPI document names the methods that the routes have. That every answer
//! of the suite is as it says, the client of the suite holds.

use crate::admin_server::AdminServer;
use crate::contract::DOCUMENT;

#[test]
fn every_path_of_management_has_exactly_the_methods_the_document_names() {
    let server = AdminServer::start();
    let mut count = 0;
    for (path, described) in DOCUMENT["paths"].as_object().expect("paths") {
        let Some(own) = path.strip_prefix("/admin/api/v1") else {
            continue;
        };
        let filled = own.replace(['{', '}'], "");
        let answer = server.root(&format!("PATCH {filled}"), None).is(405);
        let allowed = answer.header("allow").expect("the methods");
        let mut allowed: Vec<_> = allowed
            .split(',')
            .filter(|method| *method != "HEAD")
            .collect();
        allowed.sort_unstable();
        let methods = described.as_object().expect("operations").keys();
        let mut told: Vec<_> = methods.map(|method| method.to_uppercase()).collect();
        told.sort_unstable();
        assert_eq!(told, allowed, "{path}");
        count += 1;
    }
    assert!(count > 30, "{count}");
}
