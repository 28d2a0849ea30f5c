//! The only way into the model: a message comes, the model changes, effects go out. Pure; it only routes.

use std::time::Duration;

use jiff::Timestamp;

use crate::desk::ability::{Ability, AbilityKind};
use crate::desk::intent::Intent;
use crate::rules::memory::Divider;
use crate::settings::{ColorDepth, Ground};
use crate::tui::base::layout::{Class, Size, Window};
use crate::tui::keymap::chord::{Chord, Key};
use crate::tui::keymap::mouse::Mouse;
use crate::tui::keymap::{Command, Context, Meaning, VIEW_NUMBERS, VIEWS, is_pasted, is_text, shown};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::outside::Viewer;
use crate::tui::shell::views::Views;
use crate::tui::shell::{
    availability, copying, editor, events, forms, keeping, mouse, places, planning, requests, triaging, work,
};
use crate::tui::views::inventory::{Listed, ViewList};
use crate::tui::views::{ActionContext, FieldInput, View};
use crate::tui::widgets::card::TextCard;
use crate::tui::widgets::diff::ValueCard;
use crate::tui::widgets::field::Field;
use crate::tui::widgets::help::HelpPage;
use crate::tui::widgets::message::{Message, Tone};
use crate::tui::widgets::palette::Palette;
use crate::tui::widgets::table::MenuReply;
use crate::tui::widgets::{help, palette};

/// The answer to a pasted text that nothing takes.
const DROPPED: &str = "a pasted text was dropped: no field is open";

/// Changes the model by what happened and says what to do outside.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let mut effects = Vec::new();
    match msg {
        // Whoever tells the time before each message takes no effects of it.
        Msg::Tick { now, uptime } => {
            tick(model, now, uptime);
            return effects;
        }
        Msg::Resize(size) => resize(model, size),
        Msg::Paste(text) => paste(model, &text),
        Msg::Ground(ground) => follow(model, ground),
        Msg::ProgramReplied(reply) => model.say(reply.tone, reply.text),
        Msg::Edited(text) => forms::edited(model, text),
        Msg::Mouse(event) => effects = point(model, event),
        Msg::Key(chord) => effects = press(model, chord),
        Msg::Keys(chords) => effects = press_all(model, &chords),
        Msg::Job(id, event) => effects = events::happen(model, id, event),
        Msg::Drawn => {
            effects = planning::look(model);
            let count = model.desk.count_activity(model.now);
            effects.extend(count.map(|(id, job)| Effect::Start(id, job)));
            return effects;
        }
        Msg::Continued => forms::end_arming(model),
        Msg::Keep { leaving } => return keeping::keep(model, leaving),
    }
    effects.extend(planning::follow(model));
    effects
}

fn tick(model: &mut Model, now: Timestamp, uptime: Duration) {
    model.desk.arming.tell(now);
    (model.now, model.uptime, model.desk.list.now) = (now, uptime, now);
    let effects = requests::with_each_view(model, |view, context| view.tick(context));
    debug_assert!(effects.is_empty(), "time alone starts nothing");
}

fn resize(model: &mut Model, size: Size) {
    model.size = size;
    for row in &VIEWS {
        model.settle(row.id);
    }
}

/// Pasted text goes into the field that is open, and nowhere else.
fn paste(model: &mut Model, text: &str) {
    model.keys.pending.clear();
    if !model.context().has_field() {
        model.reply(DROPPED);
    } else if is_in_view(model) {
        let effects = edit_in_view(model, FieldInput::Paste(text)).0;
        debug_assert!(effects.is_empty(), "a pasted text only changes a field");
    } else if let Some(Popup::Form(form)) = &mut model.popup {
        if !form.edit(|field| field.paste(text)) {
            let key = model.keys.bindings.first(Context::Form, Command::NextField);
            model.reply(format!(
                "a pasted text was dropped: this field takes none; {key} goes to the next field"
            ));
        }
    } else {
        edit_popup(model, |field| field.paste(text));
    }
}

/// Returns true if the open field is one of the view that is seen.
fn is_in_view(model: &Model) -> bool {
    model.popup.is_none() && model.seen().and_then(View::field).is_some()
}

/// Changes the open field of the view that is seen; false for a command that means nothing there.
fn edit_in_view(model: &mut Model, input: FieldInput<'_>) -> (Vec<Effect>, bool) {
    let mut is_done = false;
    let effects = requests::with_view(model, |view, context| is_done = view.edit_field(context, input));
    (effects, is_done)
}

