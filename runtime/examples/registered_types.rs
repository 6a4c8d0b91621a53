//! Code first: record types are registered when the program starts. Their schemas are made the first time
//! and checked each time after, so that code and data can't drift apart unseen.
//!
//! `cargo run -p runtime --features embed --example registered_types -- /tmp/library`

use runtime::embed::{Embedded, RegisterError};
use runtime::{Picklist, Record};
use std::path::Path;

/// Whether a book can be borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Picklist)]
enum State {
    #[code("in")]
    In,
    #[code("out")]
    Out,
}

/// A book of the library.
#[derive(Record)]
struct Book {
    #[field(name = "ISBN", primary_key, min = 10, max = 17)]
    isbn: String,
    #[field(name = "Title", max = 200)]
    title: String,
    #[field(name = "State", picklist)]
    state: State,
}

/// The same schema in a program that was not kept up: it thinks that titles are short.
mod outdated {
    #[derive(runtime::Record)]
    #[record(name = "Book")]
    pub(crate) struct Book {
        #[field(name = "ISBN", primary_key, min = 10, max = 17)]
        pub(crate) isbn: String,
        #[field(name = "Title", max = 20)]
        pub(crate) title: String,
    }
}

/// Registers both; answers what is wrong with the second.
pub(crate) async fn run(folder: &Path) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let embedded = Embedded::open(folder, "Library").await?;
    let books = embedded.register::<Book>("Shelves", "Books").await?;
    let book = Book {
        isbn: "978-3-16-148410-0".to_owned(),
        title: "On the order of things".to_owned(),
        state: State::In,
    };
    books.create(&book).await?;
    books
        .change(&book.isbn, |book| book.state = State::Out)
        .await?;

    match embedded
        .register::<outdated::Book>("Shelves", "Books")
        .await
    {
        Err(RegisterError::Differs { differences, .. }) => Ok(differences),
        Err(error) => Err(error.into()),
        Ok(_) => Ok(Vec::new()),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args()
        .nth(1)
        .ok_or("name a folder for the store")?;
    for difference in run(Path::new(&folder)).await? {
        println!("{difference}");
    }
    Ok(())
}
