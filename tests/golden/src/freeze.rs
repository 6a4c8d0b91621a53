//! Writes all sections of a frozen folder.

use crate::{help, normal, pages, server::Demo};
use serde_json::Value;
use std::{fs, io, path::Path};

pub(crate) fn freeze(out: &Path, programs: &Path) -> io::Result<()> {
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
    help::freeze(&section(out, "help")?, programs)?;
    let demo = Demo::start(programs)?;
    openapi(&section(out, "openapi")?, &demo)?;
    let cookies = demo.sign_in()?;
    pages::freeze(&section(out, "pages")?, &demo, &cookies)
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
