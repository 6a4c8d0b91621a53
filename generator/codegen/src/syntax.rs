//! Generated code as a small tree: files, declarations with docs and attributes. It holds finished words
//! only; what they are is for `emit` to say, and where lines break for `render`.

use crate::coded_report::Advice;
use crate::note::Note;

/// One file to be.
pub(crate) struct SourceFile {
    /// Its name in the directory.
    pub path: String,
    pub module: SourceModule,
    /// The names in it that had to be adjusted.
    pub notes: Vec<Note>,
    /// Whether ids in it were made of names.
    pub has_made_ids: bool,
    /// What looks wrong in its schemas.
    pub warnings: Vec<Advice>,
}

/// What stands in one file, or between the braces of a `mod`.
pub(crate) struct SourceModule {
    /// The comment on its first line.
    pub header: String,
    pub imports: Option<Imports>,
    pub declarations: Vec<Declaration>,
}

/// `use path::{names};`
pub(crate) struct Imports {
    pub path: String,
    pub names: Vec<&'static str>,
}

/// A struct, an enum, a module, a field or a variant.
pub(crate) struct Declaration {
    /// The lines of its doc comment, without slashes.
    pub docs: Vec<String>,
    pub attributes: Vec<Attribute>,
    /// Such as `pub struct City`, `pub name: String` or `pub mod city`.
    pub head: String,
    pub body: Body,
}

/// What stands in the braces of a declaration.
pub(crate) enum Body {
    /// It has no braces.
    None,
    /// Fields or variants.
    Members(Vec<Declaration>),
    /// One expression.
    Expression(String),
    Module(SourceModule),
}

/// An attribute of a declaration.
pub(crate) enum Attribute {
    Call(Call),
    /// One that the configuration gives.
    Given(Box<syn::Attribute>),
}

/// `name(arguments)`, in an attribute.
pub(crate) struct Call {
    pub name: &'static str,
    pub arguments: Vec<Argument>,
}

/// An argument of a call.
pub(crate) enum Argument {
    /// A word, a literal, or `key = value`.
    Word(String),
    Call(Call),
}

impl Attribute {
    /// An attribute whose arguments are words.
    pub(crate) fn of_words(name: &'static str, words: impl IntoIterator<Item = String>) -> Self {
        Attribute::call(name, words.into_iter().map(Argument::Word).collect())
    }

    /// `#[name(arguments)]`.
    pub(crate) fn call(name: &'static str, arguments: Vec<Argument>) -> Self {
        Attribute::Call(Call { name, arguments })
    }
}
