//! The table of abilities.

use crate::desk::ability::AbilityRow;

/// Makes the abilities and their rows. A row that leaves a column out does not compile.
macro_rules! abilities {
    ($($ability:ident { $($column:ident: $value:expr,)+ })+) => {
        /// Something that a maintainer can do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Ability {
            $($ability,)+
        }

        /// The rows, in the order of the abilities.
        pub(super) const TABLE: &[AbilityRow] =
            &[$(AbilityRow { $($column: $value,)+ },)+];
    };
}

abilities! {
    Leave { line: Some("quit"), next_command: None, }
    Clone { line: Some("`bumpdesk clone`"), next_command: Some("bumpdesk clone"), }
    Reload { line: Some("reload"), next_command: None, }
    Look { line: Some("open N"), next_command: None, }
    Build { line: Some("diff N"), next_command: Some("bumpdesk diff ADDRESS"), }
    Browse { line: None, next_command: None, }
    CopyPath { line: None, next_command: None, }
    Survey { line: Some("survey N"), next_command: Some("bumpdesk survey ADDRESS"), }
    SurveyShown { line: Some("survey shown"), next_command: None, }
    CancelSurvey { line: Some("cancel"), next_command: None, }
    Verify { line: Some("verify N"), next_command: Some("bumpdesk verify ADDRESS"), }
    VerifyRest { line: Some("verify N"), next_command: None, }
    CancelVerification { line: Some("cancel"), next_command: None, }
    ShowVerification { line: Some("rows"), next_command: None, }
    Backfill { line: Some("backfill N"), next_command: Some("bumpdesk backfill run ADDRESS"), }
    BackfillRest { line: Some("backfill N"), next_command: None, }
    CancelBackfill { line: Some("cancel"), next_command: None, }
    PauseBackfill { line: Some("resume"), next_command: None, }
    ShowBackfill { line: Some("jobs"), next_command: None, }
    FollowRun { line: Some("run NUMBER"), next_command: Some("bumpdesk backfill status --run NUMBER --follow"), }
    RerunRun { line: Some("run NUMBER again"), next_command: Some("bumpdesk backfill rerun NUMBER --dry-run"), }
    MergeRun { line: Some("run NUMBER merge"), next_command: Some("bumpdesk backfill merge --run NUMBER"), }
    ReadRunLogs { line: Some("run NUMBER"), next_command: Some("bumpdesk backfill status --run NUMBER --log 20"), }
    ShowJobs { line: Some("jobs"), next_command: None, }
    CancelBuild { line: Some("cancel"), next_command: None, }
    CancelAll { line: Some("cancel"), next_command: None, }
    Add { line: Some("plan add N"), next_command: Some("bumpdesk plan add ADDRESS"), }
    ShowPlan { line: Some("plan"), next_command: Some("bumpdesk plan show"), }
    ShowFile { line: Some("plan show N"), next_command: Some("bumpdesk plan show ADDRESS"), }
    ShowPull { line: None, next_command: None, }
    NextPull { line: Some("pull"), next_command: None, }
    Recheck { line: Some("pull"), next_command: None, }
    EditPull { line: Some("pull"), next_command: None, }
    ShowGate { line: None, next_command: None, }
    TypeDigits { line: Some("send DIGITS"), next_command: None, }
    Resume { line: Some("resume DIGITS"), next_command: None, }
    Undo { line: Some("undo"), next_command: None, }
    Arm { line: Some("arm REASON"), next_command: None, }
    ListReviews { line: Some("review"), next_command: Some("bumpdesk review"), }
    Review { line: Some("review NUMBER"), next_command: Some("bumpdesk review NUMBER"), }
    HashReview { line: Some("review NUMBER hash"), next_command: Some("bumpdesk review NUMBER --hash"), }
    Judge { line: Some("review NUMBER VERDICT"), next_command: Some("bumpdesk review NUMBER --comment --dry-run"), }
    CancelReview { line: Some("cancel"), next_command: None, }
    Views { line: Some("view"), next_command: None, }
}
