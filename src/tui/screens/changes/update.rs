//! What keys do to Changes: moving in tree and lines, and saying something about what is shown.

use crate::jobs::PlanMark;
use crate::registry::Address;
use crate::rules::amount::counted;
use crate::rules::plan::{Part, PieceId, Verb, Which};
use crate::tui::keymap::Command;
use crate::tui::layout::{Area, Class};
use crate::tui::model::{Model, Popup};
use crate::tui::msg::Effect;
use crate::tui::screens::changes::notes::write_note;
use crate::tui::screens::changes::parts::parts;
use crate::tui::screens::changes::review::Review;
use crate::tui::screens::changes::state::{At, Changes, Focus};
use crate::tui::widgets::ask::{Ask, Then};
use crate::tui::widgets::diff::{Room, ValueCard};
use crate::tui::{planning, views};

/// Whether this view does something of its own for a command.
pub(crate) fn is_own(command: Command) -> bool {
    moves(command)
        || in_lines_only(command)
        || matches!(
            command,
            Command::Mark
                | Command::Reject
                | Command::TakeBack
                | Command::Note
                | Command::Drop
                | Command::SurveyThis
                | Command::SurveyShown
                | Command::Open
                | Command::OtherPane
                | Command::OtherDown
                | Command::OtherUp
                | Command::NextFile
                | Command::PreviousFile
                | Command::Back
        )
}

fn moves(command: Command) -> bool {
    matches!(
        command,
        Command::Down
            | Command::Up
            | Command::Top
            | Command::Bottom
            | Command::HalfDown
            | Command::HalfUp
            | Command::PageDown
            | Command::PageUp
    )
}

fn in_lines_only(command: Command) -> bool {
    matches!(
        command,
        Command::NextHunk
            | Command::PreviousHunk
            | Command::Fold
            | Command::OpenFolds
            | Command::CloseFolds
            | Command::MoreContext
            | Command::LessContext
            | Command::Layout
            | Command::Left
            | Command::Right
            | Command::Wrap
            | Command::Filter
            | Command::NextWanting
            | Command::PreviousWanting
    )
}

/// Does what a key says.
pub(crate) fn act(model: &mut Model, command: Command) -> Vec<Effect> {
    let changes = &mut model.views.changes;
    match command {
        Command::Mark => approve(model),
        Command::Reject => answer(model, &Verb::Reject),
        Command::TakeBack => answer(model, &Verb::Reopen),
        Command::Note => write_note(model),
        Command::Drop | Command::SurveyThis | Command::SurveyShown => ask(model, command),
        Command::NextFile | Command::PreviousFile => {
            let by = if command == Command::NextFile { 1 } else { -1 };
            if !changes.step_file(by) {
                model.reply("no more files in this direction");
            }
            return planning::open_file(model);
        }
        Command::OtherPane => {
            changes.focus = if changes.in_lines() { Focus::Files } else { Focus::Lines };
        }
        Command::OtherDown => changes.evidence_scroll = (changes.evidence_scroll + 1).min(200),
        Command::OtherUp => changes.evidence_scroll = changes.evidence_scroll.saturating_sub(1),
        Command::Open if !changes.in_lines() => changes.focus = Focus::Lines,
        Command::Open => look_closer(model),
        Command::Back => return step_back(model),
        command if !changes.in_lines() && moves(command) => return move_in_tree(model, command),
        command => in_lines(model, command),
    }
    settle(model);
    Vec::new()
}

/// Keeps both windows around their cursors.
pub(crate) fn settle(model: &mut Model) {
    let parts = parts(model);
    let changes = &mut model.views.changes;
    changes.settle_tree(usize::from(parts.tree.height).max(1));
    if let Some(review) = &mut changes.review {
        review.pane.settle(Room::of(model.size, parts.lines));
    }
}

fn move_in_tree(model: &mut Model, command: Command) -> Vec<Effect> {
    let page = (usize::from(parts(model).tree.height) / 2).max(1) as isize;
    let changes = &mut model.views.changes;
    match command {
        Command::Down => changes.step(1),
        Command::Up => changes.step(-1),
        Command::HalfDown | Command::PageDown => changes.step(page),
        Command::HalfUp | Command::PageUp => changes.step(-page),
        Command::Top => changes.at = At::default(),
        _ => changes.at = At { file: changes.files().len().saturating_sub(1), piece: None },
    }
    let effects = planning::open_file(model);
    show_piece(model);
    settle(model);
    effects
}

