//! The files of a record, as a page shows them: each field of files has forms of its own below those of all other fields, and
//! each file is told from the others by its name and its size.

use super::numbers::bytes;
use super::places::Place;
use super::stored_faults::StoredFaults;
use super::values::ShownRecord;
use super::visit::{Visit, playing};
use crate::http::error::Failure;
use crate::http::files::media_type_of;
use axum::body::Body;
use axum::http::Response;
use schema::{DataType, Field};
use service::Refusal;
use service::files::FileLink;
use std::collections::HashMap;

/// The files of a page that are looked up, at most; others are links without a name.
const TOLD_MAX: usize = 50;
/// The media types that a browser shows as pictures.
const PICTURES: [&str; 6] = [
    "image/avif",
    "image/bmp",
    "image/gif",
    "image/jpeg",
    "image/png",
    "image/webp",
];
/// Those that it plays as films. By its content, what is Ogg is a sound.
const FILMS: [&str; 3] = ["video/mp4", "video/webm", "video/x-m4v"];
/// Those that it plays to be heard.
const SOUNDS: [&str; 7] = [
    "audio/aac",
    "audio/m4a",
    "audio/mpeg",
    "audio/ogg",
    "audio/opus",
    "audio/x-flac",
    "audio/x-wav",
];

/// A field of files, as its forms show it.
pub(super) struct FileField {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) hint: String,
    pub(super) fault: String,
    pub(super) files: Vec<FileShown>,
    data_type: DataType,
    /// Which files it holds, as a form remembers it.
    pub(super) was: String,
    pub(super) is_several: bool,
    pub(super) is_required: bool,
    pub(super) is_masked: bool,
}

/// A value of such a field.
pub(super) struct FileShown {
    /// What is stored where it is no file.
    pub(super) text: String,
    /// Where it can be fetched for a while.
    pub(super) link: Option<FileLink>,
    /// What it is called, and how large it is; empty where it was not looked up.
    pub(super) name: String,
    pub(super) size: String,
    preview: Preview,
}

/// How a page shows a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Preview {
    Link,
    Picture,
    Film,
    Sound,
}

impl Preview {
    /// That of a content which is given out under this media type, in a field of this type.
    fn of(media_type: &str, data_type: DataType) -> Self {
        let is_any = matches!(data_type, DataType::Attachment | DataType::Video);
        if PICTURES.contains(&media_type) && (is_any || data_type == DataType::Image) {
            Preview::Picture
        } else if !is_any {
            Preview::Link
        } else if FILMS.contains(&media_type) {
            Preview::Film
        } else if SOUNDS.contains(&media_type) {
            Preview::Sound
        } else {
            Preview::Link
        }
    }
}

impl FileShown {
    pub(super) fn is_picture(&self) -> bool {
        self.preview == Preview::Picture
    }

    pub(super) fn is_film(&self) -> bool {
        self.preview == Preview::Film
    }

    pub(super) fn is_sound(&self) -> bool {
        self.preview == Preview::Sound
    }
}

/// The fields of files of a record.
pub(super) fn file_fields<P>(
    visit: &Visit<P>,
    place: &Place,
    record: &ShownRecord<'_>,
) -> Vec<FileField> {
    let faults = StoredFaults::of(record);
    let fields = place.version().schema.active_fields();
    let fields = fields.filter(|field| field.data_type.is_file());
    let shown = fields.map(|field| {
        let texts = record.texts(field);
        let fault = faults.of_field(field, (place, visit.texts));
        FileField {
            id: field.id.clone(),
            label: field.name.clone(),
            hint: field.description.clone().unwrap_or_default(),
            fault: fault.unwrap_or_default(),
            was: identity(&texts, place),
            is_several: field.is_multivalue(),
            is_required: field.required,
            is_masked: place.masks(field) && !texts.is_empty(),
            data_type: field.data_type,
            files: texts.into_iter().map(|text| shown(text, place)).collect(),
        }
    });
    shown.collect()
}

fn shown(text: String, place: &Place) -> FileShown {
    FileShown {
        link: place.file_link(&text),
        text,
        name: String::new(),
        size: String::new(),
        preview: Preview::Link,
    }
}

/// Tells what files are called and how large they are, and has those of them be seen or heard that are pictures, films or
/// sounds by their content, and say nothing else by their name.
///
/// # Errors
/// The store's.
pub(super) async fn tell_files<P>(
    visit: &Visit<P>,
    place: &Place,
    fields: &mut [FileField],
) -> Result<(), Failure> {
    let seen = fields.iter_mut().filter(|field| !field.is_masked);
    let files = seen.flat_map(|field| {
        let data_type = field.data_type;
        let files = field.files.iter_mut();
        files.map(move |file| (data_type, file))
    });
    let linked = files.filter(|(_, file)| file.link.is_some());
    let told: Vec<_> = linked.take(TOLD_MAX).collect();
    let ids = told.iter().filter_map(|(_, file)| file.link.as_ref());
    let ids = ids.map(|link| link.id.clone()).collect();
    let found = visit.site.service.stored_files(&place.permit, ids).await?;
    let found: HashMap<_, _> = found.iter().map(|file| (&*file.id, file)).collect();
    for (data_type, file) in told {
        let own = file.link.as_ref().and_then(|link| found.get(&*link.id));
        if let Some(own) = own {
            file.preview = Preview::of(&media_type_of(own), data_type);
            file.size = bytes(own.size, visit.texts);
            file.name.clone_from(&own.name);
        }
    }
    Ok(())
}

/// A page with these files, on which a browser may play those of them that are played.
pub(super) fn with_players(fields: &[FileField], page: Response<Body>) -> Response<Body> {
    let mut files = fields.iter().flat_map(|field| &field.files);
    if files.any(|file| file.is_film() || file.is_sound()) {
        return playing(page);
    }
    page
}

/// Which files these are: links to one file differ each time.
pub(super) fn identity(texts: &[String], place: &Place) -> String {
    let ids = texts.iter().map(|text| match place.file_link(text) {
        Some(link) => link.id,
        None => text.clone(),
    });
    ids.collect::<Vec<_>>().join(" ")
}

/// A field of files that the visitor sees.
pub(super) fn file_field<'p>(place: &'p Place, id: &str) -> Result<&'p Field, Failure> {
    let mut active = place.version().schema.active_fields();
    let found =
        active.find(|field| field.id == id && field.data_type.is_file() && !place.masks(field));
    Ok(found.ok_or_else(|| Refusal::no_such("field"))?)
}
