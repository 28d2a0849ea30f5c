//! How much an archive may ask of the memory and the time of whoever reads it.

/// Bounds for one archive. Whoever reads holds about 80 bytes an entry, the names, and a fixed few hundred KiB; at the end, while
/// names are sorted, about 200 bytes an entry and the names twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub entries: usize,
    /// All names together.
    pub name_bytes: usize,
    /// All contents together, unpacked.
    pub raw_bytes: u64,
    /// Unpacked for each packed byte, once there are `free_raw_bytes` of them.
    pub ratio: u64,
    pub free_raw_bytes: u64,
}

impl Default for Limits {
    /// Far above any provider: the largest unpack to less than 1 GiB, at about 4 to 1, from fewer than a thousand files.
    fn default() -> Self {
        Self {
            entries: 100_000,
            name_bytes: 8 << 20,
            raw_bytes: 4 << 30,
            ratio: 200,
            free_raw_bytes: 64 << 20,
        }
    }
}

/// Which bound an archive passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    #[error("it has more than {0} entries")]
    Entries(usize),
    #[error("its names take more than {0} bytes")]
    Names(usize),
    #[error("it unpacks to more than {0} bytes")]
    Raw(u64),
    #[error("it unpacks to more than {0} times its size")]
    Ratio(u64),
    #[error("its entries overlap so much that they hold more than twice its size")]
    Overlap,
}

impl Limits {
    pub(crate) fn check_listing(&self, entries: usize, name_bytes: usize) -> Result<(), Limit> {
        if entries > self.entries {
            return Err(Limit::Entries(self.entries));
        }
        if name_bytes > self.name_bytes {
            return Err(Limit::Names(self.name_bytes));
        }
        Ok(())
    }

    /// `body_bytes`: how much of the archive there is, so far.
    pub(crate) fn check_raw(&self, raw_bytes: u64, body_bytes: u64) -> Result<(), Limit> {
        if raw_bytes > self.raw_bytes {
            return Err(Limit::Raw(self.raw_bytes));
        }
        if raw_bytes > self.free_raw_bytes && raw_bytes > body_bytes.saturating_mul(self.ratio) {
            return Err(Limit::Ratio(self.ratio));
        }
        Ok(())
    }
}
