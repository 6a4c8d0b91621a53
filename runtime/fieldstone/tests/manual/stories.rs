//! Which pages are run, and how: a story is a page, or a section of one, with what it finds when it begins. Every
//! block of the manual belongs to a story or to another test that is named here.

use crate::page::{Block, Head, blocks, heads};
use std::path::{Path, PathBuf};

/// A page, or a section of one, and the tools it takes beside a shell.
pub(crate) struct Story {
    pub(crate) name: &'static str,
    pub(crate) page: &'static str,
    pub(crate) section: Option<&'static str>,
    pub(crate) tools: &'static [&'static str],
    /// What is done before.
    pub(crate) before: &'static str,
    /// What `fieldstone serve` is started with, where the page finds a server.
    pub(crate) serves: Option<&'static str>,
    /// What is done then.
    pub(crate) with_server: &'static str,
    /// What is done behind the page, with the files that it shows.
    pub(crate) after: &'static str,
    /// What that prints.
    pub(crate) shows: &'static [&'static str],
    /// The page and section whose files it finds.
    files_of: Option<(&'static str, &'static str)>,
    /// Whether it compiles a crate, for which only the full lane has the time.
    pub(crate) compiles: bool,
    /// Words of the page that stand for others, and these.
    words: &'static [(&'static str, &'static str)],
}

/// The guide of the generator, which is no page of the service.
const GUIDE: &str = "../../generator/docs/guide.md";

/// What no story says otherwise.
const PLAIN: Story = Story {
    name: "",
    page: "",
    section: None,
    tools: &["curl", "jq"],
    before: "",
    serves: None,
    with_server: "",
    after: "",
    shows: &[],
    files_of: None,
    compiles: false,
    words: &[],
};

const fn page_story(name: &'static str, page: &'static str) -> Story {
    Story {
        name,
        page,
        ..PLAIN
    }
}

/// One beside the demo, whose address and credentials are in the environment.
const fn snippet(
    name: &'static str,
    section: &'static str,
    tools: &'static [&'static str],
) -> Story {
    Story {
        name,
        page: "client_snippets.md",
        section: Some(section),
        tools,
        serves: Some("--demo --data demo 2>demo.log"),
        with_server: r#"export FIELDSTONE_URL=http://$FIELDSTONE_LISTEN
export FIELDSTONE_API_KEY=$(awk '$1=="API"{print $3}' demo.log)
ID=$(sed -nE 's/.*client +id ([^,]+),.*/\1/p' demo.log) SECRET=$(sed -nE 's/.*secret (fsc_[^ ]+).*/\1/p' demo.log)
"#,
        ..PLAIN
    }
}