/// Takes a key as text of the field that is open.
fn type_into(model: &mut Model, chord: Chord) -> Vec<Effect> {
    if is_in_view(model) {
        return edit_in_view(model, FieldInput::Key(chord)).0;
    }
    if let Some(Popup::Form(form)) = &mut model.popup {
        form.take(chord);
        return Vec::new();
    }
    edit_popup(model, |field| {
        field.take(chord);
    });
    Vec::new()
}

/// Changes the field of the palette or of the help page. Another text is another search, which begins at its top.
fn edit_popup(model: &mut Model, change: impl FnOnce(&mut Field)) {
    let (field, place) = match &mut model.popup {
        Some(Popup::Palette(palette)) => (&mut palette.field, &mut palette.at),
        Some(Popup::Help(page)) => (&mut page.field, &mut page.from),
        _ => return,
    };
    let before = field.text().to_owned();
    change(field);
    if field.text() != before {
        *place = 0;
    }
}

/// Takes the keys of one read. Several different letters at once are a pasted text: outside a field, one that begins with the key
/// of a filter or of the palette is typed into that field, and any other is dropped.
fn press_all(model: &mut Model, chords: &[Chord]) -> Vec<Effect> {
    let context = model.context();
    if let Some(Popup::Form(form)) = &model.popup {
        let is_typed = |chord: &Chord| chord.typed().is_some();
        // A word and its Enter: the hand that accepts a form waits for what it wrote to be seen.
        let is_line =
            form.takes_text() && chords.len() > 1 && chords.iter().any(is_typed) && chords.contains(&ENTER);
        if is_line || is_pasted(chords) {
            paste_keys(model, chords);
            return Vec::new();
        }
    }
    if !is_pasted(chords) {
        let mut effects = Vec::new();
        for chord in chords {
            // Digits with few different letters are pasted too.
            if *chord == ENTER && chords.len() > 1 && model.context() == Context::Digits {
                model.reply(PASTED_ENTER);
            } else {
                effects.extend(press(model, *chord));
            }
        }
        return effects;
    }
    if context.has_field() {
        return type_up_to_enter(model, chords);
    }
    model.keys.pending.clear();
    if !model.keys.bindings.opens_search(context, chords[0]) {
        model.reply(DROPPED);
        return Vec::new();
    }
    let mut effects = press(model, chords[0]);
    if model.context().has_field() {
        effects.extend(type_up_to_enter(model, &chords[1..]));
    } else if let Some(message) = &mut model.message {
        message.text.push_str("; the pasted text was dropped");
    }
    effects
}

/// The key that accepts a form.
const ENTER: Chord = Chord::plain(Key::Enter);

/// Takes the keys of a pasted text into the field of a form, as far as they are text. They neither accept the form nor leave the
/// field: a field of one line takes the first line.
fn paste_keys(model: &mut Model, chords: &[Chord]) {
    let is_in_text = matches!(&model.popup, Some(Popup::Form(form)) if form.is_in_text());
    let letter = |chord: &Chord| match chord.key {
        Key::Enter if is_in_text => Some('\n'),
        Key::Tab => Some(' '),
        _ => chord.typed(),
    };
    let text: String = chords.iter().map_while(letter).collect();
    let rest = &chords[text.chars().count()..];
    let takes_text = matches!(&model.popup, Some(Popup::Form(form)) if form.takes_text());
    paste(model, &text);
    match rest {
        _ if !takes_text => {}
        [] => {}
        [one] if *one == ENTER => model.reply(PASTED_ENTER),
        _ => model.reply(
            "a field of a form takes the text up to its first line break or key; the rest was dropped",
        ),
    }
}

/// The answer to an Enter that came with a pasted text.
const PASTED_ENTER: &str = "a pasted Enter does not count: press Enter";

/// Types a pasted text into the open field, up to its Enter, and drops the rest. A command of the palette and the digits that
/// confirm a sending wait for an Enter of their own.
fn type_up_to_enter(model: &mut Model, chords: &[Chord]) -> Vec<Effect> {
    let mut effects = Vec::new();
    let mut rest = chords.iter();
    while model.context().has_field() {
        let Some(chord) = rest.next() else { return effects };
        if *chord != ENTER {
            effects.extend(press(model, *chord));
            continue;
        }
        if matches!(model.context(), Context::Palette | Context::Digits) {
            model.reply(PASTED_ENTER);
        } else {
            effects.extend(press(model, ENTER));
        }
        break;
    }
    if rest.next().is_some() {
        model.reply("what was pasted after the field closed was dropped");
    }
    effects
}

