//! Words about versions that no bump brings by itself: the board, one card with its story, what is ignored, and the message to
//! who can fix it.

use jiff::Timestamp;

use crate::desk::ability::Ability;
use crate::desk::intent::Intent;
use crate::desk::telling::stranded::{figures, message, no_message, title};
use crate::jobs::data::{DecideTask, Failure};
use crate::line::sheet::Sheet;
use crate::line::state::{LineMode, Reply};
use crate::print::output::Line;
use crate::print::text;
use crate::registry::Address;
use crate::registry::version::trim_v;
use crate::rules::amount::Form;
use crate::rules::decision;
use crate::rules::stranded::Card;

impl LineMode {
    /// `stranded`, `stranded WORD`, `stranded ADDRESS VERSION`, `message ADDRESS VERSION`: read out once it is read.
    pub(crate) fn stranded(&mut self, reply: &mut Reply, ability: Ability, rest: &str, now: Timestamp) {
        if ability == Ability::DraftMessage && subject(rest).is_none() {
            return reply.refuse("write message with an address and a version");
        }
        self.stranded_request = (ability, rest.to_owned());
        self.act(reply, Intent::ListStranded, now);
    }

    pub(crate) fn tell_stranded(&mut self, reply: &mut Reply, now: Timestamp) {
        let (ability, rest) = self.stranded_request.clone();
        let Some(board) = self.desk.stranded.board() else { return };
        if let Some((address, version)) = subject(&rest) {
            let Some(card) = board.find(&address, &version) else {
                let version = trim_v(&version);
                return reply.refuse(&format!(
                    "{version} of {address} is not stranded, or not known; triage says why"
                ));
            };
            let lines = match (ability, no_message(card)) {
                (Ability::DraftMessage, Some(why)) => return reply.refuse(&why),
                (Ability::DraftMessage, None) => {
                    let text = message(&[card]).map(|(title, body)| format!("{title}\n\n{body}"));
                    text.unwrap_or_default().lines().map(Line::of).collect()
                }
                _ => text::stranded_card(&self.ui, card, now),
            };
            return self.read(reply, Sheet::text(lines), now);
        }
        let wanted = rest.trim().to_lowercase();
        let cards: Vec<(&Card, bool)> = board
            .cards
            .iter()
            .filter(|card| fits(card, &wanted))
            .map(|card| (card, self.desk.stranded.is_new(card)))
            .collect();
        if cards.is_empty() && !wanted.is_empty() {
            return reply
                .refuse(&format!("nothing that is stranded has `{wanted}` in its address, column or cause"));
        }
        let new = cards.iter().filter(|(_, is_new)| *is_new).count();
        let mut lines = vec![Line::of(figures(board, new))];
        lines.extend(text::stranded(&self.ui, &cards, now));
        self.read(reply, Sheet::text(lines), now);
    }

    /// `ignore ADDRESS VERSION DATE WHY`.
    pub(crate) fn ignore(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) -> Result<(), Failure> {
        let mut parts = rest.splitn(4, char::is_whitespace).filter(|part| !part.is_empty());
        let (Some(address), Some(version), Some(until), Some(because)) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            reply.refuse("write ignore with an address, a version, a date or a length such as 90d, and why");
            return Ok(());
        };
        let address = self.listed().entry(address)?;
        match decision::ignoring(&[(address, trim_v(version).to_owned())], until, because, now) {
            Ok(decisions) => self.act(reply, Intent::Decide(DecideTask::Ignore(decisions)), now),
            Err(why) => reply.refuse(&why),
        }
        Ok(())
    }

    /// `unignore ADDRESS VERSION`.
    pub(crate) fn unignore(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) -> Result<(), Failure> {
        let Some((address, version)) = rest.split_once(char::is_whitespace) else {
            reply.refuse("write unignore with an address and a version");
            return Ok(());
        };
        let address = self.listed().entry(address)?;
        let these = vec![(address, trim_v(version.trim()).to_owned())];
        self.act(reply, Intent::Decide(DecideTask::TakeBack(these)), now);
        Ok(())
    }
}

/// `acme/rocket 1.1.0` or `acme/rocket@1.1.0`.
fn subject(rest: &str) -> Option<(Address, String)> {
    let (address, version) = rest.split_once('@').or_else(|| rest.split_once(char::is_whitespace))?;
    Some((Address::parse(address.trim()).ok()?, version.trim().to_owned()))
}

fn fits(card: &Card, wanted: &str) -> bool {
    card.column.name() == wanted
        || title(card.column).form(Form::Spoken).contains(wanted)
        || card.cause.words().contains(wanted)
        || card.address.to_string().to_lowercase().contains(wanted)
}
