//! The only way into the model: a message comes, the model changes, effects go out. Pure; it only routes.

use jiff::Timestamp;

use crate::settings::ColorDepth;
use crate::settings::Ground;
use crate::tui::chord::Chord;
use crate::tui::keymap;
use crate::tui::keymap::Command;
use crate::tui::keymap::Context;
use crate::tui::keymap::Meaning;
use crate::tui::layout;
use crate::tui::layout::Size;
use crate::tui::look;
use crate::tui::model::Model;
use crate::tui::model::Popup;
use crate::tui::model::Screen;
use crate::tui::model::Tone;
use crate::tui::mouse;
use crate::tui::mouse::Mouse;
use crate::tui::msg::Effect;
use crate::tui::msg::Msg;
use crate::tui::outside::Viewer;
use crate::tui::screens::diff;
use crate::tui::screens::entry;
use crate::tui::screens::inventory;
use crate::tui::screens::inventory::Sort;
use crate::tui::widgets::help;
use crate::tui::widgets::popup;
use crate::tui::widgets::strip::Paint;
use crate::tui::work;

/// Changes the model by what happened and says what to do outside.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    match msg {
        Msg::Tick(now) => tick(model, now),
        Msg::Resize(size) => resize(model, size),
        Msg::Paste(text) => paste(model, &text),
        Msg::Ground(ground) => follow(model, ground),
        Msg::Said(said) => model.say(said.tone, said.text),
        Msg::Mouse(event) => return point(model, event),
        Msg::Key(chord) => return press(model, chord),
        Msg::Job(id, event) => return work::happen(model, id, event),
    }
    Vec::new()
}

fn tick(model: &mut Model, now: Timestamp) {
    model.now = now;
    let page = inventory_page(model);
    model.inventory.arrange_in_time(now, page);
}

/// Rows of the list, whichever screen is seen.
pub(super) fn inventory_page(model: &Model) -> usize {
    usize::from(layout::inventory(model.size, model.inventory.preview).list.height).max(1)
}

fn resize(model: &mut Model, size: Size) {
    model.size = size;
    let page = inventory_page(model);
    model.inventory.settle(page);
    let rows = usize::from(layout::entry(size).list.height).max(1);
    if let Some(entry) = &mut model.entry {
        entry.settle(rows);
    }
    diff::act(model, Command::Redraw);
}

fn paste(model: &mut Model, text: &str) {
    if model.context() == Context::Filter {
        inventory::paste_into_filter(model, text);
    }
}

fn press(model: &mut Model, chord: Chord) -> Vec<Effect> {
    let context = model.context();
    if model.message.as_ref().is_some_and(|message| message.tone == Tone::Reply) {
        model.message = None;
    }
    model.pending.push(chord);
    match keymap::lookup(model, context, &model.pending) {
        Meaning::Begins => Vec::new(),
        Meaning::Does(command) => {
            model.pending.clear();
            run(model, context, command)
        }
        Meaning::Refused(label) => {
            model.pending.clear();
            refuse(model, chord, label);
            Vec::new()
        }
        Meaning::Nothing => {
            let begun = model.pending.len() > 1;
            model.pending.clear();
            if context == Context::Filter {
                inventory::type_into_filter(model, chord);
            } else if !begun && !context.is_overlay() {
                model.reply(format!("{chord} does nothing here; ? lists the keys"));
            }
            Vec::new()
        }
    }
}

fn refuse(model: &mut Model, chord: Chord, label: &str) {
    let text = match model.board.survey() {
        _ if Chord::parse("esc") == Some(chord) => {
            "nothing to step back from; q leaves the program".to_owned()
        }
        Some(job) if job.cancelling => "the survey is stopping".to_owned(),
        Some(_) => format!("{chord} ({label}) has to wait: a survey runs; x cancels it"),
        None => format!("{chord} ({label}) is not possible now"),
    };
    model.reply(text);
}

fn run(model: &mut Model, context: Context, command: Command) -> Vec<Effect> {
    match command {
        Command::Redraw => return vec![Effect::Redraw],
        Command::Suspend => return vec![Effect::Suspend],
        Command::Mouse => return mouse::toggle(model),
        Command::Interrupt => interrupt(model, context),
        _ => match context {
            Context::Filter => inventory::edit_filter(model, command),
            Context::Help => scroll_help(model, command),
            Context::Sort => sort_menu(model, command),
            Context::Leave => return leave(model, command),
            Context::Inventory | Context::Entry | Context::Diff => return on_screen(model, command),
        },
    }
    Vec::new()
}