/// Takes a key. After a field that did not open, letters do nothing until Esc.
fn press(model: &mut Model, chord: Chord) -> Vec<Effect> {
    let context = model.context();
    if std::mem::take(&mut model.keys.swallows) && !context.has_field() {
        if is_text(chord) {
            model.keys.swallows = true;
            return Vec::new();
        }
        if chord == Chord::plain(Key::Esc) {
            model.message = None;
            return Vec::new();
        }
    }
    if model.message.as_ref().is_some_and(|message| message.is_over(model.uptime)) {
        model.message = None;
    }
    model.keys.pending.push(chord);
    let asks_for_field =
        !context.is_overlay() && model.keys.bindings.asks_for_field(context, &model.keys.pending);
    let (screen, said_at) = (model.screen, model.message.as_ref().map(|message| message.at));
    let effects = do_pressed(model, context, chord);
    // `2 shows it` was heeded, and what is seen now says more. A warning stays until it could be read.
    let is_old = |message: &Message| message.tone == Tone::Notice && said_at == Some(message.at);
    if model.screen != screen && model.message.as_ref().is_some_and(is_old) {
        model.message = None;
    }
    // A key that did something else instead is no refusal.
    let was_refused = effects.is_empty() && model.screen == screen && !model.context().has_field();
    if asks_for_field
        && was_refused
        && !model.keys.swallows
        && let Some(message) = model.message.as_mut().filter(|message| message.at == model.uptime)
    {
        model.keys.swallows = true;
        message.text.push_str("; letters do nothing until Esc");
    }
    effects
}

fn do_pressed(model: &mut Model, context: Context, chord: Chord) -> Vec<Effect> {
    // In a text of several lines Enter begins a new one, whatever it is bound to.
    if chord == ENTER && matches!(&model.popup, Some(Popup::Form(form)) if form.is_in_text()) {
        model.keys.pending.clear();
        return type_into(model, chord);
    }
    let meaning = model.keys.bindings.lookup(
        &|command| availability::check(model, command),
        context,
        &model.keys.pending,
    );
    if meaning == Meaning::Begins {
        return Vec::new();
    }
    let pressed = std::mem::take(&mut model.keys.pending);
    match meaning {
        Meaning::Does(command) if model.size.class() == Class::Tiny && !is_blind(context, command) => {
            model.reply("the window is too small to see what that is about; make it 40x12 or larger");
        }
        Meaning::Does(command) => return run(model, context, command),
        Meaning::Refused(why) => model.reply(format!("{}: {why}", shown(&pressed))),
        // The key that breaks a sequence off does nothing else.
        _ if pressed.len() > 1 => {}
        _ if context.has_field() => return type_into(model, chord),
        _ if let Some(says) = stray_key(model, context, chord) => {
            model.reply(format!("{says}; letters do nothing until Esc"));
            model.keys.swallows = true;
        }
        // The number of a view that does not exist.
        _ if matches!(chord.key, Key::Char(c) if VIEW_NUMBERS.contains(&c)) => {}
        _ if !context.is_overlay() => {
            let (help, palette) = (model.key(Command::Help), model.key(Command::Palette));
            model.reply(format!("{chord} does nothing here; {help} lists the keys, {palette} finds actions"));
        }
        _ => {}
    }
    Vec::new()
}

/// The answer of the view to a key that means nothing there.
fn stray_key(model: &Model, context: Context, chord: Chord) -> Option<String> {
    let view = model.seen().filter(|_| !context.is_overlay())?;
    view.stray_key(&model.paint(), chord)
}

/// Returns true for commands that may be done where one line is all that is drawn: they leave something or the program, or stop
/// a job. Nobody agrees to what is not seen.
fn is_blind(context: Context, command: Command) -> bool {
    let leaves = matches!(command, Command::Back | Command::Close | Command::Interrupt);
    let around = matches!(command, Command::Redraw | Command::Suspend | Command::Mouse);
    let ends = matches!(command, Command::Do(ability) if ability == Ability::Leave || ability.row().kind == AbilityKind::Cancels);
    leaves || around || ends || context == Context::Leave
}

