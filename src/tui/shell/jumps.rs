//! The places that one jumped away from, and the way back to them.

use crate::tui::views::Jump;

const MOST: usize = 100;

/// The way back, the newest place last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jumps(Vec<Jump>);

impl Jumps {
    /// Notes a place before something jumps away from it.
    pub(crate) fn push(&mut self, place: Jump) {
        if self.0.last() != Some(&place) {
            self.0.push(place);
        }
        if self.0.len() > MOST {
            self.0.remove(0);
        }
    }

    /// The last place that is not this one.
    pub(crate) fn back_from(&mut self, here: Option<&Jump>) -> Option<Jump> {
        loop {
            let place = self.0.pop()?;
            if Some(&place) != here {
                return Some(place);
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Address;
    use crate::tui::keymap::ViewId;

    #[test]
    fn the_way_back_skips_where_one_is() {
        let place = |name: &str| Jump {
            screen: ViewId::Inventory,
            address: Address::provider("n", name),
            filter: String::new(),
        };
        let mut jumps = Jumps::default();
        for name in ["a", "b", "b", "c"] {
            jumps.push(place(name));
        }
        assert_eq!(jumps.back_from(Some(&place("c"))), Some(place("b")));
        assert_eq!(jumps.back_from(None), Some(place("a")));
        assert_eq!(jumps.back_from(None), None);
        for at in 0..300 {
            jumps.push(place(&at.to_string()));
        }
        assert_eq!(jumps.0.len(), MOST);
    }
}
