//! Forms of data that ask for a state of its own: files of a record, jobs that have ended, what a webhook gave up.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities};
use crate::jobs::{ended, made_files, past, server as at_work};
use crate::pages_by_right::FILE;
use crate::pages_record_files::{Halls, PICTURE, seen};
use crate::pages_scenes::{Scene, Story};
use crate::pages_webhooks::given_up;
use crate::requests::Answer;
use serde_json::{Value, json};

const RECORD: &str = "/app/datasets/{id}/records/{record}";

fn hall() -> Scene {
    let halls = Halls::start();
    let place = halls.path();
    let ids = vec![
        ("id", halls.dataset),
        ("record", halls.record),
        ("field", "f-picture".to_owned()),
    ];
    Scene::of_ada(halls.server, &place, ids)
}

fn hall_with_a_picture() -> Scene {
    let scene = hall();
    let form = scene.filled(&format!("{RECORD}/files/{{field}}"));
    pictured(&scene, &form).is(303);
    let page = scene.browser().get(&scene.filled(RECORD)).is(200);
    Scene {
        page: Some(page),
        ..scene
    }
}

/// Sends the form that gives the hall its picture.
fn pictured(scene: &Scene, place: &str) -> Answer {
    let (version, was) = seen(scene.page(), place);
    let fields = [("version", &*version), ("was", &*was)];
    let picture = ("hall.gif", PICTURE);
    scene
        .browser()
        .send_file(scene.page(), place, &fields, picture)
}

/// Sends a body that is no JSON to management as ada.
fn sent(scene: &Scene, line: &str, (kind, body): (&str, &str)) -> Answer {
    let (method, path) = line.split_once(' ').expect("a method and a path");
    let headers = [("Authorization", &*scene.session), ("Content-Type", kind)];
    let line = format!("{method} /admin/api/v1{path}");
    scene.server.send(&line, &headers, Some(body))
}

/// Gives the hall this picture by a write.
fn written(scene: &Scene, line: &str, (version, picture): (i64, Value)) -> Answer {
    let record = scene.id("record");
    let update = json!({"_dataObjectId": record, "_version": version, "Picture": picture});
    let body = json!({"update": update}).to_string();
    sent(scene, line, ("application/x-ndjson", &body))
}

/// What was done to the hall, and whether it has no picture.
fn told_of_hall(scene: &Scene) -> Value {
    let (dataset, record) = (scene.id("id"), scene.id("record"));
    let actions = past(&scene.server, dataset, record);
    let newest = actions.len() - 1;
    let path = format!("/datasets/{dataset}/records/{record}/versions/{newest}");
    let stored = scene.server.get(&path);
    json!([actions, stored["Picture"].is_null()])
}

/// Forms of the files of a record: what they do, takes an upload and a write, or a write.
pub(crate) fn of_files() -> Vec<Story> {
    vec![
        Story {
            form: "/datasets/{id}/records/{record}/files/{field}",
            begin: hall,
            send: pictured,
            ask: |scene, line| {
                let head = r#"form-data; name="file"; filename="hall.gif""#;
                let body =
                    format!("--b\r\nContent-Disposition: {head}\r\n\r\n{PICTURE}\r\n--b--\r\n");
                let uploaded = sent(scene, line, ("multipart/form-data; boundary=b", &body));
                let file = uploaded.text("fileId");
                let line = format!("POST /datasets/{}/records/bulk", scene.id("id"));
                written(scene, &line, (0, json!(file))).is(200);
                uploaded
            },
            left: |scene, _| told_of_hall(scene),
        },
        Story {
            form: "/datasets/{id}/records/{record}/files/{field}/remove",
            begin: hall_with_a_picture,
            send: |scene, place| {
                let (version, was) = seen(scene.page(), place);
                scene.send(place, &[("version", &version), ("was", &was), ("at", "0")])
            },
            ask: |scene, line| written(scene, line, (1, Value::Null)),
            left: |scene, _| told_of_hall(scene),
        },
    ]
}

/// A file that ada imported, or tried to, to its end.
fn imported(is_trial: bool) -> Scene {
    let server = at_work();
    let (dataset, _) = cities(&server);
    let tries = if is_trial { "true" } else { "false" };
    let place = {
        let browser = Browser::signed_in(&server);
        let fields = [("try", tries), ("mode", "create")];
        let sent = browser.import(&dataset, &fields, FILE).is(303);
        let place = sent.header("location").expect("a job").to_owned();
        browser.ended_job(sent);
        place
    };
    let job = place.rsplit('/').next().expect("an id").to_owned();
    Scene::of_ada(server, &place, vec![("id", job), ("dataset", dataset)])
}

fn letters_given_up() -> Scene {
    let server = AdminServer::start();
    let place = given_up(&server, "it answered 500");
    let id = place.rsplit('/').next().expect("an id").to_owned();
    let listed = server.get(&format!("/webhooks/{id}/dead-letters"));
    let letter = listed["items"][0]["number"].to_string();
    Scene::of_ada(server, &place, vec![("id", id), ("letter", letter)])
}

/// What became of them: how many are left, and whether something arrived.
fn told_of_letters(scene: &Scene) -> Value {
    let hook = format!("/webhooks/{}", scene.id("id"));
    let left = scene.server.get(&format!("{hook}/dead-letters"));
    let delivery = scene.server.get(&format!("{hook}/delivery"));
    let left = left["items"].as_array().map(Vec::len);
    json!([left, delivery["deliveredAt"].is_null()])
}

/// What kinds of jobs there are, and how many records, once all jobs have ended.
fn told_of_jobs(scene: &Scene) -> Value {
    let jobs = scene.server.get("/jobs");
    let jobs = jobs["items"].as_array().expect("a page").iter();
    let ended = jobs.map(|job| {
        let job = ended(&scene.server, job["jobId"].as_str().expect("an id"));
        format!("{} {}", job["kind"], job["state"])
    });
    let ended: Vec<_> = ended.collect();
    let faults = format!("/datasets/{}/faults", scene.id("dataset"));
    json!([ended, scene.server.get(&faults)["recordCount"]])
}

/// Forms of jobs that have ended, and of what a webhook gave up.
pub(crate) fn of_jobs_and_letters() -> Vec<Story> {
    let letters = |form| Story {
        form,
        begin: letters_given_up,
        send: |scene, place| scene.send(place, &[]),
        ask: |scene, line| scene.ask(line, None),
        left: |scene, _| told_of_letters(scene),
    };
    vec![
        Story {
            form: "/jobs/{id}/files/delete",
            begin: || imported(true),
            send: |scene, place| scene.send(place, &[]),
            ask: |scene, line| scene.ask(line, None),
            left: |scene, _| json!(made_files(&scene.server, scene.id("id"), "").len()),
        },
        Story {
            form: "/jobs/{id}/undo",
            begin: || imported(false),
            send: |scene, place| scene.send(place, &[]),
            ask: |scene, line| scene.ask(line, None),
            left: |scene, _| told_of_jobs(scene),
        },
        letters("/webhooks/{id}/letters/{letter}/discard"),
        letters("/webhooks/{id}/letters/{letter}/resend"),
    ]
}