/// The lines that tell whose a letter is, tried on a real one, and on one that was changed on its way.
const fn letter(name: &'static str, tools: &'static [&'static str], after: &'static str) -> Story {
    Story {
        name,
        page: "webhooks.md",
        section: Some("Whose it is"),
        tools,
        before: r#"cat > receive.py <<'END'
import base64, http.server, json

class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        letter = {"headers": headers, "body": base64.b64encode(body).decode()}
        json.dump(letter, open("letter.json", "w"))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
server.handle_request()
END
"#,
        serves: Some("--demo --data demo --webhooks-to-private-addresses 2>demo.log"),
        with_server: r#"timeout 60 python3 receive.py > port &
receiver=$!
key=$(fieldstone --data demo key create hooks --role 'ACCOUNT ADMINISTRATOR' --area '*' --format json | jq -r .secret)
ask() { curl -sf -H "Authorization: $key" -H 'Content-Type: application/json' "$@"; }
url=http://$FIELDSTONE_LISTEN
area=$(ask $url/v1/my/businessareas | jq -r '.items[] | select(.name == "Reference Data").businessAreaId')
schema=$(ask $url/v1/businessareas/$area/schemas | jq -r '.items[] | select(.name == "Airport").schemaId')
dataset=$(ask $url/v1/businessareas/$area/schemas/$schema/datasets | jq -r '.items[0].dataSetId')
while [ ! -s port ]; do sleep 0.1; done
ask -d "{\"name\": \"h\", \"url\": \"http://127.0.0.1:$(cat port)/\", \"datasets\": [\"$dataset\"]}" $url/admin/api/v1/webhooks | jq -r .secret > secret
ask -d '{"ICAO": "ZHOO"}' $url/v1/businessareas/$area/schemas/$schema/datasets/$dataset/dataobjects > made.json
wait $receiver
"#,
        after,
        shows: &["true false"],
        ..PLAIN
    }
}

pub(crate) const STORIES: &[Story] = &[
    page_story("the_quick_start_runs", "quick_start.md"),
    page_story("the_page_of_credentials_runs", "credentials.md"),
    page_story("the_page_of_data_in_and_out_runs", "import.md"),
    Story {
        before: r"export FIELDSTONE_DATA=$PWD/store
echo 'tenants: [{name: Acme, areas: [{name: Sales}]}]' > first.yaml
fieldstone apply first.yaml > /dev/null
fieldstone key create ci --role 'ACCOUNT ADMINISTRATOR' --area '*' --format json | jq -r .secret > ci.key
",
        serves: Some("2>server.log"),
        with_server: "unset FIELDSTONE_DATA\n",
        files_of: Some(("quick_start.md", "A company in a file")),
        words: &[
            ("https://data.example.org", "http://127.0.0.1:8080"),
            ("fst_…", "$(cat ci.key)"),
        ],
        ..page_story("the_page_of_commands_runs", "commands.md")
    },
    Story {
        tools: &["cargo", "curl", "jq"],
        compiles: true,
        // the shop is compiled with what the house was compiled with
        before: r#"ln -s "$SOURCES" fieldstone
cp fieldstone/Cargo.lock .
cargo build --quiet --manifest-path fieldstone/Cargo.toml --package generator
export CARGO_TARGET_DIR=$SOURCES/target CARGO_PROFILE_DEV_DEBUG=0 CARGO_TERM_COLOR=never
"#,
        ..page_story("the_guide_of_types_runs", GUIDE)
    },
    Story {
        section: Some("Encrypting backups"),
        tools: &["age"],
        before: r"unset FIELDSTONE_DATA
echo 'tenants: [{name: Acme, areas: [{name: Sales}]}]' > first.yaml
fieldstone --data store apply first.yaml > /dev/null
",
        // who has another key gets no store
        after: r"head -c 21 monday.tar.zst.age
age-keygen -o other.key 2> /dev/null
if age -d -i other.key monday.tar.zst.age | fieldstone --data none restore - 2> /dev/null; then exit 1; fi
test ! -e none
",
        shows: &["age-encryption.org/v1"],
        words: &[("/var/lib/fieldstone", "store")],
        ..page_story("a_backup_is_encrypted_by_age_and_restored", "operations.md")
    },
    snippet("the_snippets_of_curl_run", "curl", &["curl", "jq"]),
    snippet("the_snippets_of_python_run", "Python", &["python3"]),
    snippet("the_snippets_of_typescript_run", "TypeScript", &["npx"]),
    snippet("the_snippets_of_java_run", "Java", &["java"]),
    letter(
        "the_lines_of_python_tell_whose_a_letter_is",
        &["curl", "jq", "python3"],
        r#"python3 - <<'END'
import base64, json
from is_ours import is_ours
letter, secret = json.load(open("letter.json")), open("secret").read().strip()
body = base64.b64decode(letter["body"])
judged = [is_ours(secret, letter["headers"], it) for it in (body, body + b" ")]
print(*(str(it).lower() for it in judged))
END
"#,
    ),
    letter(
        "the_lines_of_typescript_tell_whose_a_letter_is",
        &["curl", "jq", "python3", "npx"],
        r#"cat >> is_ours.ts <<'END'
import { readFileSync } from "node:fs";
const letter = JSON.parse(readFileSync("letter.json", "utf8"));
const secret = readFileSync("secret", "utf8").trim();
const body = Buffer.from(letter.body, "base64");
const changed = Buffer.concat([body, Buffer.from(" ")]);
console.log(isOurs(secret, letter.headers, body), isOurs(secret, letter.headers, changed));
END
npx --yes tsx@4 is_ours.ts
"#,
    ),
];

/// Blocks that are shown and not run: the page, the section, and the words behind the fence.
const SHOWN: &[(&str, &str, &str)] = &[
    // the surroundings that each snippet finds
    ("client_snippets.md", "", "text"),
    // the grammar of queries, which `tests/search` asks for
    ("interface.md", "Search", "text"),
    // the lines of a request of many writes, which the tests of management send
    ("interface.md", "Many writes at once", "text"),
    // the shapes of requests and letters, which the tests of management compare
    ("webhooks.md", "", "json"),
    ("webhooks.md", "What is sent", "json"),
    // the settings and commands of operators, which the program's tests of operations and backups use
    ("operations.md", "Deploying", "toml"),
    // what makes a service of a machine with systemd, whose unit the program's tests read (`program/operations.rs`, `confinement.rs`)
    ("operations.md", "Deploying", "text"),
    // the job by which figures are asked for, which the program's test of the alerts reads
    ("operations.md", "Watching", "yaml"),
    // how a cluster gets a standby, which the stories of databases do with settings of their own (`databases/standby.rs`)
    ("scale.md", "A standby", "text"),
    // which the stories of the store do with rows of their own (`tests/store/postgres/changed_by_hand.rs`)
    ("scale.md", "Rows that were changed by hand", "text"),
    ("operations.md", "Backing up", "text"),
    ("operations.md", "Restoring", "text"),
    ("operations.md", "A new signing secret", "text"),
    ("operations.md", "Keeping no more than needed", "text"),
    // each is rehearsed by the tests of `tests/load` and `tests/bench`
    ("benchmarks.md", "How to repeat", "text"),
    // a release, which people make
    ("releasing.md", "Steps", "text"),
    // the proofs, of which `.ci/run` runs a short turn each
    ("proofs.md", "", "text"),
    ("scale.md", "Serving from a database", "text"),
    // which was done by hand on a cluster, under load
    ("scale.md", "Citus", "text"),
    // which a story of `databases` runs with names of its own (`databases/dumps.rs`)
    ("scale.md", "Backups of a database", "text"),
    // which the stories of `databases` do with databases of their own
    (
        "scale.md",
        "From a folder into a database, and back",
        "text",
    ),
];

impl Story {
    /// The files that it finds.
    pub(crate) fn files(&self) -> Vec<Block> {
        let named = self.files_of.map(|(name, section)| (page(name), section));
        let mut files = named.map_or_else(Vec::new, |(page, section)| blocks(&page, Some(section)));
        files.retain(|block| matches!(block, Block::File { .. }));
        files
    }

    /// Commands of the page as they are meant here.
    pub(crate) fn meant(&self, lines: &str) -> String {
        let mut lines = lines.to_owned();
        for (word, meant) in self.words {
            lines = lines.replace(word, meant);
        }
        lines
    }

    /// Whether it runs a block of a page.
    fn runs(&self, page: &str, head: &Head<'_>) -> bool {
        let is_read = head.info == "sh" || head.info.contains(' ') || head.is_printed;
        let is_here = self.section.is_none_or(|section| section == head.section);
        self.page == page && is_here && is_read
    }
}

/// Where a page of the manual is.
pub(crate) fn page(name: &str) -> PathBuf {
    docs().join(name)
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

/// The script that runs the page about generated clients, which needs the generators.
fn script_of_clients() -> String {
    let path = docs().join("../../.ci/clients/generators/run");
    std::fs::read_to_string(path).expect("the script")
}

/// Whether the script takes a block from its page.
fn takes(script: &str, section: &str, info: &str) -> bool {
    let taken = format!("block '{section}' ");
    let mut lines = script.lines().filter_map(|line| line.split_once(&taken));
    lines.any(|(_, rest)| rest.split_whitespace().next() == Some(info))
}

/// The blocks of a page that no story and no other test runs.
fn unrun(page: &str, text: &str, script_of_clients: &str) -> Vec<String> {
    let heads = heads(text);
    let unrun = heads.iter().filter(|head| {
        let Head { section, info, .. } = head;
        let is_run = match page {
            "clients.md" => takes(script_of_clients, section, info),
            // the program's tests apply each of its files: `manifest_page.rs`
            "manifest.md" => info.contains(' '),
            _ => STORIES.iter().any(|story| story.runs(page, head)),
        };
        !is_run && !SHOWN.contains(&(page, section, info))
    });
    unrun
        .map(|head| format!("{page}, \"{}\": a block `{}`", head.section, head.info))
        .collect()
}

pub(crate) fn each_block_of_the_manual_is_run() {
    let script = script_of_clients();
    let mut pages = 0;
    let mut left_out = Vec::new();
    for entry in std::fs::read_dir(docs()).expect("the manual") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|end| end != "md") {
            continue;
        }
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.expect("a name");
        let text = std::fs::read_to_string(&path).expect("a page");
        left_out.extend(unrun(name, &text, &script));
        pages += 1;
    }
    assert!(pages > 10, "the manual has pages");
    assert!(
        left_out.is_empty(),
        "nobody runs these; `manual/stories.rs` says who does: {left_out:#?}"
    );
}

pub(crate) fn a_block_that_nobody_runs_is_found() {
    let script = "block 'A Go client is generated' sh\n";
    for (name, text, count) in [
        (
            "commands.md",
            "## A\n```sh\nfieldstone\n```\n\n```text\nit\n```\n",
            0,
        ),
        ("commands.md", "## A\n```json\n{}\n```\n", 1),
        ("commands.md", "## A\n```text\nno command\n```\n", 1),
        ("client_snippets.md", "## Go\n```sh\ngo run .\n```\n", 1),
        ("rules.md", "## A\n```sh\nls\n```\n", 1),
        ("manifest.md", "## A\n```yaml\ntenants: []\n```\n", 1),
        (
            "clients.md",
            "## A Go client is generated\n```sh\ngo\n```\n```go\nx\n```\n",
            1,
        ),
        ("interface.md", "## Search\n```text\na AND b\n```\n", 0),
    ] {
        assert_eq!(unrun(name, text, script).len(), count, "{name}: {text}");
    }
}