/// Brings the change under the cursor of the tree into the lines.
fn show_piece(model: &mut Model) {
    let room = Room::of(model.size, parts(model).lines);
    let changes = &mut model.views.changes;
    let Some(piece) = changes.at.piece else { return };
    if let Some(review) = &mut changes.review
        && let Some(first) = review.first_line(piece)
    {
        review.pane.go_to_line(first, room);
    }
}

/// Puts the cursor where it was clicked; `below` tells how many lines under the top of an area that is.
pub(crate) fn click(model: &mut Model, below: impl Fn(Area) -> Option<usize>) {
    let parts = parts(model);
    if let Some(down) = below(parts.tree) {
        model.views.changes.focus = Focus::Files;
        model.views.changes.point_at(down);
        show_piece(model);
        return settle(model);
    }
    let room = Room::of(model.size, parts.lines);
    if let (Some(down), Some(review)) = (below(parts.lines), &mut model.views.changes.review) {
        review.pane.point_at(down, room);
        in_lines(model, Command::Redraw);
    }
}

/// Does what only concerns the lines; the cursor of the tree follows.
fn in_lines(model: &mut Model, command: Command) {
    model.views.changes.focus = Focus::Lines;
    let room = Room::of(model.size, parts(model).lines);
    let Changes { review: Some(review), at, planned, .. } = &mut model.views.changes else { return };
    let said = review.pane.act(command, room);
    let pieces = planned.files().get(at.file).map_or(&[][..], |file| &file.pieces);
    let line = review.pane.line();
    at.piece = review.piece_at(line).or_else(|| {
        let is_rest = review.pane.lines().is_some_and(|lines| is_outside(lines, line));
        pieces.iter().position(|piece| piece.part == Part::Rest).filter(|_| is_rest)
    });
    if let Some(said) = said {
        model.reply(said);
    }
}

/// Whether a line is a change outside the versions.
fn is_outside(lines: &crate::rules::diff::Lines, line: u32) -> bool {
    let line = lines.lines.get(line as usize);
    line.is_some_and(|line| {
        lines
            .blocks
            .get(line.block as usize)
            .is_some_and(|block| block.kind == crate::rules::diff::BlockKind::Other)
    })
}

fn look_closer(model: &mut Model) {
    let card = model.views.changes.review.as_ref().and_then(|review| ValueCard::of(&review.pane));
    match card {
        Some(card) => model.popup = Some(Popup::Value(card)),
        None => in_lines(model, Command::Open),
    }
}

/// Out of a search, then out of the lines, then to the Inventory.
fn step_back(model: &mut Model) -> Vec<Effect> {
    let changes = &mut model.views.changes;
    if let Some(review) = changes.review.as_mut().filter(|review| !review.pane.search.text().is_empty()) {
        review.pane.search = crate::tui::widgets::search::Search::default();
    } else if changes.in_lines() {
        changes.focus = Focus::Files;
        settle(model);
    } else {
        return views::go_home(model);
    }
    Vec::new()
}

/// What is meant: the change under the cursor, or the whole file.
fn target(changes: &Changes) -> Option<(Address, Which, String)> {
    let file = changes.file()?;
    let (which, name) = match changes.piece() {
        Some(piece) => (Which::Piece(piece.id.clone()), piece_name(&piece.part)),
        None => (Which::Whole, file.address.to_string()),
    };
    Some((file.address.clone(), which, name))
}

pub(super) fn piece_name(part: &Part) -> String {
    match part {
        Part::Version(version) => version.clone(),
        Part::Rest => "the rest of the file".to_owned(),
    }
}

/// Approves what is shown, if it was looked at and no fold hides a difference of it at this moment.
fn approve(model: &mut Model) {
    let changes = &model.views.changes;
    let hidden = changes.open_review().map_or(0, |review| hidden_differences(review, changes));
    if hidden > 0 {
        let what = format!("{} unlike the others", counted(hidden, "target"));
        let key = model.key(Command::OpenFolds);
        model.reply(format!("not approved: a fold hides {what}; {key} opens all folds"));
        return;
    }
    answer(model, &Verb::Approve);
}

fn hidden_differences(review: &Review, changes: &Changes) -> usize {
    let all = changes.file().map_or(0, |file| file.pieces.len());
    let meant = changes.at.piece.map_or(0..all, |piece| piece..piece + 1);
    meant.map(|piece| review.folded_odd(piece)).sum()
}