/// Leaves a field or an overlay; at rest it says how to quit.
fn interrupt(model: &mut Model, context: Context) {
    if context == Context::Filter {
        inventory::edit_filter(model, Command::Interrupt);
    } else if model.popup.take().is_none() {
        model.reply("press q to quit");
    }
}

fn on_screen(model: &mut Model, command: Command) -> Vec<Effect> {
    match command {
        Command::Help => model.popup = Some(Popup::Help(model.context(), 0)),
        Command::Theme => next_theme(model),
        Command::Quit => return quit(model),
        Command::ShowInventory => return work::show_inventory(model),
        Command::Open => return work::open(model),
        Command::Build => return work::build(model),
        Command::SurveyThis => return work::survey_this(model),
        Command::SurveyShown => return work::survey_shown(model),
        Command::CancelJob => return work::cancel_survey(model),
        Command::Reload => return work::reload(model),
        Command::Browse => return work::browse(model),
        Command::Edit => return look::show(model, Viewer::Editor),
        Command::Page => return look::show(model, Viewer::Pager),
        Command::CopyAddress | Command::CopyUrl | Command::CopyPath | Command::CopyLine => {
            return work::copy(model, command);
        }
        Command::Back if model.screen != Screen::Inventory => return work::step_back(model),
        _ => match model.screen {
            Screen::Inventory => inventory::act(model, command),
            Screen::Entry => entry::act(model, command),
            Screen::Diff => diff::act(model, command),
        },
    }
    Vec::new()
}

fn next_theme(model: &mut Model) {
    model.theme = model.options.themes.after(&model.theme.name);
    model.options.follow = false;
    let depth = model.options.themes.depth();
    let shown = if depth == ColorDepth::None { "; colours are off (NO_COLOR or --color never)" } else { "" };
    model.reply(format!("theme {}{shown}", model.theme.name));
}

/// The terminal's background is known: the theme goes with it, unless somebody chose one.
fn follow(model: &mut Model, ground: Ground) {
    if model.options.follow {
        model.theme = model.options.themes.of_ground(ground);
    }
}

fn point(model: &mut Model, event: Mouse) -> Vec<Effect> {
    let context = model.context();
    let commands = mouse::commands(model, event);
    commands.into_iter().flat_map(|command| run(model, context, command)).collect()
}

fn quit(model: &mut Model) -> Vec<Effect> {
    if model.board.survey().is_some() {
        model.popup = Some(Popup::Leave);
        return Vec::new();
    }
    vec![Effect::Quit]
}

fn leave(model: &mut Model, command: Command) -> Vec<Effect> {
    model.popup = None;
    if command == Command::Accept { vec![Effect::Quit] } else { Vec::new() }
}

fn scroll_help(model: &mut Model, command: Command) {
    let inside = popup::inside(layout::help(model.size));
    let page = usize::from(inside.height).max(1);
    let Some(Popup::Help(context, at)) = model.popup.clone() else { return };
    let most = help::lines(&Paint::of(model), context, inside.width).len().saturating_sub(page);
    let to = match command {
        Command::Down => at + 1,
        Command::Up => at.saturating_sub(1),
        Command::PageDown => at + page,
        Command::PageUp => at.saturating_sub(page),
        _ => {
            model.popup = None;
            return;
        }
    };
    model.popup = Some(Popup::Help(context, to.min(most)));
}

fn sort_menu(model: &mut Model, command: Command) {
    let Some(Popup::Sort(at)) = model.popup else { return };
    let chosen = match command {
        Command::Down => return model.popup = Some(Popup::Sort(at.neighbour(1))),
        Command::Up => return model.popup = Some(Popup::Sort(at.neighbour(-1))),
        Command::Accept => Some(at),
        Command::SortStatus => Some(Sort::Status),
        Command::SortNewest => Some(Sort::Newest),
        Command::SortOldest => Some(Sort::Oldest),
        Command::SortAddress => Some(Sort::Address),
        _ => None,
    };
    model.popup = None;
    if let Some(sort) = chosen {
        let page = inventory_page(model);
        model.inventory.sort = sort;
        model.inventory.arrange(page);
        model.reply(format!("sorted by {}", sort.label()));
    }
}
