//! What is wrong with a packed file, in sentences for who sends it: what libraries say of it is for programmers. What the disk or
//! the network says stays as it is.

use ruzstd::decoding::errors::{FrameDecoderError, FrameHeaderError, ReadFrameHeaderError};
use std::error::Error;
use std::io::{self, ErrorKind};

/// What is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    /// It ends in the middle.
    CutOff,
    /// It is not as it was packed.
    Spoiled,
    /// Something that is not packed stands behind what is.
    Behind,
    /// It takes a dictionary, which is not there.
    Dictionary,
    /// It takes more memory than it may.
    Window,
}

impl Damage {
    fn text(self) -> &'static str {
        match self {
            Damage::CutOff => "it is packed, and cut off before its end; send it whole",
            Damage::Spoiled => "it is packed, and damaged; pack it anew",
            Damage::Behind => {
                "something that is not packed stands behind what is; take it away, or pack all of it"
            }
            Damage::Dictionary => "it is packed with a dictionary; pack it without one",
            Damage::Window => "it is packed with too large a window; pack it with a smaller one",
        }
    }

    /// What gzip says of a file; whether it is of what stands behind a part that was whole.
    pub(crate) fn of_gzip(error: io::Error, is_behind: bool) -> io::Error {
        if error.raw_os_error().is_some() {
            return error;
        }
        match error.kind() {
            ErrorKind::UnexpectedEof => Damage::CutOff.into(),
            ErrorKind::InvalidInput | ErrorKind::InvalidData if is_behind => Damage::Behind.into(),
            ErrorKind::InvalidInput | ErrorKind::InvalidData => Damage::Spoiled.into(),
            _ => error,
        }
    }

    /// What zstd says of a file, likewise.
    pub(crate) fn of_zstd(error: &FrameDecoderError, is_behind: bool) -> io::Error {
        use FrameDecoderError as E;
        use ReadFrameHeaderError as R;
        let source = source_of(error);
        if let Some(code) = source.and_then(io::Error::raw_os_error) {
            return io::Error::from_raw_os_error(code);
        }
        let damage = match error {
            E::ReadFrameHeaderError(R::MagicNumberReadError(_) | R::BadMagicNumber(_))
                if is_behind =>
            {
                Damage::Behind
            }
            E::DictNotProvided { .. } => Damage::Dictionary,
            E::WindowSizeTooBig { .. }
            | E::FrameHeaderError(FrameHeaderError::WindowTooBig { .. })
            | E::FailedToInitialize(FrameHeaderError::WindowTooBig { .. }) => Damage::Window,
            _ => match source {
                Some(source) if source.kind() == ErrorKind::UnexpectedEof => Damage::CutOff,
                Some(source) => return io::Error::new(source.kind(), source.to_string()),
                None => Damage::Spoiled,
            },
        };
        damage.into()
    }
}

/// What the source of the bytes said, if it is behind an error.
fn source_of<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e io::Error> {
    let mut cause = Some(error);
    while let Some(found) = cause {
        if let Some(source) = found.downcast_ref() {
            return Some(source);
        }
        cause = found.source();
    }
    None
}

impl From<Damage> for io::Error {
    fn from(damage: Damage) -> Self {
        io::Error::new(ErrorKind::InvalidData, damage.text())
    }
}
