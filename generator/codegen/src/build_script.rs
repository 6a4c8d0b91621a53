//! What a build script calls: schema files in, generated files in `OUT_DIR`, and what cargo has to know on
//! standard output. It decides nothing about generated code.

use crate::config::Config;
use crate::error::{Error, Mistake};
use crate::file::File;
use crate::generate::{Locked, generate_locked};
use crate::input::{read, schema_files};
use crate::locked_write::read_lock;
use crate::report::grouped;
use crate::write::write;
use proc_macro_crate::{FoundCrate, crate_name};
use std::path::PathBuf;

impl Config {
    /// For build scripts: reads the schemas, writes what changed to `OUT_DIR`, and tells cargo when
    /// to run the script again. Warnings about schemas, and about a directory without any, become
    /// cargo's warnings. What was generated is returned, with a note for each name that had to be
    /// adjusted.
    ///
    /// A directory belongs to one configuration: what an earlier run left there and this one does
    /// not generate is removed.
    ///
    /// # Errors
    /// Schemas that are refused, all of them at once; mistakes in the configuration; files that can't be read or written, and those
    /// in the way that the generator did not write.
    pub fn generate(&self) -> Result<Vec<File>, Error> {
        let out_dir = match (&self.out_dir, std::env::var_os("OUT_DIR")) {
            (Some(path), _) => path.clone(),
            (None, Some(path)) => PathBuf::from(path),
            (None, None) => {
                let message = "the variable OUT_DIR is not set; is this a build script?";
                let source = std::io::Error::other(message);
                return Err(Error::file("write to", "OUT_DIR", source));
            }
        };
        // told first, so that a mended schema is looked at again after an error
        let watched = self.watched()?;
        refuse_line_breaks(&watched)?;
        for path in &watched {
            println!("cargo::rerun-if-changed={}", path.display());
        }
        // it may be filled later, and is more often the wrong one
        for path in &self.schemas {
            if schema_files(path)?.is_empty() {
                let path = path.display();
                println!(
                    "cargo::warning={path}: the directory holds no *.json file, so no types come of it"
                );
            }
        }
        let documents = watched.iter().filter(|path| !path.is_dir());
        let inputs: Vec<_> = documents.map(|path| read(path)).collect::<Result<_, _>>()?;
        let Locked { files, lock } = generate_locked(&inputs, &self.with_lock()?.with_runtime())?;
        let warnings = files.iter().flat_map(|file| &file.warnings);
        for group in grouped(warnings.map(|advice| &advice.report)) {
            println!("cargo::warning={}", group.line());
        }
        if let Some(path) = &self.lock_file
            && lock != read_lock(path)?
        {
            let path = path.display();
            println!("cargo::warning={path}: the lock is stale; run `generator --lock` with it");
        }
        write(&out_dir, &files)?;
        Ok(files)
    }

    /// The same with what the lock file holds, which the script is run again for.
    fn with_lock(&self) -> Result<Config, Error> {
        let Some(path) = &self.lock_file else {
            return Ok(self.clone());
        };
        refuse_line_breaks(std::slice::from_ref(path))?;
        println!("cargo::rerun-if-changed={}", path.display());
        if !path.exists() {
            return Err(Error::Config(vec![Mistake {
                message: format!("there is no lock file {}", path.display()),
                help: "write it by `generator SCHEMA… --out DIR --lock FILE`, or mend the path"
                    .to_owned(),
            }]));
        }
        Ok(self.clone().lock(read_lock(path)?))
    }

    /// The same with the name that Cargo.toml gives the runtime, where the configuration does not tell it.
    fn with_runtime(self) -> Config {
        if self.runtime.is_some() {
            return self;
        }
        println!("cargo::rerun-if-changed=Cargo.toml");
        match crate_name("runtime") {
            Ok(FoundCrate::Name(name)) => self.runtime(name),
            // the derives tell that there is none
            _ => self,
        }
    }

    /// The schema files, and the directories in which others may appear; each of them once.
    fn watched(&self) -> Result<Vec<PathBuf>, Error> {
        let mut watched = Vec::new();
        for path in &self.schemas {
            for path in std::iter::once(path.clone()).chain(schema_files(path)?) {
                if !watched.contains(&path) {
                    watched.push(path);
                }
            }
        }
        Ok(watched)
    }
}

/// Cargo reads its instructions line by line: a line break in the name of a file would begin another one.
fn refuse_line_breaks(paths: &[PathBuf]) -> Result<(), Error> {
    let broken = paths.iter().map(|path| path.display().to_string());
    let broken = broken.filter(|path| path.contains(['\n', '\r']));
    let mistakes: Vec<_> = broken
        .map(|path| Mistake {
            message: format!("the name of {path:?} has a line break, which cargo can't be told of"),
            help: "rename the file or its directory".to_owned(),
        })
        .collect();
    if mistakes.is_empty() {
        Ok(())
    } else {
        Err(Error::Config(mistakes))
    }
}
