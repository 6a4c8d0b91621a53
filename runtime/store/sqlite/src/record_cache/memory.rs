//! Memory for what is kept only to be quicker: how much of it, and how it is laid out.

use memmap2::MmapMut;

/// What is kept without a setting: this part of the memory, and no more than the bytes below.
const PART: u64 = 8;
/// With what pages and connections take, a server of a million records is to stay below 200 MiB.
const BYTES_MAX: u64 = 32 << 20;

/// Bytes for records that were looked up, where nobody has said how many.
pub(in super::super) fn default_bytes() -> u64 {
    store::memory::part(PART, BYTES_MAX)
}

/// Zeroed memory. It is taken from the system as it is touched, on large pages where there are such: a place
/// that nobody looked at for a while costs its address more than its bytes.
pub(super) fn scattered(bytes: usize) -> Option<MmapMut> {
    let memory = MmapMut::map_anon(bytes).ok()?;
    // a system that knows no large pages goes on with small ones
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    Some(memory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_by_default_is_within_its_bounds() {
        let bytes = default_bytes();
        assert!((1 << 20..=BYTES_MAX).contains(&bytes), "{bytes}");
    }
}
