//! Reads what stands around one pull request, each part by itself: what cannot be read leaves the others known.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::{Cancelled, Context};
use crate::jobs::fan::fan;
use crate::jobs::memory::notices;
use crate::jobs::pulls::checks;
use crate::jobs::review::AT_ONCE;
use crate::remote::Error;
use crate::rules::amount::counted;
use crate::rules::review::{
    OpenPull, OtherPull, Owner, PullContext, Review, Standing, known, owners, reads_like,
};

/// The most owners that are read: no reviewer looks through the files of more.
const MOST_OWNERS: usize = 10;
/// Other open pull requests whose files are listed, those with the newest news first.
const MOST_OTHERS: usize = 60;

/// Fills in what is not there yet: what was predicted is.
pub(super) async fn read(env: &Arc<Env>, context: &Context, review: &mut Review) -> Result<(), Cancelled> {
    let pull = &review.pull;
    let Some(around) = &mut review.around else { return Ok(()) };
    let paths: Vec<&str> = review.files.iter().map(|file| file.path.as_str()).collect();
    let owners = owners(paths.iter().copied());
    let registry = &*env.repository.owner;
    let is_owner = owners.iter().any(|owner| owner.eq_ignore_ascii_case(registry));
    let names = owners.iter().map(String::as_str).chain((!is_owner).then_some(registry));
    let names: Vec<&str> = names.collect();
    around.notices = known(&notices(env), &review.files);
    around.reads_like = reads_like(&pull.author, names.iter().copied());
    for owner in owners.iter().take(MOST_OWNERS) {
        let standing = context.run(standing(env, owner, &pull.author)).await?;
        let standing = standing.unwrap_or_else(|error| {
            around.unread.push(format!("whether {owner} shows {} as a member: {error}", pull.author));
            Standing::Unknown
        });
        around.owners.push(Owner::new(owner, &pull.author, standing));
    }
    if owners.len() > MOST_OWNERS {
        let left = counted(owners.len() - MOST_OWNERS, "more owner");
        around.unread.push(format!("what the author is to {left}: not asked"));
    }
    match context.run(env.remote.pull_commits(&env.repository, pull.number)).await? {
        Ok(commits) => around.set_commits(commits, &pull.author, &names),
        Err(error) => around.unread.push(format!("its commits: {error}")),
    }
    around.checked(context.run(checks(env, &pull.head)).await?);
    match context.run(env.remote.rules(&env.repository, &pull.base)).await? {
        Ok(rules) => around.required = Some(rules.checks),
        Err(error) => around.unread.push(format!("which checks must pass: {error}")),
    }
    others(env, context, pull, (&paths, around)).await
}

async fn standing(env: &Arc<Env>, owner: &str, author: &str) -> Result<Standing, Error> {
    if owner.eq_ignore_ascii_case(author) {
        return Ok(Standing::SameAccount);
    }
    let is_member = env.remote.is_public_member(owner, author).await?;
    Ok(if is_member { Standing::PublicMember } else { Standing::NotVisible })
}

/// Other open pull requests that change the same files.
async fn others(
    env: &Arc<Env>,
    context: &Context,
    pull: &OpenPull,
    (paths, around): (&[&str], &mut PullContext),
) -> Result<(), Cancelled> {
    let open = match context.run(env.remote.waiting_pulls(&env.repository)).await? {
        Ok(open) => open,
        Err(error) => {
            around.unread.push(format!("which other pull requests are open: {error}"));
            return Ok(());
        }
    };
    let others = open.iter().map(|other| &other.listing).filter(|other| other.number != pull.number);
    let others: Vec<&OpenPull> = others.collect();
    let numbers: Vec<u64> = others.iter().take(MOST_OTHERS).map(|other| other.number).collect();
    let files = |number| async move { (number, env.remote.changed_paths(&env.repository, number).await) };
    let mut found = Vec::new();
    fan(context, numbers, AT_ONCE, files, |(number, read)| match read {
        Ok(changed) => {
            let is_same =
                |path: &&&str| changed.as_ref().is_some_and(|all| all.iter().any(|one| one == *path));
            let same: Vec<String> = paths.iter().filter(is_same).map(|path| (*path).to_owned()).collect();
            if changed.is_none() || !same.is_empty() {
                found.push((number, same));
            }
        }
        Err(error) => around.unread.push(format!("which files #{number} changes: {error}")),
    })
    .await?;
    if others.len() > MOST_OTHERS {
        let left = counted(others.len() - MOST_OTHERS, "more open pull request");
        around.unread.push(format!("which files {left} change: not asked"));
    }
    found.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    let other_pull = |(number, paths): (u64, Vec<String>)| {
        let other = others.iter().find(|other| other.number == number)?;
        Some(OtherPull { number, title: other.title.clone(), author: other.author.clone(), paths })
    };
    around.others = Some(found.into_iter().filter_map(other_pull).collect());
    Ok(())
}
