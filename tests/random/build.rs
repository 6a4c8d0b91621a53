//! Makes random schemas from a fixed seed, takes the schemas of the conformance cases, generates the
//! types of all of them with the generator's pure core, and writes a table of their doors.

#[allow(unreachable_pub, reason = "the library shows it to its tests")]
#[path = "src/chance.rs"]
mod chance;
#[allow(unreachable_pub, reason = "the tests of another package use it too")]
#[path = "src/documents/mod.rs"]
mod documents;

use chance::Chance;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

const SEED: u64 = 20_260_923;
/// The number of random schemas by default.
const SCHEMAS: u64 = 150;
/// The variable for another number: the full lane takes 300.
const SCHEMAS_VARIABLE: &str = "FIELDSTONE_RANDOM_SCHEMAS";
const FIELDS_MAX: usize = 12;

/// A schema with the name of its module.
struct Case {
    module: String,
    /// What a failing test calls it.
    name: String,
    document: String,
}

fn main() {
    let conformance = Path::new("../../fixtures/conformance");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/chance.rs");
    println!("cargo::rerun-if-changed=src/documents");
    println!("cargo::rerun-if-changed={}", conformance.display());
    println!("cargo::rerun-if-env-changed={SCHEMAS_VARIABLE}");
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    write_table(&out_dir, "random", "RANDOM", &random_cases());
    write_table(
        &out_dir,
        "conformance",
        "CONFORMANCE",
        &conformance_cases(conformance),
    );
}

fn random_cases() -> Vec<Case> {
    let schemas = env::var(SCHEMAS_VARIABLE).map_or(SCHEMAS, |text| {
        let number = text.parse();
        number.unwrap_or_else(|error| panic!("{SCHEMAS_VARIABLE}={text}: {error}"))
    });
    (0..schemas)
        .map(|number| {
            let mut chance = Chance::seeded(SEED + number);
            Case {
                module: format!("random_{number}"),
                name: format!("random {number}"),
                document: documents::document(&mut chance, &format!("r{number}"), FIELDS_MAX),
            }
        })
        .collect()
}

/// The schemas of all conformance files, named by file and key.
fn conformance_cases(folder: &Path) -> Vec<Case> {
    let entries = fs::read_dir(folder).expect("the folder of conformance cases");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a conformance file");
        // raw values would keep number tokens; none of these schemas has one that serde_json changes
        let root: serde_json::Value =
            serde_json::from_str(&text).expect("a conformance file is JSON");
        let stem = file
            .file_stem()
            .and_then(|stem| stem.to_str())
            .expect("a file has a name");
        for (key, schema) in root["schemas"].as_object().expect("`schemas` is an object") {
            cases.push(Case {
                module: format!("conformance_{}", cases.len()),
                name: format!("{stem} {key}"),
                document: schema.to_string(),
            });
        }
    }
    cases
}

/// Writes the modules of the cases, and a table `constant` with a door for each.
fn write_table(out_dir: &Path, file: &str, constant: &str, cases: &[Case]) {
    let mut modules = String::new();
    let mut rows = String::new();
    for Case {
        module,
        name,
        document,
    } in cases
    {
        let (code, record) = generate(name, document);
        fs::write(out_dir.join(format!("{module}.rs")), code).expect("OUT_DIR can be written to");
        fs::write(out_dir.join(format!("{module}.json")), document)
            .expect("OUT_DIR can be written to");
        writeln!(
            modules,
            "/// What was generated from `{module}.json`.\npub mod {module} {{ runtime::include_records!({module:?}); }}"
        )
        .expect("a string takes all text");
        let json = format!("concat!(env!(\"OUT_DIR\"), \"/{module}.json\")");
        writeln!(
            rows,
            "    Door::of::<{module}::{record}>({name:?}, include_str!({json})),"
        )
        .expect("a string takes all text");
    }
    let table = format!(
        "{modules}/// The doors of all these schemas.\npub static {constant}: [Door; {}] = [\n{rows}];\n",
        cases.len()
    );
    fs::write(out_dir.join(format!("{file}.rs")), table).expect("OUT_DIR can be written to");
}

/// The generated code of one schema, and the name of its struct.
fn generate(name: &str, document: &str) -> (String, String) {
    let inputs = [generator::Input::new(name, document)];
    let files = generator::generate(&inputs, &generator::Config::new())
        .unwrap_or_else(|error| panic!("{name}: {error}\n{document}"));
    let code = &files
        .iter()
        .find(|file| file.path != "mod.rs")
        .expect("a file for the schema")
        .text;
    let record = code
        .lines()
        .find_map(|line| line.strip_prefix("pub struct "));
    let record = record.expect("the file declares a struct");
    let end = record.find([' ', ';', '{']).unwrap_or(record.len());
    (code.clone(), record[..end].to_owned())
}
