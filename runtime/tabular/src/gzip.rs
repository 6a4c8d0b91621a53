//! What a gzip file holds: one part after the other, for programs that pack in parallel write many. Zeros behind the last one, as
//! tapes and block devices have them, are its end.

use crate::damage::Damage;
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

/// What every part begins with.
const FIRST_BYTE: u8 = 0x1F;

/// Unpacks part after part.
pub(crate) struct GzipParts {
    decoder: GzDecoder<Box<dyn BufRead + Send>>,
    is_first: bool,
    has_ended: bool,
}

impl GzipParts {
    pub(crate) fn new(source: Box<dyn BufRead + Send>) -> Self {
        GzipParts {
            decoder: GzDecoder::new(source),
            is_first: true,
            has_ended: false,
        }
    }

    /// Begins the next part; `false` where there is none.
    fn begin_next(&mut self) -> io::Result<bool> {
        let source = self.decoder.get_mut();
        let mut has_zeros = false;
        loop {
            let held = source.fill_buf()?;
            let Some(first) = held.first() else {
                return Ok(false);
            };
            if *first == FIRST_BYTE && !has_zeros {
                break;
            }
            if *first != 0 {
                return Err(Damage::Behind.into());
            }
            let zeros = held.iter().take_while(|byte| **byte == 0).count();
            has_zeros = true;
            source.consume(zeros);
        }
        let source = std::mem::replace(source, Box::new(io::empty()));
        self.decoder.reset(source);
        self.is_first = false;
        Ok(true)
    }
}

impl Read for GzipParts {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() || self.has_ended {
            return Ok(0);
        }
        loop {
            let count = self.decoder.read(into).map_err(|error| {
                let is_behind = !self.is_first && self.decoder.header().is_none();
                Damage::of_gzip(error, is_behind)
            })?;
            if count > 0 {
                return Ok(count);
            }
            if !self.begin_next()? {
                self.has_ended = true;
                return Ok(0);
            }
        }
    }
}
