//! Who looks at personal values is in the trail, whichever way it looks: by a page, by management, by a job of its own or of someone
//! else, by what is counted, and by a query that finds nothing. Each way is told alone, an hour behind the one before, so that none
//! covers for another. docs/interface.md, "Personal data".

use crate::browser::{Browser, everything_in, form};
use crate::jobs::ended;
use crate::pages_paste::pasted;
use crate::personal_dataset::People;
use crate::requests::Answer;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A look at one thing is told again after so many seconds.
const BEHIND: i64 = 3601;

/// A dataset with personal values, a repair of such a field that was tried and a file that has some, both of the
/// administrator's key.
struct Looked {
    people: People,
    trial: String,
    export: String,
}

impl Looked {
    fn start() -> Self {
        let people = People::start();
        let mut looked = Looked {
            people,
            trial: String::new(),
            export: String::new(),
        };
        looked.trial = looked.done(looked.try_repair("Mail", None));
        looked.export = looked.done(looked.ask(&looked.of_dataset("POST", "exports"), &json!({})));
        looked
    }

    /// The job that was asked for, once it has ended.
    fn done(&self, made: Answer) -> String {
        let id = made.is(201).text("jobId");
        let job = ended(&self.people.server, &id);
        assert_eq!(job["state"], "done", "{job}");
        id
    }

    /// Asks management as the administrator's key, with a body.
    fn ask(&self, line: &str, body: &Value) -> Answer {
        self.people.server.root(line, Some(body.clone()))
    }

    fn get(&self, path: &str) -> Answer {
        self.people.server.root(&format!("GET {path}"), None)
    }

    fn of_dataset(&self, method: &str, what: &str) -> String {
        format!("{method} /datasets/{}/{what}", self.people.dataset)
    }

    fn get_of_dataset(&self, what: &str) -> Answer {
        self.get(&format!("/datasets/{}/{what}", self.people.dataset))
    }

    fn get_of_record(&self, what: &str) -> Answer {
        self.get_of_dataset(&format!("records/{}/{what}", self.people.ids[0]))
    }

    fn try_repair(&self, field: &str, query: Option<&str>) -> Answer {
        let action = json!({"replace": {"text": "example", "with": "other"}});
        let options = json!({"field": field, "query": query, "dryRun": true, "action": action});
        self.ask(&self.of_dataset("POST", "repairs"), &options)
    }

    /// The schema without one of the codes of a personal field.
    fn draft(&self) -> Value {
        let mut schema = self.schema();
        let colour = &mut schema["document"]["fields"][4];
        assert_eq!(colour["name"], "Colour", "{colour}");
        colour["staticPicklist"] = json!([{"code": "blue"}]);
        schema
    }

    fn schema(&self) -> Value {
        let path = format!("/schemas/{}", self.people.schema);
        let document = &self.people.server.get(&path)["document"];
        json!({"document": document, "state": "published", "active": true})
    }

