//! `generator fetch`, the program itself, against the running service.

use crate::fetch_cases::{Case, case, client_credential, proxied, without_a_good_credential};
use crate::generator_program::{fetch, run, succeeded, text};
use crate::watched_server::{NOBODY, WatchedServer, city};
use runtime::service::Settings;

/// A server whose lists have pages of two.
async fn server() -> WatchedServer {
    let server = WatchedServer::with_settings(Settings {
        page_size: 2,
        ..Settings::default()
    })
    .await;
    for name in ["airport", "country", "currency", "language", "every_type"] {
        server.schema(name).await;
    }
    server
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_schema_is_kept_as_it_was_served_with_where_it_came_from() {
    let server = server().await;
    let folder = tempfile::tempdir().unwrap();
    let key = [("FIELDSTONE_API_KEY", server.key.as_str())];
    let area = server
        .client()
        .find_area("Places")
        .await
        .unwrap()
        .business_area_id;
    let language = server
        .client()
        .find_schema(&area, "Language")
        .await
        .unwrap()
        .schema_id;
    let arguments = [
        &server.url,
        "--schema",
        "Airport",
        "--schema",
        &language,
        "--area",
        "Places",
    ];
    let output = fetch(folder.path(), &key, &arguments).await;
    succeeded(&output);
    let told = text(&output.stderr);
    assert!(
        told.contains("wrote ./airport.json (Airport, version 1)"),
        "{told}"
    );

    let airport = server
        .client()
        .find_schema(&area, "Airport")
        .await
        .unwrap()
        .schema_id;
    for (file, id) in [("airport.json", &airport), ("language.json", &language)] {
        let kept = std::fs::read_to_string(folder.path().join(file)).unwrap();
        let served = server.client().schema_json(&area, id).await.unwrap();
        assert!(kept.ends_with("\n}\n") && kept.lines().count() > 20);
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&kept), value(&served));
    }
    let sources = std::fs::read_to_string(folder.path().join("fieldstone.sources")).unwrap();
    let line = format!(
        "airport.json\t{}/v1/businessareas/{area}/schemas/{airport}\t{airport}\t1",
        server.url
    );
    assert!(sources.lines().any(|found| found == line), "{sources}");
    assert_eq!(sources.lines().count(), 3);

    let output = fetch(folder.path(), &key, &arguments).await;
    succeeded(&output);
    assert!(text(&output.stderr).contains("unchanged ./airport.json"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_of_schema_files_writes_none_and_what_is_of_types_is_refused_beside_them() {
    let server = WatchedServer::start().await;
    server.cities().await;
    let folder = tempfile::tempdir().unwrap();
    let key = [("FIELDSTONE_API_KEY", server.key.as_str())];
    let arguments = [&server.url, "--all", "--dir", "schemas"];
    let check = [&arguments[..], &["--check"]].concat();
    let output = fetch(folder.path(), &key, &check).await;
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("schemas/city.json"));
    assert!(!folder.path().join("schemas").exists());
    succeeded(&fetch(folder.path(), &key, &arguments).await);
    succeeded(&fetch(folder.path(), &key, &check).await);
    for of_types in [
        ["--lock", "names.lock"],
        ["--runtime", "fieldstone"],
        ["--open-picklist", "*"],
    ] {
        let beside = [&arguments[..], &of_types[..]].concat();
        let output = fetch(folder.path(), &key, &beside).await;
        assert_eq!(output.status.code(), Some(2), "{of_types:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_types_come_at_once_with_a_clients_credentials() {
    let server = server().await;
    let folder = tempfile::tempdir().unwrap();
    let app = server.app(3600).await;
    let credential = client_credential(&app);
    let arguments = [&server.url, "--all", "--out", "types"];
    succeeded(&fetch(folder.path(), &credential, &arguments).await);
    assert_eq!(server.statuses("POST", "/oauth2/token"), [200]);
    let types = folder.path().join("types");
    let modules = std::fs::read_to_string(types.join("mod.rs")).unwrap();
    let catalog = server.embedded.service().store().catalog();
    let named = |name: &str| {
        let mut schemas = catalog.schemas.values();
        let found = schemas.find(|entry| entry.current().schema.name == name);
        found.unwrap().id.clone()
    };
    let version = regex::Regex::new(r", version \d+\.").unwrap();
    for (module, name) in [
        ("airport", "Airport"),
        ("country", "Country"),
        ("currency", "Currency"),
        ("every_type", "Every Type"),
        ("language", "Language"),
    ] {
        assert!(modules.contains(&format!("pub mod {module};")), "{modules}");
        // the service's own version and area are all that differ from the fixtures' types
        let made = std::fs::read_to_string(types.join(format!("{module}.rs"))).unwrap();
        let given = tests::fixture(&format!("generated/{module}.rs"));
        let body = |text: &str| {
            let (_, body) = text.split_once("pub struct ").unwrap();
            version.replace_all(body, ".").into_owned()
        };
        assert_eq!(body(&made), body(&given), "{module}");
        let first = made.lines().next().unwrap();
        let from = format!("from {}; do not edit.", named(name));
        assert!(
            first.starts_with(&format!("// {name}, version 1. ")),
            "{first}"
        );
        assert!(first.ends_with(&from), "{first}");
    }
    let again = [&arguments[..], &["--check"]].concat();
    succeeded(&fetch(folder.path(), &credential, &again).await);
    std::fs::remove_file(types.join("airport.rs")).unwrap();
    assert_eq!(
        fetch(folder.path(), &credential, &again)
            .await
            .status
            .code(),
        Some(1)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_goes_wrong_is_told_with_what_to_do() {
    let server = server().await;
    let folder = tempfile::tempdir().unwrap();
    let (url, key) = (server.url.as_str(), server.key.as_str());
    let (caller, service) = (server.embedded.caller().unwrap(), server.embedded.service());
    let powerless = crate::watched_server::new_key(&server.embedded, "powerless").await;
    let content = runtime::service::manage::ApiKeyContent {
        name: "powerless".to_owned(),
        description: String::new(),
        expires_at: runtime::service::manage::KeyExpiry::Unchanged,
        active: true,
        roles: Vec::new(),
        grants: Vec::new(),
    };
    service
        .api_keys()
        .update(&caller, &powerless.noun.id, content)
        .await
        .unwrap();
    let elsewhere = format!("{url}/elsewhere");
    let own = [("FIELDSTONE_API_KEY", key)];
    let powerless = [("FIELDSTONE_API_KEY", powerless.secret.as_str())];
    let all = |address| vec![address, "--all"];
    let mut cases = without_a_good_credential(url);
    cases.extend([
        case(&powerless, all(url), &["(403)", "BUSINESS AREAS"]),
        case(&own, all(&elsewhere), &["(404)", "base address"]),
        case(&own, all(NOBODY), &["no answer from", "running"]),
        case(
            &own,
            vec![url, "--schema", "Airpot"],
            &["no schema with the id or name \"Airpot\"", "\"Airport\""],
        ),
        case(
            &own,
            vec![url, "--all", "--area", "Mars"],
            &["no business area", "\"Places\""],
        ),
        case(&own, all("not an address"), &["no plain web address"]),
        case(
            &proxied(key),
            all(url),
            &["by way of the proxy of ALL_PROXY", "is the proxy right"],
        ),
    ]);
    for Case {
        credential,
        arguments,
        told: expected,
    } in cases
    {
        let output = fetch(folder.path(), &credential, &arguments).await;
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(
            told.starts_with("error: ") && told.contains("help: "),
            "{told}"
        );
        assert!(!told.contains("geheim"), "{told}");
        for part in expected {
            assert!(told.contains(part), "{part:?} is not in {told}");
        }
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert!(left.is_empty(), "nothing is written");
    let usage = fetch(folder.path(), &[], &[url]).await;
    assert_eq!(usage.status.code(), Some(2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn types_and_schemas_are_compared_with_those_of_a_running_service() {
    let server = server().await;
    let folder = tempfile::tempdir().unwrap();
    let app = server.app(3600).await;
    let credential = client_credential(&app);
    let types = [&server.url, "--all", "--out", "types"];
    succeeded(&fetch(folder.path(), &credential, &types).await);
    let same = [
        "types",
        &server.url,
        "--fail-on",
        "api,readers,writers,data",
    ];
    let output = run(folder.path(), &credential, "diff", &same).await;
    succeeded(&output);
    assert_eq!(text(&output.stdout), "nothing differs\n");

    let file = [&server.url, "--schema", "Country"];
    succeeded(&fetch(folder.path(), &credential, &file).await);
    let path = folder.path().join("country.json");
    let document = std::fs::read_to_string(&path).unwrap();
    let narrower = document.replace("\"max\": 80", "\"max\": 70");
    assert_ne!(document, narrower);
    std::fs::write(&path, narrower).unwrap();
    let other = ["country.json", &server.url];
    let output = run(folder.path(), &credential, "diff", &other).await;
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stdout);
    assert!(told.contains("\"Official Name\": max 70 → 80"), "{told}");
    assert!(
        !told.contains("Airport"),
        "only the one that is named\n{told}"
    );
    let unknown = run(folder.path(), &[], "diff", &other).await;
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("there is no credential"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_of_a_running_service_are_counted_that_a_change_would_make_faulty() {
    let server = WatchedServer::start().await;
    let cities = server.cities().await;
    let mut ids = Vec::new();
    for (name, population) in [("Riga", 605_273), ("Ulm", 128_928), ("Delft", 103_163)] {
        let mut city = city(name);
        city.population = Some(population);
        ids.push(cities.create(&city).await.unwrap().id);
    }
    let folder = tempfile::tempdir().unwrap();
    let key = [("FIELDSTONE_API_KEY", server.key.as_str())];
    succeeded(&fetch(folder.path(), &key, &[&server.url, "--schema", "City"]).await);
    let document = std::fs::read_to_string(folder.path().join("city.json")).unwrap();
    let narrower = document.replace("\"min\": 0", "\"min\": 110000");
    assert_ne!(document, narrower);
    std::fs::write(folder.path().join("next.json"), narrower).unwrap();
    let arguments = ["city.json", "next.json", "--records", &server.url];
    let output = run(folder.path(), &key, "diff", &arguments).await;
    let told = text(&output.stdout);
    let expected = format!(
        "  of 3 rows 1 would become faulty\n    \"Population\", min: 1 row, record {}\n",
        ids[2]
    );
    assert!(told.contains(&expected), "{told}{}", text(&output.stderr));
    let fine = [
        "city.json",
        "city.json",
        "--records",
        &server.url,
        "--fail-on",
        "data",
    ];
    succeeded(&run(folder.path(), &key, "diff", &fine).await);
    // the address of the dataset, and names that there are not
    let path = cities.path();
    let address = format!(
        "{}/v1/businessareas/{}/schemas/{}/datasets/{}/dataobjects",
        server.url, path.area, path.schema, path.dataset
    );
    let arguments = [
        "city.json",
        "next.json",
        "--records",
        &address,
        "--format",
        "json",
    ];
    let told = text(&run(folder.path(), &key, "diff", &arguments).await.stdout);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let found = &told["schemas"][0]["records"]["findings"][0];
    assert_eq!(found["records"], serde_json::json!([ids[2]]));
    let arguments = [
        "city.json",
        "next.json",
        "--records",
        &server.url,
        "--dataset",
        "Towns",
    ];
    let output = run(folder.path(), &key, "diff", &arguments).await;
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("name one with --dataset"));
}
