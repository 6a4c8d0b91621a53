//! Writes the types of the one schema to `OUT_DIR`.

fn main() -> Result<(), generator::Error> {
    generator::Config::new().schemas("schemas").generate()?;
    Ok(())
}
