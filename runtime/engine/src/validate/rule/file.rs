//! References to uploaded files, judged by what the file's content says.
//!
//! Where `logo` is an uploaded PNG of 800 bytes and `film` an uploaded MP4:
//!
//! ```text
//! {"dataType": "image", "maxSize": 1000}
//! "logo"  is stored as "logo"
//! "film"  must be an image
//! "none"  must be the id of a file uploaded to this dataset
//! ```

use super::scalar::Scalar;
use crate::validate::fault::Rule;
use crate::validate::judge::Judge;
use crate::validate::lookups::FileFacts;
use crate::validate::slot::Slot;
use crate::value::Value;
use schema::{DataType, Field, Media};

#[derive(Debug)]
pub(crate) struct FileRule {
    data_type: DataType,
    limits: Media,
}

impl FileRule {
    pub(super) fn compile(field: &Field, limits: Media) -> Self {
        FileRule {
            data_type: field.data_type,
            limits,
        }
    }

    pub(super) fn read(&self, scalar: Scalar<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let Scalar::Text(text, piece) = scalar else {
            to.fault(Rule::File);
            return None;
        };
        let facts = self.judge(text, to)?;
        if let Some(facts) = facts
            && facts.id != text
        {
            to.resolved = Some(facts.id);
        }
        Some(to.sent(Slot::Text(piece), true))
    }

    /// `None` after a fault; the facts, where there are look-ups.
    #[expect(clippy::option_option, reason = "a fault, or maybe facts")]
    fn judge(&self, reference: &str, to: &mut Judge<'_>) -> Option<Option<FileFacts>> {
        let Some(lookups) = to.lookups.filter(|lookups| lookups.knows_files()) else {
            to.unjudged = true;
            return Some(None);
        };
        let Some(facts) = lookups.file(reference) else {
            to.fault(Rule::File);
            return None;
        };
        let before = to.faults.len();
        self.judge_facts(&facts, to);
        (to.faults.len() == before).then_some(Some(facts))
    }

    fn judge_facts(&self, facts: &FileFacts, to: &mut Judge<'_>) {
        let is_image = facts.media_type.starts_with("image/");
        match self.data_type {
            DataType::Image if !is_image => return to.fault(Rule::Image),
            DataType::Video if !facts.media_type.starts_with("video/") => {
                return to.fault(Rule::Video);
            }
            _ => {}
        }
        let Media {
            size,
            width,
            height,
        } = self.limits;
        if let Some(max) = size.filter(|max| facts.size > *max) {
            to.fault(Rule::MaxSize(max));
        }
        if !is_image || (width.is_none() && height.is_none()) {
            return;
        }
        let (Some(wide), Some(high)) = (facts.width, facts.height) else {
            return to.fault(Rule::Unmeasured);
        };
        if let Some(max) = width.filter(|max| wide > *max) {
            to.fault(Rule::MaxWidth(max));
        }
        if let Some(max) = height.filter(|max| high > *max) {
            to.fault(Rule::MaxHeight(max));
        }
    }

    pub(super) fn judge_value(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        match value {
            Value::Text(reference) => {
                self.judge(reference, to);
            }
            _ => to.fault(Rule::File),
        }
    }
}
