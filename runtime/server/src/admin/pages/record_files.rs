//! The files of a record, as a page shows them: each field of files has forms of its own below those of all other fields.

use super::places::Place;
use super::values::{ShownRecord, fault_text};
use super::visit::{Visit, playing};
use crate::http::error::Failure;
use crate::http::files::media_type_of;
use axum::body::Body;
use axum::http::Response;
use schema::{DataType, Field};
use service::Refusal;
use service::ids::FILES_PATH;
use url::Url;

/// The files of a page whose content is asked for, at most; others are links.
const PREVIEWS_MAX: usize = 50;
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
    pub(super) link: Option<String>,
    preview: Preview,
    /// Whether only its content tells what is seen or heard of it.
    is_told_by_content: bool,
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
    /// That of a content which is given out under this media type.
    fn of(media_type: &str) -> Self {
        if PICTURES.contains(&media_type) {
            Preview::Picture
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
    let faults = record.faults();
    let fields = place.version().schema.active_fields();
    let fields = fields.filter(|field| field.data_type.is_file());
    let shown = fields.map(|field| {
        let texts = record.texts(field);
        let fault = faults.iter().find(|fault| fault.name == field.name);
        FileField {
            id: field.id.clone(),
            label: field.name.clone(),
            hint: field.description.clone().unwrap_or_default(),
            fault: fault.map_or_else(String::new, |own| fault_text(&own.errors, visit.texts)),
            was: identity(&texts),
            is_several: field.is_multivalue(),
            is_required: field.required,
            is_masked: place.masks(field) && !texts.is_empty(),
            files: texts.into_iter().map(|text| shown(text, field)).collect(),
        }
    });
    shown.collect()
}

fn shown(text: String, field: &Field) -> FileShown {
    let link = link_of(&text);
    let is_picture = link.is_some() && field.data_type == DataType::Image;
    let may_be_any = matches!(field.data_type, DataType::Attachment | DataType::Video);
    FileShown {
        preview: if is_picture {
            Preview::Picture
        } else {
            Preview::Link
        },
        is_told_by_content: link.is_some() && may_be_any,
        link,
        text,
    }
}

/// Has attachments and films be seen or heard that are pictures, films or sounds by their content, and say nothing else
/// by their name.
///
/// # Errors
/// The store's.
pub(super) async fn show_previews<P>(
    visit: &Visit<P>,
    place: &Place,
    fields: &mut [FileField],
) -> Result<(), Failure> {
    let seen = fields.iter_mut().filter(|field| !field.is_masked);
    let files = seen.flat_map(|field| &mut field.files);
    let unknown = files.filter(|file| file.is_told_by_content);
    let unknown: Vec<&mut FileShown> = unknown.take(PREVIEWS_MAX).collect();
    for file in unknown {
        let id = file.link.as_deref().map(id_of).unwrap_or_default();
        let service = &visit.site.service;
        let found = service.stored_file(&place.permit, id).await?;
        let media_type = found.as_ref().map(media_type_of).unwrap_or_default();
        file.preview = Preview::of(&media_type);
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

/// A link to a file without the host, since a page may be seen under another one.
pub(super) fn link_of(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let query = url.query()?;
    let is_ours = url.path().contains(FILES_PATH);
    is_ours.then(|| format!("{}?{query}", url.path()))
}

/// Which files these are: links to one file differ each time.
pub(super) fn identity(texts: &[String]) -> String {
    let ids = texts.iter().map(|text| match link_of(text) {
        Some(link) => id_of(&link).to_owned(),
        None => text.clone(),
    });
    ids.collect::<Vec<_>>().join(" ")
}

/// The file that a link leads to.
fn id_of(link: &str) -> &str {
    let path = link.split('?').next().unwrap_or_default();
    path.rsplit('/').next().unwrap_or_default()
}

/// A field of files that the visitor sees.
pub(super) fn file_field<'p>(place: &'p Place, id: &str) -> Result<&'p Field, Failure> {
    let mut active = place.version().schema.active_fields();
    let found =
        active.find(|field| field.id == id && field.data_type.is_file() && !place.masks(field));
    Ok(found.ok_or_else(|| Refusal::no_such("field"))?)
}

#[cfg(test)]
mod tests {
    use super::{identity, link_of};

    #[test]
    fn links_to_one_file_are_the_same_whatever_host_and_time() {
        let [first, second] = [
            "https://a.example/v1/files/01?until=1&by=x",
            "http://b:8080/v1/files/01?until=2&by=y",
        ]
        .map(str::to_owned);
        assert_eq!(identity(std::slice::from_ref(&first)), "01");
        assert_eq!(identity(&[second]), "01");
        assert_eq!(
            link_of(&first).as_deref(),
            Some("/v1/files/01?until=1&by=x")
        );
        assert_eq!(link_of("no link"), None);
        assert_eq!(link_of("https://elsewhere.example/x?y"), None);
        assert_eq!(identity(&["no link".to_owned()]), "no link");
    }
}
