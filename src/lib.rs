//! bumpdesk: the terminal console with which the maintainers of the OpenTofu registry run their registry.
//!
//! # The code map
//!
//! A module names only modules on lower floors; `tests/it/architecture` keeps the walls.
//!
//! | floor | module | what it is |
//! |---|---|---|
//! | 8 | [`front`] | shows the command line the way into the console, drawn or in lines |
//! | 7 | [`cli`] | the front door and the headless face: arguments in, text or JSON and an exit code out |
//! | 7 | [`mod@line`] | the console in lines: a prompt, words, answers of one fact a line |
//! | 7 | [`tui`] | the console: a pure model, one queue of messages, effects as data |
//! | 6 | [`mod@print`] | text for a stream: lines, the sanitiser, progress, exits, the runner; for `cli` and `line` |
//! | 5 | [`desk`] | what a maintainer has before them and may do; pure, the same for all faces |
//! | 4 | [`jobs`] | use cases: asynchronous, cancellable, headless; all faces start the same ones; [`jobs::data`] below them is all that the desk names |
//! | 4 | [`boot`] | settings out of flags, environment and configuration; names no face |
//! | 3 | [`remote`] | the one home of HTTP: feeds, git, releases, budgets |
//! | 3 | [`store`] | the one home of files, git and the database; never sees `remote` |
//! | 2 | [`rules`] | what follows: verdicts, proposals, differences; pure, total, synchronous |
//! | 1 | [`registry`] | what is: addresses, versions, documents, facts; pure data, parsed and printed |
//! | 0 | [`settings`] | plain values: servers, paces, format features |
//! | 0 | [`manual`] | the pages that `bumpdesk help` prints: texts and their names |
//! | beside | [`demo`] | a loopback world for newcomers and tests, in a package of its own (`src/demo`); names nothing else, so that it is an independent witness |
//! | beside | [`surface`] | what tests and benches name of all this, each name with its user |
//!
//! The way of a command: `main` hands arguments and a [`boot::Environment`] to [`cli::run`], which resolves
//! [`boot::Settings`], builds a [`jobs::Env`], starts a [`jobs::data::Job`] on the [`jobs::Engine`] and prints its
//! [`jobs::data::JobEvent`]s. The console starts the same jobs and draws the same events.
//!
//! # The words
//!
//! Each noun has one home and one meaning.
//!
//! | word | meaning |
//! |---|---|
//! | [`registry::Address`] | which provider or module |
//! | [`registry::Document`], [`registry::Entry`] | one data file: its ordered bytes; its typed view |
//! | [`registry::Facts`] | what upstream was observed to say, and when; not knowing is a value |
//! | [`registry::Decision`] | what this maintainer decided, kept between runs |
//! | [`settings::Feature`] | a format field that can be switched off |
//! | [`rules::Verdict`] | one status and why, from entry, facts and time |
//! | [`rules::Finding`] | something worth a maintainer's eye; never an error of ours |
//! | [`rules::Proposal`] | a proposed rebuild of one file, on a named base |
//! | [`rules::plan::Plan`] | proposals that wait for review, what was said about each change, and what may be sent |
//! | [`rules::edit::Edit`], [`rules::policy::Permit`] | what no bump does to a file, planned like a rebuild; what the policy needs before a version is removed |
//! | [`rules::sending::Sending`] | all requests of one write to GitHub with their bodies, as whom, and where; only a confirmed one is sent |
//! | [`rules::review::Review`], [`rules::review::Opinion`] | a pull request of somebody else, made again from upstream and judged; what a maintainer says of it |
//! | [`rules::notice::Notice`] | a problem that is known already: which versions, which issue, what is replied |
//! | [`desk::Desk`] | what a maintainer has before them: registry, list, board, plan, history, verification |
//! | [`desk::intent::Intent`], [`desk::intent::Answer`] | something to be done with the desk; started, asked back, or refused with the reason |
//! | [`desk::ability::Ability`], [`desk::ability::NextStep`] | something that a maintainer can do, with its words and command lines; one that a sentence names next |
//! | [`desk::telling::Fact`], [`desk::telling::Label`] | something told, for all faces: a label (short for a column, spoken where it is read aloud), a text, what it means, the next steps |
//! | [`desk::telling::Message`] | one sentence, with its next steps as data: a face names each by its key, word or command |
//! | [`jobs::data::Job`], [`jobs::data::JobEvent`], [`jobs::data::Outcome`] | what to do, what happened, how it ended |
//! | [`desk::list::List`], [`desk::board::Board`], [`desk::history::History`] | the entries with their verdicts; the jobs that run; those that are over |
//! | [`desk::planning::Planning`], [`desk::run::Run`] | the plan with what waits to be said about it; a verification, row by row |
//! | [`boot::Flags`], [`boot::Settings`] | what the command line asks for; what counts, of flags, variables and files together |
//! | model, message, effect ([`tui`]) | what is shown, what happened, what to do about it outside; a view requests, the shell does |
//! | line mode ([`mod@line`]) | the console as a prompt and lines; its words are commands |
//! | world ([`demo`]) | what the loopback server serves; a scenario is a file that describes one |
//!
//! # What always holds
//!
//! - Nothing that was not checked is shown as fine: a failed or throttled source makes UNKNOWN, never OK.
//! - Data files are written by [`jobs::data::Job::Bump`] alone, whole or not at all, as the registry's own writer would.
//! - No change is approved that was not looked at, and marks never outlive a change of what they were made on.
//! - Indexed versions are never changed or removed by a bump, and by an edit only with a permit, which no ordinary reason makes.
//! - A lock block holds hashes that were verified, and no others.
//! - The environment and the configuration are read in [`boot`] alone; there are no statics and no test switches.
//! - Tokens are in no message, log, file or `Debug`, and go to no host but the configured ones.
//! - Text from outside reaches a terminal through [`rules::plain_text`] alone.
//! - Every started job ends with exactly one `Ended`, also on error, cancel and panic.

#[cfg(test)]
#[macro_use]
#[path = "../tests/stamped.rs"]
mod stamped;

mod boot;
mod cli;
mod desk;
mod front;
mod jobs;
mod line;
mod manual;
mod print;
mod registry;
mod remote;
mod rules;
mod settings;
mod store;
pub mod surface;
mod tui;
