//! Writes the types of all schemas in a folder to `OUT_DIR`. It changes two names and nothing else.

fn main() -> Result<(), generator::Error> {
    generator::Config::new()
        .schemas("../../fixtures/schemas")
        // a schema without a decent name, told by its id
        .rename_schema("019bb184-6ee7-7bbc-9953-ff55187f9e71", "HostileNames")
        .rename_field("Airport", "FAA LID", "faa_identifier")
        .generate()?;
    Ok(())
}