    /// A browser in which ada signs in now: she may have been away for longer than a session lasts.
    fn ada(&self) -> Browser<'_> {
        Browser::signed_in(&self.people.server)
    }

    fn grid(&self) -> String {
        format!("/app/datasets/{}", self.people.dataset)
    }

    fn page(&self, path: &str) -> Answer {
        self.ada().get(path)
    }

    fn page_of_dataset(&self, what: &str) -> Answer {
        self.page(&(self.grid() + what))
    }

    fn page_found(&self, path: &str, query: &str) -> Answer {
        self.page(&format!("{path}?{}", form(&[("q", query)])))
    }

    /// The cell of an address, behind a question mark what is asked of it.
    fn cell(&self, asked: &str) -> Answer {
        let id = &self.people.ids[0];
        let path = format!("{}/records/{id}/cells/f-mail{asked}", self.grid());
        self.ada().part(&path)
    }

    fn paste(&self) -> Answer {
        let ada = self.ada();
        // a page with a form that shows no record
        let page = ada.get("/app/areas").is(200);
        let cells = r#"[["new@example.org"]]"#;
        let fields = pasted(&["f-mail"], &self.people.ids[..1], cells);
        ada.send(&page, &format!("{}/paste", self.grid()), &fields)
    }

    /// The page of the repair that was tried, as another administrator opens it.
    fn trial_of_another(&self) -> Answer {
        let server = &self.people.server;
        let role = server.role("ACCOUNT ADMINISTRATOR");
        let all = everything_in(&[&self.people.area]);
        let eve = Browser::of_user(server, "eve", &role, &all);
        eve.get(&format!("/app/jobs/{}", self.trial))
    }

    fn told(&self) -> Vec<Value> {
        let path = "/audit?action=view_personal_data&pageSize=1000";
        let page = self.people.server.get(path);
        page["items"].as_array().expect("items").clone()
    }

    /// Waits until no job goes on.
    fn settle(&self) {
        let patience = Instant::now() + Duration::from_secs(60);
        loop {
            let jobs = self.people.server.get("/jobs");
            let mut jobs = jobs["items"].as_array().expect("items").iter();
            let goes_on = |job: &Value| matches!(job["state"].as_str(), Some("queued" | "running"));
            if !jobs.any(goes_on) {
                return;
            }
            assert!(Instant::now() < patience, "a job does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// What the trail has more, newest first, after someone looked this way, an hour behind all other looks.
    fn looks_by(&self, ask: impl Fn(&Self) -> Answer) -> Vec<Value> {
        self.settle();
        self.people.server.clock.forward(BEHIND);
        let before = self.told().len();
        let answer = ask(self);
        assert!([200, 201].contains(&answer.status), "{}", answer.body);
        let mut told = self.told();
        let more = told.len() - before;
        told.truncate(more);
        told
    }

    /// Fails where a way of looking leaves not exactly one entry, of this kind of thing.
    #[track_caller]
    fn is_told(&self, (way, noun, ask): Way) {
        let told = self.looks_by(ask);
        assert_eq!(told.len(), 1, "{way}: {told:?}");
        let id = match noun {
            "record" => &self.people.ids[0],
            _ => &self.people.dataset,
        };
        let own = (&told[0]["noun"], &told[0]["id"]);
        assert_eq!(own, (&json!(noun), &json!(id)), "{way}");
        let fields = &told[0]["after"]["fields"];
        assert_eq!(*fields, json!(["Age", "Colour", "Mail"]), "{way}");
    }
}

/// A way of looking, what it looks at, and how it is gone.
type Way = (&'static str, &'static str, fn(&Looked) -> Answer);

/// Finds nobody, by a personal field.
const NOBODY: &str = "Mail:nobody";

/// At what is there now.
const WAYS: &[Way] = &[
    ("grid", "dataset", |it| it.page_of_dataset("")),
    ("filtered grid", "dataset", |it| {
        it.page_found(&it.grid(), "ulm")
    }),
    ("search", "dataset", |it| {
        it.page_found("/app/search", "ulm")
    }),
    ("palette", "dataset", |it| it.page_found("/app/go", "ulm")),
    ("faults", "dataset", |it| it.page_of_dataset("/faults")),
    ("form", "record", |it| {
        it.page_of_dataset(&format!("/records/{}", it.people.ids[0]))
    }),
    ("cell", "record", |it| it.cell("")),
    ("whole cells", "record", |it| {
        it.cell("?columns=f-mail&whole=true")
    }),
    ("ticked records", "dataset", |it| {
        it.page_of_dataset(&format!("/selected?record={}", it.people.ids[0]))
    }),
    ("paste", "dataset", Looked::paste),
    ("a dataset's interface", "dataset", |it| {
        it.page_of_dataset("/api")
    }),
    ("records beside a manifest", "dataset", |it| {
        let asked = json!({"export": {"tenant": null, "records": true}});
        it.ask("POST /operations", &asked)
    }),
    ("facets", "dataset", |it| {
        it.get_of_dataset("facets?query=*")
    }),
    ("grid that finds nothing", "dataset", |it| {
        it.page_found(&it.grid(), NOBODY)
    }),
    ("range that finds nothing", "dataset", |it| {
        it.page_found(&it.grid(), "Age:>90")
    }),
    ("search that finds nothing", "dataset", |it| {
        it.page_found("/app/search", NOBODY)
    }),
    ("palette that finds nothing", "dataset", |it| {
        it.page_found("/app/go", NOBODY)
    }),
    ("repair of nothing", "dataset", |it| {
        it.try_repair("Town", Some(NOBODY))
    }),
    ("effects", "dataset", |it| {
        let line = format!("POST /schemas/{}/effects", it.people.schema);
        it.ask(&line, &it.draft())
    }),
    ("effects as a job", "dataset", |it| {
        it.ask(&it.of_dataset("POST", "effects"), &it.draft())
    }),
];

/// At what was written under any version of the schema.
const WAYS_TO_THE_PAST: &[Way] = &[
    ("history", "record", |it| it.get_of_record("history")),
    ("version", "record", |it| it.get_of_record("versions/0")),
    ("changes", "dataset", |it| it.get_of_dataset("changes")),
    ("deleted records", "dataset", |it| {
        it.get_of_dataset("deleted-records")
    }),
    ("export", "dataset", |it| {
        it.ask(&it.of_dataset("POST", "exports"), &json!({}))
    }),
    ("file of an export", "dataset", |it| {
        it.get(&format!("/jobs/{}/export", it.export))
    }),
    ("repair that is tried", "dataset", |it| {
        it.try_repair("Mail", None)
    }),
    ("one's own job, a day later", "dataset", |it| {
        it.get(&format!("/jobs/{}", it.trial))
    }),
    ("list of jobs", "dataset", |it| it.get("/jobs")),
    ("another's job", "dataset", Looked::trial_of_another),
];

/// Pages that show no value and answer no question about one.
const NO_LOOKS: [fn(&Looked) -> Answer; 8] = [
    |it| it.page("/app/"),
    |it| it.page("/app/jobs"),
    |it| it.page_found("/app/go", "jobs"),
    |it| it.page_found(&it.grid(), "Town:nowhere"),
    |it| it.page_found(&it.grid(), "fault:Mail AND Town:nowhere"),
    |it| it.page_found(&it.grid(), "Mail:none AND Town:nowhere"),
    |it| it.try_repair("Town", Some("ulm")),
    |it| {
        let job = format!("GET /jobs/{}", it.trial);
        it.people.ask(&job, None)
    },
];

#[test]
fn who_looks_at_personal_values_is_in_the_trail_once_whichever_way_it_looks() {
    let looked = Looked::start();
    for way in WAYS.iter().chain(WAYS_TO_THE_PAST) {
        looked.is_told(*way);
    }
}

#[test]
fn who_sees_no_personal_value_is_told_to_have_looked_at_none() {
    let looked = Looked::start();
    for (at, ask) in NO_LOOKS.iter().enumerate() {
        let told = looked.looks_by(ask);
        assert!(told.is_empty(), "the one at {at}: {told:?}");
    }
}

#[test]
fn who_looks_at_what_was_personal_when_it_was_written_is_in_the_trail() {
    let looked = Looked::start();
    let mut open = looked.schema();
    let fields = open["document"]["fields"].as_array_mut().expect("fields");
    for field in fields {
        field["isPII"] = false.into();
    }
    let line = format!("PUT /schemas/{}", looked.people.schema);
    looked.ask(&line, &open).is(200);
    let told = looked.looks_by(|it| it.page_of_dataset(""));
    assert!(told.is_empty(), "it is open by now: {told:?}");
    for way in WAYS_TO_THE_PAST {
        looked.is_told(*way);
    }
}

#[test]
fn who_saw_what_is_personal_now_is_told_to_see_what_was_within_the_same_hour() {
    let looked = Looked::start();
    let mut open = looked.schema();
    let fields = open["document"]["fields"].as_array_mut().expect("fields");
    let mail = fields.iter_mut().find(|field| field["name"] == "Mail");
    mail.expect("the field")["isPII"] = false.into();
    let line = format!("PUT /schemas/{}", looked.people.schema);
    looked.ask(&line, &open).is(200);
    let told = looked.looks_by(|it| {
        it.page_of_dataset("").is(200);
        it.page_of_dataset("/deleted").is(200);
        it.page_of_dataset("/deleted")
    });
    let fields: Vec<&Value> = told.iter().map(|look| &look["after"]["fields"]).collect();
    let (then, now) = (json!(["Age", "Colour", "Mail"]), json!(["Age", "Colour"]));
    assert_eq!(fields, [&then, &now], "newest first");
}