/// Says something about what is under the cursor.
fn answer(model: &mut Model, verb: &Verb) {
    let changes = &mut model.views.changes;
    let Some((address, which, name)) = target(changes) else { return };
    let Some(file) = changes.file() else { return };
    let ids: Vec<PieceId> = match file.answer(&which, verb) {
        Ok(marks) => marks.into_iter().map(|(id, _)| id).collect(),
        Err(refusal) => return model.reply(refusal.text()),
    };
    if ids.is_empty() {
        let word = match verb {
            Verb::Approve => "approved already",
            Verb::Reject => "rejected already",
            _ => "there is no answer to take back",
        };
        return model.reply(format!("{name}: {word}"));
    }
    for id in ids {
        changes.planned.say(PlanMark {
            address: address.clone(),
            which: Which::Piece(id),
            verb: verb.clone(),
        });
    }
    move_on(model, verb);
    let key = model.key(Command::TakeBack);
    model.views.changes.planned.pending.words = Some(match verb {
        Verb::Approve => format!("approved {name}; {key} takes it back"),
        Verb::Reject => format!("rejected {name}: left out of what would be sent; {key} takes it back"),
        _ => format!("{name} waits for an answer again"),
    });
    if model.board.building().is_some() {
        model.reply(format!("{name}: said once the build that runs is over"));
    }
}

/// After an answer the cursor goes to the next change without one; at the last it stays.
fn move_on(model: &mut Model, verb: &Verb) {
    if *verb == Verb::Reopen {
        return;
    }
    let changes = &mut model.views.changes;
    let Some(here) = changes.at.piece else { return };
    let waits = |piece: &crate::rules::plan::Piece| piece.mark.answer == crate::rules::plan::Answer::Open;
    let next = changes.file().and_then(|file| {
        let mut after = file.pieces.iter().enumerate().skip(here + 1);
        after.find(|(_, piece)| waits(piece)).map(|(place, _)| place)
    });
    if next.is_some() {
        changes.at.piece = next;
        show_piece(model);
    }
}

/// Asks before a planned file is built in place of what was looked at.
pub(crate) fn ask_to_build_again(model: &mut Model, address: Address) {
    let says = vec![
        format!("{address} is built again on the registry and upstream as they are now."),
        "Changes that stay the same keep their marks; others are looked at again.".into(),
    ];
    let then = Then::BuildAgain(address);
    model.popup = Some(Popup::Ask(Ask { title: "Build again?".into(), says, yes: "build it", then }));
}

/// Asks before files are taken out or built anew.
fn ask(model: &mut Model, command: Command) {
    let Some(file) = model.views.changes.file() else { return };
    let address = file.address.clone();
    let answered =
        file.pieces.iter().filter(|piece| piece.mark != crate::rules::plan::Mark::default()).count();
    let (title, says, yes, then) = match command {
        Command::Drop => {
            let mut says = vec![format!("{address} is taken out of the plan. No data file changes.")];
            if answered > 0 {
                let marks = counted(answered, "change");
                says.push(format!("What you said about {marks} is forgotten with it."));
            }
            ("Take out of the plan?", says, "take it out", Then::Drop(vec![address]))
        }
        Command::SurveyThis => return ask_to_build_again(model, address),
        _ => {
            let count = counted(model.views.changes.files().len(), "file");
            let says = vec![
                format!(
                    "All of the plan, {count}, is built again on the registry and upstream as they are now."
                ),
                "Changes that stay the same keep their marks; others are looked at again.".into(),
            ];
            ("Build the plan again?", says, "build all", Then::BuildAll)
        }
    };
    model.popup = Some(Popup::Ask(Ask { title: title.into(), says, yes, then }));
}

/// What stands on the screen counts as looked at; whether something of it is new. Asked after a frame was drawn.
pub(crate) fn look(model: &mut Model) -> bool {
    let parts = parts(model);
    if parts.lines.is_empty() || model.size.class() == Class::Tiny || !model.is_loaded() {
        return false;
    }
    let room = Room::of(model.size, parts.lines);
    let Changes { review: Some(review), at, planned, .. } = &mut model.views.changes else { return false };
    let Some(file) = planned.files().get(at.file) else { return false };
    if file.address != review.address || !review.is_of(file) {
        return false;
    }
    let rows = review.pane.on_screen(room);
    let seen = review.look(&rows, &file.pieces);
    let address = file.address.clone();
    let is_new = !seen.is_empty();
    for id in seen {
        let mark = PlanMark { address: address.clone(), which: Which::Piece(id), verb: Verb::See };
        model.views.changes.planned.say(mark);
    }
    model.views.changes.planned.drop_looks();
    is_new
}
