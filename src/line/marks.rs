//! Marks on rows, and what is kept between runs of them and of the views.

use jiff::Timestamp;

use crate::jobs::data::Failure;
use crate::line::listing::Listing;
use crate::line::state::{LineMode, Reply};
use crate::print::output::Line;
use crate::registry::Address;
use crate::rules::amount::counted;

impl LineMode {
    /// `3 5 8`, `3 to 8`, `shown`, `all`: marks rows, or takes their marks away.
    pub(crate) fn mark(
        &mut self,
        reply: &mut Reply,
        rest: &str,
        on: bool,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let list = &self.desk.list;
        let addresses = match (rest, on) {
            ("shown", _) => list.shown_addresses(),
            ("all", false) => list.marked(),
            ("", _) => {
                reply.refuse("write mark with numbers of the list: mark 3 5, mark 3 to 8, mark shown");
                return Ok(());
            }
            _ => numbered(self.listed(), rest)?,
        };
        let list = &mut self.desk.list;
        let before = list.mark_count();
        list.mark_all(&addresses, on);
        let marked = list.marked();
        let changed = marked.len().abs_diff(before);
        let all = counted(marked.len(), "entry");
        let verb = if on { "marked" } else { "unmarked" };
        reply.say(Line::of(format!("{changed} {verb}; {all} marked in all")));
        list.keeping.touch();
        self.keep(reply, now);
        Ok(())
    }

    /// Keeps what is to outlive this run; what was saved by hand is told once it is kept.
    pub(crate) fn keep(&mut self, reply: &mut Reply, now: Timestamp) {
        reply.start.extend(self.desk.keep(false, now));
    }
}

/// The rows of `3 5 8` or `3 to 8`, or one address.
fn numbered(listing: Listing<'_>, rest: &str) -> Result<Vec<Address>, Failure> {
    let words: Vec<&str> = rest.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    if let [from, "to", to] = words[..]
        && let (Ok(from), Ok(to)) = (from.parse::<usize>(), to.parse::<usize>())
    {
        // Both ends are looked up first, so that the rows between are as many as the list has.
        listing.numbered(from.min(to))?;
        listing.numbered(from.max(to))?;
        return (from.min(to)..=from.max(to)).map(|number| listing.numbered(number)).collect();
    }
    if words.iter().all(|word| word.parse::<usize>().is_ok()) {
        return words.iter().map(|word| listing.entry(word)).collect();
    }
    listing.entry(rest).map(|address| vec![address])
}
