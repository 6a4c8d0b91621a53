//! Writes all sections of a frozen folder.

use crate::{
    exports, help, normal, pages, refusals, schemas, server::Demo, session::Session, store,
    verdicts,
};
use serde_json::Value;
use std::{fs, io, path::Path};

pub(crate) fn freeze(out: &Path, programs: &Path, fixtures: &Path) -> io::Result<()> {
    if out.exists() {
        return Err(io::Error::other(format!(
            "{} exists already",
            out.display()
        )));
    }
    // both programs are looked for first, so that a missing one leaves no half of a folder
    for name in ["fieldstone", "generator"] {
        if !programs.join(name).is_file() {
            return Err(io::Error::other(format!(
                "{} has no program `{name}`: build it first",
                programs.display()
            )));
        }
    }
    // the server runs in a folder of its own
    let programs = &programs.canonicalize()?;
    help::freeze(&section(out, "help")?, programs)?;
    let (demo, cookies) = loop {
        let demo = Demo::start(programs)?;
        let cookies = demo.sign_in()?;
        if demo.has_roles_in_order(&cookies)? {
            break (demo, cookies);
        }
    };
    // first, because a page tells when a key was last used, and the other sections use one
    pages::freeze(&section(out, "pages")?, &demo, &cookies)?;
    store::freeze(&section(out, "store")?, &demo.data())?;
    openapi(&section(out, "openapi")?, &demo)?;
    exports::freeze(&section(out, "exports")?, programs, &demo)?;
    let session = Session::sign_in(&demo.host, &demo.password)?;
    let messages = section(out, "messages")?;
    let document = serde_json::from_slice(&demo.get("/openapi.json")?.body)?;
    refusals::freeze(&messages.join("refusals"), &session, &document)?;
    schemas::freeze(&messages, programs, fixtures)?;
    verdicts::freeze(&section(out, "verdicts")?, &session, fixtures)
}

/// The folder of a section, made.
fn section(out: &Path, name: &str) -> io::Result<std::path::PathBuf> {
    let folder = out.join(name);
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The document of both interfaces, and of the records of each schema.
fn openapi(out: &Path, demo: &Demo) -> io::Result<()> {
    let write = |name: &str, path: &str| {
        let document: Value = serde_json::from_slice(&demo.get(path)?.body)?;
        let text = normal::placeholders(&format!("{document:#}\n"));
        fs::write(out.join(format!("{name}.json")), text)
    };
    write("openapi", "/openapi.json")?;
    for schema in demo.schemas()? {
        let path = format!("{}/openapi.json", schema.path);
        write(&schema.name, &path)?;
    }
    Ok(())
}