fn run(model: &mut Model, context: Context, command: Command) -> Vec<Effect> {
    match command {
        Command::Redraw => return vec![Effect::Redraw],
        Command::Suspend => {
            forms::end_arming(model);
            return vec![Effect::Suspend];
        }
        Command::Mouse => return mouse::toggle(model),
        Command::Interrupt if context == Context::Triage => return triaging::close(model),
        Command::Interrupt => return interrupt(model),
        _ => match context {
            Context::Filter | Context::Search | Context::Digits | Context::NewBackfill => {
                return edit_in_view(model, FieldInput::Command(command)).0;
            }
            Context::Help => help_page(model, command),
            Context::Palette => return choose(model, command),
            Context::Sort => return sort_menu(model, command),
            Context::Views => return view_list(model, command),
            Context::DropView => return drop_view(model, command),
            Context::Leave => return leave(model, command),
            Context::Ask => return answer(model, command),
            Context::Value => value_card(model, command),
            Context::Triage => return triaging::key(model, command),
            Context::Form => return forms::act(model, command),
            Context::View(_) => return on_screen(model, command),
        },
    }
    Vec::new()
}

/// Leaves a field or an overlay; at rest it says how to quit.
fn interrupt(model: &mut Model) -> Vec<Effect> {
    if is_in_view(model) {
        let (effects, is_done) = edit_in_view(model, FieldInput::Command(Command::Interrupt));
        if is_done {
            return effects;
        }
    }
    if model.popup.take().is_none() {
        model.reply(format!("press {} to quit", model.key(Ability::Leave)));
    }
    Vec::new()
}

fn on_screen(model: &mut Model, command: Command) -> Vec<Effect> {
    match command {
        Command::Help => {
            let legend = model.seen().map(View::legend).unwrap_or_default();
            model.popup = Some(Popup::Help(HelpPage::new(model.view_context(), legend)));
        }
        Command::Palette => model.popup = Some(Popup::Palette(Palette::new(model.view_context()))),
        Command::Theme => next_theme(model),
        Command::DividerBack => move_divider(model, -1),
        Command::DividerOn => move_divider(model, 1),
        Command::Zoom => divide(model, |divider| divider.is_zoomed = !divider.is_zoomed),
        Command::Do(Ability::Leave) => return work::act(model, Intent::Leave),
        Command::Show(id) => return places::show(model, id),
        Command::JumpBack => return places::jump_back(model),
        _ => return in_view(model, command),
    }
    Vec::new()
}

/// Lets the view that is seen do a command. Other commands are about the selection, or about a job that runs: the desk makes the
/// intent of an ability, unless the console opens a field first or has an answer of its own.
fn in_view(model: &mut Model, command: Command) -> Vec<Effect> {
    let mut is_done = false;
    let effects = requests::with_view(model, |view, context| is_done = view.act(context, command));
    if is_done {
        return effects;
    }
    match command {
        Command::Do(Ability::Arm) => forms::ask_arming(model),
        Command::Do(Ability::Block) => forms::ask_blocking(model),
        Command::Do(Ability::Backfill) => return places::ask_backfill(model),
        Command::Do(Ability::Dispatch) => forms::ask_machines(model),
        Command::Do(ability @ (Ability::Verify | Ability::VerifyRest)) => {
            return work::verify(model, ability);
        }
        Command::Do(Ability::Build) => return work::build(model),
        Command::Do(Ability::Survey) => return work::survey_this(model),
        Command::Do(Ability::CancelSurvey) => return work::cancel_survey(model),
        Command::Do(Ability::Browse) => return work::browse(model),
        Command::Edit => return editor::show(model, Viewer::Editor),
        Command::Page => return editor::show(model, Viewer::Pager),
        Command::CopyAddress | Command::CopyUrl | Command::Do(Ability::CopyPath) | Command::CopyLine => {
            return work::copy(model, command);
        }
        Command::Do(ability) => return work::perform(model, ability),
        Command::CopyMarkdown | Command::CopyJson => return copying::copy(model, command),
        Command::Back => return work::step_back(model),
        _ => {}
    }
    Vec::new()
}

/// Moves the divider between the panes of the current view.
fn move_divider(model: &mut Model, by: i8) {
    let most = Window::MOST_STEPS;
    let now = model.divider(model.screen).steps;
    let to = (now + by).clamp(-most, most);
    if to == now {
        return model.reply("the divider goes no further");
    }
    divide(model, |divider| divider.steps = to);
}

/// Changes how the panes of the current view share its room, now and at the next start.
fn divide(model: &mut Model, change: impl FnOnce(&mut Divider)) {
    let name = model.screen.row().name;
    change(model.desk.list.dividers.entry(name.to_owned()).or_default());
    model.desk.list.keeping.touch();
    model.settle(model.screen);
}

fn next_theme(model: &mut Model) {
    model.theme = model.options.themes.after(&model.theme.name);
    model.options.follow = false;
    model.desk.list.theme = Some(model.theme.name.clone());
    model.desk.list.keeping.touch();
    let depth = model.options.themes.depth();
    let shown = if depth == ColorDepth::None { "; colours are off (NO_COLOR or --color never)" } else { "" };
    let lasts = match &model.options.theme {
        Some(named) => format!(" until you leave: the settings name {named}"),
        None => ", also at the next start".into(),
    };
    model.reply(format!("theme {}{lasts}{shown}", model.theme.name));
}

