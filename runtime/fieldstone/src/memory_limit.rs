//! The least of addresses that a server begins with. What it may take of memory stands in its settings.

use anyhow::bail;

/// With fewer, stacks of threads and what the allocator keeps aside leave too little, and a server would end in the middle.
const ADDRESSES_MIN: u64 = 1000 << 20;

/// Refuses to begin where the system lets this process have too few addresses.
pub(crate) fn check() -> anyhow::Result<()> {
    let limit = store::memory::address_space();
    if let Some(bytes) = limit.filter(|bytes| *bytes < ADDRESSES_MIN) {
        bail!(
            "this process may have {} MiB of addresses, and a server needs {}; raise the limit (`ulimit -v`, `LimitAS=` of a unit), and bound its memory by a control group (`MemoryMax=`)",
            bytes >> 20,
            ADDRESSES_MIN >> 20
        );
    }
    Ok(())
}
