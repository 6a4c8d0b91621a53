//! How the service is set up: told to administrators and nobody else, by the interface and on the page, and nothing of it
//! is changed there.

use crate::admin_server::AdminServer;
use crate::browser::Browser;
use runtime::service::Settings;
use runtime::service::manage::{SettingSource, SettingUnit, SettingView};
use serde_json::json;

/// A setting of the server that nobody set; the other members are a test's.
fn setting(name: &str) -> SettingView {
    SettingView {
        name: name.to_owned(),
        variable: format!("FIELDSTONE_{}", name.replace('-', "_").to_uppercase()),
        group: "Settings of the server".to_owned(),
        about: format!("What {name} does"),
        is_set: false,
        value: None,
        unit: None,
        default: None,
        source: SettingSource::Default,
    }
}

/// A server that was started with settings of each kind.
fn server() -> AdminServer {
    let set = |name, value: &str, unit, source| SettingView {
        is_set: true,
        value: Some(value.to_owned()),
        unit,
        source,
        ..setting(name)
    };
    let told = [
        SettingView {
            default: Some("1000".to_owned()),
            ..set("page-size", "1500", None, SettingSource::Flag)
        },
        set(
            "body-bytes-max",
            "1048576",
            Some(SettingUnit::Bytes),
            SettingSource::File,
        ),
        set(
            "body-seconds",
            "1",
            Some(SettingUnit::Seconds),
            SettingSource::Environment,
        ),
        SettingView {
            default: Some("false".to_owned()),
            ..set("read-only", "false", None, SettingSource::Default)
        },
        setting("public-url"),
        SettingView {
            group: "Settings of backups".to_owned(),
            is_set: true,
            source: SettingSource::Flag,
            ..setting("backup-dir")
        },
        SettingView {
            group: "Settings of another time".to_owned(),
            about: "What `unheard-of` does".to_owned(),
            ..setting("unheard-of")
        },
    ];
    AdminServer::with_settings(Settings {
        told: told.into(),
        ..Settings::default()
    })
}

#[test]
fn an_administrator_is_told_each_setting_with_its_names_and_where_its_value_comes_from() {
    let server = server();
    let told = server.get("/settings");
    let items = told["items"].as_array().expect("settings");
    assert_eq!(items.len(), 7);
    assert_eq!(
        items[1],
        json!({"name": "body-bytes-max", "variable": "FIELDSTONE_BODY_BYTES_MAX", "group": "Settings of the server",
            "about": "What body-bytes-max does", "isSet": true, "value": "1048576", "unit": "bytes", "source": "file"})
    );
    assert_eq!(items[0]["default"], "1000");
    // of what is not told, there is only that it is set
    assert_eq!(items[5]["isSet"], true);
    assert_eq!(items[5].get("value"), None);
    let (_, member) = server.key("member", &[&server.role("MEMBER")], &[]);
    server.ask(&member, "GET /settings", None).is(403);
}

#[test]
fn a_service_that_tells_no_settings_has_a_page_without_them() {
    let server = AdminServer::start();
    assert_eq!(server.get("/settings"), json!({"items": []}));
    let page = Browser::signed_in(&server).get("/app/settings").is(200);
    assert!(!page.body.contains("How the service is set up"));
}

#[test]
fn the_page_shows_what_is_set_as_people_read_it_in_both_languages() {
    let server = server();
    let english = Browser::signed_in(&server);
    let page = english.get("/app/settings").is(200);
    for own in [
        "How the service is set up",
        "<h3>Server</h3>",
        "<h3>Backups</h3>",
        "<h3>Settings of another time</h3>",
        "This page shows how the service is set up.",
        r#"What page-size does<span class="muted small block"><code>--page-size</code> <code>FIELDSTONE_PAGE_SIZE</code></span>"#,
        r#"<b>1,500</b> <span class="muted small">· from the command line</span> <span class="muted small">· default: 1,000</span>"#,
        r#"<b>1 MiB</b> <span class="muted small">· from the settings file</span>"#,
        r#"<b>1 second</b> <span class="muted small">· from the environment</span>"#,
        r#"<b>off</b> <span class="muted small">· default</span></span>"#,
        "<b>not set</b></span>",
        r#"<b>set, not shown</b> <span class="muted small">· from the command line</span>"#,
    ] {
        assert!(page.body.contains(own), "{own}: {}", page.body);
    }
    assert_eq!(page.body.matches("<h3>Server</h3>").count(), 1);
    let german = english.in_german();
    let page = german.get("/app/settings").is(200);
    for own in [
        "Wie der Dienst eingerichtet ist",
        "<h3>Sicherungen</h3>",
        "Einträge einer Seite, wenn die Anfrage nichts sagt<span",
        r#"<b>1.500</b> <span class="muted small">· von der Kommandozeile</span>"#,
        r#"<b>1 Sekunde</b> <span class="muted small">· aus der Umgebung</span>"#,
        r#"<b>aus</b> <span class="muted small">· Vorgabe</span>"#,
        "<b>gesetzt, wird nicht gezeigt</b>",
        // better in English than not told
        "What <code>unheard-of</code> does<span",
    ] {
        assert!(page.body.contains(own), "{own}: {}", page.body);
    }
    for english in ["What page-size does", "not set"] {
        assert!(!page.body.contains(english), "{english}: {}", page.body);
    }
}

#[test]
fn who_administers_nothing_is_not_shown_how_the_service_is_set_up() {
    let server = server();
    let member = server.role("MEMBER");
    let bob = Browser::of_user(&server, "bob", &member, &json!([]));
    let page = bob.get("/app/settings").is(200);
    assert!(
        page.body
            .contains("Only administrators see how the service is and how it is set up")
    );
    for own in ["page-size", "How the service is set up"] {
        assert!(!page.body.contains(own), "{own}: {}", page.body);
    }
}

#[test]
fn the_page_leads_to_each_group_and_shows_what_somebody_set_alone() {
    let server = server();
    let browser = Browser::signed_in(&server);
    let all = browser.get("/app/settings").is(200).body;
    for (at, group) in [(1, "Server"), (2, "Backups")] {
        let jump = format!(r##"<a href="#group-{at}">{group}</a>"##);
        let place = format!(r#"id="group-{at}"><h3>{group}</h3>"#);
        assert!(
            all.contains(&jump) && all.contains(&place),
            "{group}: {all}"
        );
    }
    let way = r#"href="/app/settings?set=true#set-up""#;
    assert!(all.contains(way), "{all}");
    let set = browser.get("/app/settings?set=true").is(200).body;
    for (name, is_shown) in [
        ("page-size", true),
        ("body-seconds", true),
        ("read-only", false),
        ("public-url", false),
    ] {
        let own = format!("<code>--{name}</code>");
        assert!(all.contains(&own), "{name}: {all}");
        assert_eq!(set.contains(&own), is_shown, "{name}: {set}");
    }
}