/// The terminal's background is known: the theme goes with it, unless somebody chose one.
fn follow(model: &mut Model, ground: Ground) {
    if model.options.follow {
        model.theme = model.options.themes.of_ground(ground);
    }
}

fn point(model: &mut Model, event: Mouse) -> Vec<Effect> {
    let context = model.context();
    match mouse::action(model, event) {
        mouse::MouseAction::Commands(commands) => {
            commands.into_iter().flat_map(|command| run(model, context, command)).collect()
        }
        mouse::MouseAction::Done(effects) => effects,
    }
}

fn leave(model: &mut Model, command: Command) -> Vec<Effect> {
    model.popup = None;
    if command == Command::Accept { vec![Effect::Quit] } else { Vec::new() }
}

/// Does what was asked about, or not.
fn answer(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(Popup::Ask(ask)) = model.popup.take() else { return Vec::new() };
    if command == Command::Accept { work::agree(model, &ask.intent) } else { Vec::new() }
}

/// Lets an overlay of the Inventory do something, and says what it has to say.
fn with_views<T>(model: &mut Model, act: impl FnOnce(&mut Views, &mut ActionContext<'_>) -> T) -> T {
    let (mut context, views) = model.action_context();
    let result = act(views, &mut context);
    let requests = context.requests;
    let effects = requests::apply_all(model, requests);
    debug_assert!(effects.is_empty(), "an overlay of the Inventory only says something");
    result
}

fn sort_menu(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(Popup::Sort(at)) = model.popup.take() else { return Vec::new() };
    let menu = model.seen().map(|view| view.sort_menu(&model.desk)).unwrap_or_default();
    match menu.act(at, command) {
        MenuReply::At(at) => model.popup = Some(Popup::Sort(at)),
        MenuReply::Chosen(line) => {
            return requests::with_view(model, |view, context| view.sort_by(context, line));
        }
        MenuReply::Closed => {}
    }
    Vec::new()
}

fn view_list(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(Popup::Views(list)) = model.popup.take() else { return Vec::new() };
    let listed = with_views(model, |views, context| views.view_list(context, list, command));
    match listed {
        Listed::Stays(list) => model.popup = Some(Popup::Views(list)),
        Listed::Drop(list, name) => {
            model.popup = Some(Popup::Views(list));
            return work::act(model, Intent::DeleteView(name));
        }
        Listed::Closed => {}
    }
    Vec::new()
}

fn drop_view(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(Popup::DropView(question)) = model.popup.take() else { return Vec::new() };
    let effects = if command == Command::Accept { work::agree(model, &question.intent) } else { Vec::new() };
    model.popup = Some(Popup::Views(ViewList::of(&model.desk.list)));
    effects
}

fn value_card(model: &mut Model, command: Command) {
    match (&mut model.popup, command) {
        (
            Some(Popup::Value(ValueCard { from, .. }) | Popup::Text(TextCard { from, .. })),
            Command::NextLine,
        ) => {
            *from = (*from + 1).min(500);
        }
        (
            Some(Popup::Value(ValueCard { from, .. }) | Popup::Text(TextCard { from, .. })),
            Command::PreviousLine,
        ) => *from = from.saturating_sub(1),
        _ => model.popup = None,
    }
}

fn help_page(model: &mut Model, command: Command) {
    let Some(Popup::Help(page)) = model.popup.take() else { return };
    model.popup = help::act(&model.paint(), page, command).map(Popup::Help);
}

/// Moves in the palette, or runs what it found, as if its key had been pressed on the view below.
fn choose(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(Popup::Palette(palette)) = model.popup.take() else { return Vec::new() };
    let view = palette.view;
    let check = |command| availability::check(model, command);
    match palette::act(&model.paint(), &check, model.subject_of_lines(), palette.clone(), command) {
        palette::Outcome::Stays(palette) => model.popup = Some(Popup::Palette(palette)),
        palette::Outcome::Closed => {}
        palette::Outcome::Run(command) => return run(model, view, command),
        palette::Outcome::Copy(other) => return work::copy_line(model, other.line),
        palette::Outcome::Ask(line) => return triaging::ask(model, &line),
        palette::Outcome::Barred(why) => {
            model.popup = Some(Popup::Palette(palette));
            model.reply(why);
        }
    }
    Vec::new()
}
