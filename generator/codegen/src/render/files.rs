//! Every file as its text.

use super::printer;
use crate::file::File;
use crate::syntax::SourceFile;

/// The files as text, by path.
pub(crate) fn render(files: impl Iterator<Item = SourceFile>) -> Vec<File> {
    let text = |file: SourceFile| File {
        text: printer::text(&file.module),
        path: file.path,
        notes: file.notes,
        has_made_ids: file.has_made_ids,
        warnings: file.warnings,
    };
    let mut files: Vec<File> = files.map(text).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}
