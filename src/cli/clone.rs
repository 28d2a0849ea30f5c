//! `clone`: gets the registry's data with git.

use clap::Args;

use crate::boot::program;
use crate::boot::program::ProgramError;
use crate::cli::Run;
use crate::cli::console::Console;
use crate::jobs::data::{Failure, FailureKind};
use crate::print::exit::Exit;
use crate::print::output::Line;
use crate::print::runner::Runner;

const PUBLIC: &str = "https://github.com/opentofu/registry.git";
const FOLDER: &str = "registry";
/// Lines of git's own words that a failure repeats.
const LAST_WORDS: usize = 5;

/// Get the registry's data with git.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  bumpdesk clone\n  bumpdesk clone ~/registry\n  \
    bumpdesk clone https://github.com/opentofu/registry.git data/registry")]
pub(crate) struct CloneArgs {
    /// The repository's URL and the new folder, or one of them; by default the public registry, into `registry`.
    #[arg(value_name = "URL|FOLDER", num_args = 0..=2)]
    words: Vec<String>,
}

impl Run for CloneArgs {
    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        let (url, folder) = places(&self.words);
        let target = runner.environment.cwd.join(folder);
        if target.exists() && !is_empty(&target) {
            let cause = format!("`{}` already exists", target.display());
            return Err(fail(
                runner,
                FailureKind::Usage,
                vec![cause],
                "Name another folder: `bumpdesk clone FOLDER`.",
            ));
        }
        // `--` keeps a URL or folder that starts with a dash from being read as an option.
        let mut arguments = vec!["clone"];
        if runner.environment.stderr_is_terminal && !runner.output.ui.plain {
            arguments.push("--progress");
        }
        arguments.extend(["--", url, folder]);
        Ok(match program::attend(runner.environment, "git", &arguments).await {
            Ok(answer) if answer.success => {
                if !runner.output.json {
                    runner.output.line(&Line::of(target.display().to_string()));
                }
                runner.output.note(&format!("bumpdesk: cloned {url}; now `cd {folder}` and run `bumpdesk`"));
                runner.done()
            }
            Ok(answer) => {
                let stderr = String::from_utf8_lossy(&answer.stderr).into_owned();
                let lines: Vec<&str> = stderr.lines().filter(|line| !line.trim().is_empty()).collect();
                let last = &lines[lines.len().saturating_sub(LAST_WORDS)..];
                let mut causes = vec!["git failed".to_owned()];
                causes.extend(last.iter().map(|line| (*line).to_owned()));
                if last.is_empty() && !runner.output.stderr_is_terminal {
                    causes.push(format!("`git clone {url}` gave no reason"));
                }
                fail(runner, FailureKind::Network, causes, "Check the URL and the network.")
            }
            Err(error @ ProgramError::Missing(_)) => {
                fail(runner, FailureKind::Config, vec![error.to_string()], "Install git.")
            }
            Err(error) => {
                fail(runner, FailureKind::Internal, vec![error.to_string()], "Run the clone with git itself.")
            }
        })
    }
}

/// URL and folder out of the words: a single word is a URL only if it has a scheme or an `@host:`.
fn places(words: &[String]) -> (&str, &str) {
    let is_url = |word: &str| word.contains("://") || (word.contains('@') && word.contains(':'));
    match words {
        [] => (PUBLIC, FOLDER),
        [word] if is_url(word) => (word, FOLDER),
        [word] => (PUBLIC, word),
        [url, folder, ..] => (url, folder),
    }
}

fn is_empty(folder: &std::path::Path) -> bool {
    folder.read_dir().is_ok_and(|mut entries| entries.next().is_none())
}

fn fail(runner: &mut Runner<'_>, kind: FailureKind, causes: Vec<String>, hint: &str) -> Exit {
    runner.fail(Failure::new(kind, "cloning the registry").causes(causes).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_is_a_folder_unless_it_is_a_url() {
        let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        for (text, wanted) in [
            ("", (PUBLIC, "registry")),
            ("~/registry", (PUBLIC, "~/registry")),
            ("https://example.org/r.git", ("https://example.org/r.git", "registry")),
            ("git@example.org:o/r.git", ("git@example.org:o/r.git", "registry")),
            ("../bare.git here", ("../bare.git", "here")),
        ] {
            let words = words(text);
            assert_eq!(places(&words), wanted, "{text}");
        }
    }
}
