//! A server with the demo, run from the built program in a folder of its own.

use crate::{
    http::{self, Answer},
    session::text,
};
use serde_json::Value;
use std::{
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, ChildStderr, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// How many customers the demo invents.
const CUSTOMERS: &str = "25";

pub(crate) struct Demo {
    child: Child,
    /// Where it writes its log, held open until it ends.
    _log: BufReader<ChildStderr>,
    pub(crate) host: String,
    pub(crate) password: String,
    pub(crate) key: String,
    folder: tempfile::TempDir,
}

/// A schema or dataset in the data interface.
pub(crate) struct Place {
    pub(crate) name: String,
    pub(crate) path: String,
}

impl Demo {
    /// Starts the server and reads the greeting, by which it tells address, password and API key.
    pub(crate) fn start(programs: &Path) -> io::Result<Demo> {
        let folder = tempfile::tempdir()?;
        let mut child = Command::new(programs.join("fieldstone"))
            .args(["serve", "--demo", "--listen", "127.0.0.1:0", "--log", "off"])
            .args(["--demo-records", CUSTOMERS, "--data"])
            .arg(folder.path().join("data"))
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut log = BufReader::new(child.stderr.take().expect("it is piped"));
        let [mut host, mut password, mut key] = [const { String::new() }; 3];
        let mut line = String::new();
        while key.is_empty() {
            line.clear();
            if log.read_line(&mut line)? == 0 {
                return Err(io::Error::other("`fieldstone serve --demo` ended early"));
            }
            let after = |label| line.split_once(label).map(|(_, it)| it.trim().to_owned());
            host = after("address   http://").unwrap_or(host);
            password = after(", password ").unwrap_or(password);
            key = after("API key   ").unwrap_or(key);
        }
        Ok(Demo {
            child,
            _log: log,
            host,
            password,
            key,
            folder,
        })
    }

    /// A request of the data interface, with the demo's key.
    pub(crate) fn get(&self, path: &str) -> io::Result<Answer> {
        http::send(
            &self.host,
            "GET",
            path,
            &[("Authorization", &self.key)],
            b"",
        )
    }

    fn items(&self, path: &str) -> io::Result<Vec<Value>> {
        let mut list: Value = serde_json::from_slice(&self.get(path)?.body)?;
        match list["items"].take() {
            Value::Array(items) => Ok(items),
            _ => Err(io::Error::other(format!("{path} has no `items`"))),
        }
    }

    /// The demo's schemas, by their addresses.
    pub(crate) fn schemas(&self) -> io::Result<Vec<Place>> {
        let mut schemas = Vec::new();
        for area in self.items("/v1/my/businessareas")? {
            let path = format!(
                "/v1/businessareas/{}/schemas",
                text(&area, "businessAreaId")
            );
            for schema in self.items(&path)? {
                schemas.push(Place {
                    name: text(&schema, "name").to_owned(),
                    path: format!("{path}/{}", text(&schema, "schemaId")),
                });
            }
        }
        Ok(schemas)
    }

    /// The demo's datasets, by what `fieldstone export` takes.
    pub(crate) fn datasets(&self) -> io::Result<Vec<Place>> {
        let mut datasets = Vec::new();
        for schema in self.schemas()? {
            for dataset in self.items(&format!("{}/datasets", schema.path))? {
                datasets.push(Place {
                    name: text(&dataset, "dataSetName").to_owned(),
                    path: text(&dataset, "dataSetId").to_owned(),
                });
            }
        }
        Ok(datasets)
    }

    /// Its data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn with_cookies(&self, cookies: &str, path: &str) -> io::Result<String> {
        Ok(http::send(&self.host, "GET", path, &[("Cookie", cookies)], b"")?.text())
    }

    /// Whether its roles are listed in the order of their names. They are made in one millisecond, so that chance
    /// decides; a folder is frozen only with this order.
    pub(crate) fn has_roles_in_order(&self, cookies: &str) -> io::Result<bool> {
        let page = self.with_cookies(cookies, "/app/roles")?;
        Ok(page.find("ACCOUNT ADMINISTRATOR") < page.find("MEMBER"))
    }

    /// Signs in as the administrator; returns the cookies of the session. The demo's import has ended then, and a search
    /// finds all of it.
    pub(crate) fn sign_in(&self) -> io::Result<String> {
        const PATH: &str = "/app/sign-in";
        let page = http::send(&self.host, "GET", PATH, &[], b"")?;
        let page_text = page.text();
        let token = page_text
            .split_once("name=\"token\" value=\"")
            .and_then(|(_, it)| it.split('"').next())
            .ok_or_else(|| io::Error::other("the form to sign in has no token"))?;
        let form = http::form(&[
            ("username", "admin"),
            ("password", &self.password),
            ("token", token),
        ]);
        let headers = [
            ("Cookie", &*cookies(&page)),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        let answer = http::send(&self.host, "POST", PATH, &headers, form.as_bytes())?;
        if answer.status != 303 {
            return Err(io::Error::other(format!("signing in: {}", answer.status)));
        }
        let cookies = cookies(&answer);
        let start = Instant::now();
        loop {
            let jobs = self.with_cookies(&cookies, "/app/jobs")?;
            let health = self.with_cookies(&cookies, "/admin/api/v1/health")?;
            // the page loads itself again while a job runs
            if jobs.contains("href=\"/app/jobs/")
                && !jobs.contains("hx-trigger=\"every")
                && health.contains("\"search\":\"current\"")
            {
                break;
            }
            if start.elapsed() > Duration::from_mins(5) {
                return Err(io::Error::other("the demo is not ready after five minutes"));
            }
            thread::sleep(Duration::from_millis(200));
        }
        Ok(cookies)
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        // its folder is deleted next, so nothing has to be saved
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The cookies that an answer sets, as a request sends them.
fn cookies(answer: &Answer) -> String {
    let pairs = answer.headers("set-cookie");
    let pairs = pairs.filter_map(|it| it.split(';').next());
    pairs.collect::<Vec<_>>().join("; ")
}
