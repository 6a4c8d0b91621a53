//! A type beside a schema that has come to write its dates in another format: the text of one day is that of another.

use crate::watched_server::WatchedServer;
use runtime::client::{Client, ClientError, Dataset};
use runtime::service::manage::SchemaContent;
use runtime::{NaiveDate, NaiveDateTime, NaiveTime, Patch as _, Record};

#[derive(Clone, PartialEq, Record)]
#[record(patch)]
struct Member {
    #[field(name = "Name", primary_key)]
    name: String,
    #[field(name = "Since", date_format = "DD$MM$YYYY", date_separator = "/")]
    since: Option<NaiveDate>,
    #[field(name = "Until", date_format = "DD$MM$YYYY", date_separator = "/")]
    until: Vec<NaiveDate>,
    #[field(name = "Woken", time_format = "hh:mm A")]
    woken: Option<NaiveTime>,
    #[field(name = "Seen", date_format = "DD$MM$YYYY", date_separator = "/")]
    seen: Option<NaiveDateTime>,
}

/// A member of a day of 2020, in each of its fields.
fn member(name: &str, month: u32, day: u32) -> Member {
    let date = NaiveDate::from_ymd_opt(2020, month, day).unwrap();
    let time = NaiveTime::from_hms_opt(17, 5, 0).unwrap();
    Member {
        name: name.to_owned(),
        since: Some(date),
        until: vec![date],
        woken: Some(time),
        seen: Some(date.and_time(time)),
    }
}

/// What a record holds as the schema writes it now.
fn shown(date: &str) -> String {
    format!(r#""Since":"{date}","Until":["{date}"],"Woken":"05:05 PM","Seen":"{date} 17:05:00"}}"#)
}

async fn open(client: &Client) -> Result<Dataset<Member>, ClientError> {
    client
        .dataset::<Member>("Places", "Member", "Members")
        .await
}

/// The schema's document with one text in place of another.
async fn change(server: &WatchedServer, members: &Dataset<Member>, from: &str, to: &str) {
    let path = members.path();
    let document = server.client().schema_json(&path.area, &path.schema).await;
    let document = document.unwrap();
    assert!(document.contains(from), "{document}");
    let content = SchemaContent {
        document: document.replace(from, to),
        state: "published".to_owned(),
        active: true,
        version: None,
    };
    let caller = server.embedded.caller().unwrap();
    let schemas = server.embedded.service().schemas();
    schemas
        .redefine(&caller, &path.schema, content)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_type_of_another_format_writes_the_days_it_means_and_is_not_opened_to_read() {
    let server = WatchedServer::start().await;
    let inside = server.embedded.register::<Member>("Places", "Members");
    inside.await.unwrap();
    let client = server.client();
    let members = open(&client).await.unwrap();
    members.create(&member("Ada", 2, 3)).await.unwrap();

    change(
        &server,
        &members,
        r#""dateFormat":"DD$MM$YYYY""#,
        r#""dateFormat":"MM$DD$YYYY""#,
    )
    .await;
    let error = open(&client).await.unwrap_err();
    assert!(matches!(&error, ClientError::Formats(fields) if fields.len() == 3));
    let told = error.to_string();
    for part in [
        r#"field "Since" is written as MM/DD/YYYY in the schema and as DD/MM/YYYY in the type"#,
        r#"field "Seen" is written as MM/DD/YYYY HH:mm:ss in the schema"#,
    ] {
        assert!(told.contains(part), "{told}");
    }

    // a program that had it open before writes on, and means the same days
    let bob = members.create(&member("Bob", 3, 4)).await.unwrap();
    let eve = members.create(&member("Eve", 3, 4)).await.unwrap();
    let (before, after) = (member("Bob", 3, 4), member("Bob", 5, 6));
    let version = members.update(&bob.id, bob.version, &before).await.unwrap();
    let patch = MemberPatch::diff(version, &before, &after);
    members.patch(&bob.id, &patch).await.unwrap();
    let edit = |eve: &mut Member| *eve = member("Eve", 7, 8);
    members.change("Eve", edit).await.unwrap();
    assert!(eve.record.clean().is_some());
    let texts = members.raw().list().collect().await.unwrap();
    let texts: Vec<_> = texts.iter().map(|record| record.json.as_str()).collect();
    let expected = [
        format!(r#"{{"Name":"Ada",{}"#, shown("02/03/2020")),
        format!(r#"{{"Name":"Bob",{}"#, shown("05/06/2020")),
        format!(r#"{{"Name":"Eve",{}"#, shown("07/08/2020")),
    ];
    assert_eq!(texts, expected);
}

#[tokio::test]
async fn a_field_that_is_gone_is_in_nobodys_way_who_does_not_set_it() {
    let server = WatchedServer::start().await;
    let inside = server.embedded.register::<Member>("Places", "Members");
    let inside = inside.await.unwrap();
    change(&server, &inside, r#""name":"Woken""#, r#""name":"Got up""#).await;
    let members = open(&server.client()).await.unwrap();
    let sleeper = Member {
        woken: None,
        until: Vec::new(),
        ..member("Ada", 2, 3)
    };
    for members in [&members, &inside] {
        let made = members.create(&sleeper).await.unwrap();
        assert!(made.record.clean().is_some_and(|it| it == sleeper));
        members.delete(&made.id).await.unwrap();
    }
    // a value for it is still told, and not left out in silence
    assert!(members.create(&member("Bob", 2, 3)).await.is_err());
}

#[tokio::test]
async fn a_schema_that_differs_otherwise_is_opened() {
    let server = WatchedServer::start().await;
    let inside = server.embedded.register::<Member>("Places", "Members");
    let inside = inside.await.unwrap();
    change(&server, &inside, r#""name":"Woken""#, r#""name":"Got up""#).await;
    let members = open(&server.client()).await.unwrap();
    assert!(!members.check_types().await.unwrap().fits());
}

#[test]
fn what_is_sent_is_iso_and_everything_else_is_as_it_is_stored() {
    let mut record = member("Ada", 2, 3);
    record.name = " Ada ".to_owned();
    assert_eq!(
        record.to_json(),
        format!(r#"{{"Name":"Ada",{}"#, shown("03/02/2020"))
    );
    let sent = r#""Since":"2020-02-03","Until":["2020-02-03"],"Woken":"17:05:00","Seen":"2020-02-03T17:05:00"}"#;
    assert_eq!(record.to_sent_json(), format!(r#"{{"Name":"Ada",{sent}"#));
    let patch = MemberPatch::diff(7, &member("Ada", 1, 1), &member("Ada", 2, 3));
    let sent = sent.replace(r#""Woken":"17:05:00","#, "");
    assert_eq!(patch.to_sent_json(), format!(r#"{{"_version":7,{sent}"#));
}
