//! A workflow file as far as this world carries it out: its trigger with inputs, jobs with a matrix, and steps of five kinds.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::forge::actions::yaml;

/// A workflow, read.
#[derive(Clone, Debug)]
pub(crate) struct Workflow {
    pub(crate) name: String,
    run_name: Option<String>,
    /// Whether it can be started by hand, and with which inputs.
    pub(crate) dispatch: Option<Vec<Input>>,
    concurrency: Option<String>,
    jobs: Vec<(String, Value)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) is_required: bool,
    pub(crate) default: Option<String>,
}

/// A job before it runs, one for each value of a matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlannedJob {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) needs: Vec<String>,
    /// Also behind what failed.
    pub(crate) always: bool,
    pub(crate) steps: Vec<Step>,
}

/// What a step is, with all expressions put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) name: String,
    /// Also behind what failed.
    pub(crate) always: bool,
    pub(crate) action: Action,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Checkout {
        /// A commit or a branch; the run's own commit unless said.
        at: Option<String>,
    },
    /// Puts the program there, which this world has already.
    Install {
        script: String,
    },
    Run {
        script: String,
        env: BTreeMap<String, String>,
    },
    Upload {
        name: String,
        path: String,
        overwrite: bool,
    },
    Download {
        pattern: String,
        path: String,
    },
    /// What this world does not know, in words.
    Unknown(String),
}

/// What expressions are made of.
pub(crate) type Values = BTreeMap<String, String>;

impl Workflow {
    /// Reads a file.
    ///
    /// # Errors
    /// It is no workflow that this world reads.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let file = yaml::read(text)?;
        let trigger = &file["on"];
        let is_by_hand = trigger == "workflow_dispatch"
            || trigger.as_array().is_some_and(|all| all.iter().any(|one| one == "workflow_dispatch"))
            || trigger.get("workflow_dispatch").is_some();
        let inputs = trigger["workflow_dispatch"]["inputs"].as_object().into_iter().flatten();
        let input = |(name, about): (&String, &Value)| Input {
            name: name.clone(),
            is_required: about["required"] == "true",
            default: text_of(&about["default"]),
        };
        let jobs = file["jobs"].as_object().ok_or("it has no `jobs`")?;
        Ok(Self {
            name: text_of(&file["name"]).unwrap_or_default(),
            run_name: text_of(&file["run-name"]),
            dispatch: is_by_hand.then(|| inputs.map(input).collect()),
            concurrency: text_of(&file["concurrency"]["group"]).or_else(|| text_of(&file["concurrency"])),
            jobs: jobs.iter().map(|(id, job)| (id.clone(), job.clone())).collect(),
        })
    }

    /// How the list of runs calls a run; `None`: as it is called without a name of its own.
    ///
    /// # Errors
    /// An expression that is not known here.
    pub(crate) fn title(&self, values: &Values) -> Result<Option<String>, String> {
        self.run_name.as_deref().map(|text| filled(text, values)).transpose()
    }

    /// Runs of one group wait for each other.
    ///
    /// # Errors
    /// An expression that is not known here.
    pub(crate) fn group(&self, values: &Values) -> Result<Option<String>, String> {
        self.concurrency.as_deref().map(|text| filled(text, values)).transpose()
    }

    /// All jobs, in the file's order.
    ///
    /// # Errors
    /// An expression that is not known here, or a matrix of another form.
    pub(crate) fn jobs(&self, values: &Values) -> Result<Vec<PlannedJob>, String> {
        let mut all = Vec::new();
        for (id, job) in &self.jobs {
            let needs = match &job["needs"] {
                Value::String(one) => vec![one.clone()],
                Value::Array(many) => many.iter().filter_map(text_of).collect(),
                _ => Vec::new(),
            };
            let matrix = matrix(&job["strategy"]["matrix"], values)?;
            let total = matrix.len();
            for cell in matrix {
                let mut own = values.clone();
                own.insert("strategy.job-total".into(), total.to_string());
                let suffix: Vec<&str> = cell.iter().map(|(_, value)| value.as_str()).collect();
                let plain =
                    if suffix.is_empty() { id.clone() } else { format!("{id} ({})", suffix.join(", ")) };
                own.extend(cell.iter().map(|(name, value)| (format!("matrix.{name}"), value.clone())));
                let name = text_of(&job["name"]).map(|text| filled(&text, &own)).transpose()?;
                let env = fields(&job["env"], &own)?;
                let steps = job["steps"].as_array().into_iter().flatten();
                let steps = steps.map(|one| step(one, &env, &own)).collect::<Result<_, _>>()?;
                all.push(PlannedJob {
                    id: id.clone(),
                    name: name.unwrap_or(plain),
                    needs: needs.clone(),
                    always: always(job)?,
                    steps,
                });
            }
        }
        Ok(all)
    }
}

fn text_of(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// The cells of a matrix of one list; one empty cell without any.
fn matrix(matrix: &Value, values: &Values) -> Result<Vec<Vec<(String, String)>>, String> {
    let Some(lists) = matrix.as_object() else { return Ok(vec![Vec::new()]) };
    let mut lists = lists.iter();
    let (Some((name, list)), None) = (lists.next(), lists.next()) else {
        return Err("a matrix of more than one list".to_owned());
    };
    let cells: Vec<String> = match list {
        Value::Array(list) => list.iter().filter_map(text_of).collect(),
        Value::String(text) => {
            let inner = text.strip_prefix("${{").and_then(|text| text.strip_suffix("}}")).map(str::trim);
            let named = inner.and_then(|text| text.strip_prefix("fromJSON(")?.strip_suffix(')'));
            let named = named.ok_or_else(|| format!("a matrix `{text}`"))?;
            let list = values.get(named.trim()).ok_or_else(|| format!("`{named}` is not known"))?;
            let read: Vec<Value> =
                serde_json::from_str(list).map_err(|_| format!("`{named}` is not a list in JSON"))?;
            read.iter().map(|one| text_of(one).unwrap_or_else(|| one.to_string())).collect()
        }
        _ => return Err("a matrix of another form".to_owned()),
    };
    if cells.is_empty() || cells.len() > 256 {
        return Err(format!("a matrix of {} jobs", cells.len()));
    }
    Ok(cells.into_iter().map(|cell| vec![(name.clone(), cell)]).collect())
}

/// Puts the values of `${{ … }}` into a text.
fn filled(text: &str, values: &Values) -> Result<String, String> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once("${{") {
        let (name, after) = behind.split_once("}}").ok_or("an expression that does not end")?;
        let name = name.trim();
        out.push_str(before);
        out.push_str(values.get(name).ok_or_else(|| format!("the expression `{name}` is not known"))?);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// Whether a job or a step is carried out behind what failed.
fn always(of: &Value) -> Result<bool, String> {
    match of.get("if").map(|value| value.as_str().unwrap_or_default()) {
        None => Ok(false),
        Some("${{ !cancelled() }}") => Ok(true),
        Some(condition) => Err(format!("the condition `{condition}` is not known")),
    }
}

fn fields(of: &Value, values: &Values) -> Result<BTreeMap<String, String>, String> {
    let all = of.as_object().into_iter().flatten();
    all.map(|(name, value)| Ok((name.clone(), filled(value.as_str().unwrap_or_default(), values)?))).collect()
}

fn step(step: &Value, env: &BTreeMap<String, String>, values: &Values) -> Result<Step, String> {
    let with = fields(&step["with"], values)?;
    let given = |name: &str| with.get(name).cloned();
    let action = match (step["uses"].as_str(), step["run"].as_str()) {
        (Some(uses), None) => match uses.split('@').next().unwrap_or_default() {
            "actions/checkout" => Action::Checkout { at: given("ref") },
            "actions/upload-artifact" => Action::Upload {
                name: given("name").unwrap_or_else(|| "artifact".to_owned()),
                path: given("path").unwrap_or_default(),
                overwrite: given("overwrite").is_some_and(|text| text == "true"),
            },
            // Without it each artifact gets a folder of its own.
            "actions/download-artifact" if with.get("merge-multiple").is_some_and(|text| text == "true") => {
                Action::Download {
                    pattern: given("pattern").unwrap_or_else(|| "*".to_owned()),
                    path: given("path").unwrap_or_else(|| ".".to_owned()),
                }
            }
            _ => Action::Unknown(format!("uses: {uses}")),
        },
        (None, Some(script)) => {
            let mut all = env.clone();
            all.extend(fields(&step["env"], values)?);
            run(filled(script, values)?, all)
        }
        _ => Action::Unknown("a step that neither uses nor runs anything".to_owned()),
    };
    let name = text_of(&step["name"]).or_else(|| text_of(&step["uses"]));
    let name = match name {
        Some(name) => filled(&name, values)?,
        None => "run".to_owned(),
    };
    Ok(Step { name, always: always(step)?, action })
}

/// A script is carried out if one of its lines calls the program, and passed over if it only puts that there.
fn run(script: String, env: BTreeMap<String, String>) -> Action {
    let begins = |word: &str| script.lines().any(|line| line.trim_start().starts_with(word));
    if begins("bumpdesk ") {
        Action::Run { script, env }
    } else if begins("cargo ") {
        Action::Install { script }
    } else {
        Action::Unknown(format!("run: {}", script.lines().next().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "name: Backfill\nrun-name: Backfill ${{ inputs.plan }}\non:\n  workflow_dispatch:\n    inputs:\n      plan:\n        \
        required: true\n      shards:\n        required: true\n      other:\n        default: x\nconcurrency:\n  group: b-${{ inputs.plan }}\njobs:\n  shard:\n    \
        name: shard ${{ matrix.shard }} of ${{ strategy.job-total }}\n    strategy:\n      matrix:\n        shard: ${{ fromJSON(inputs.shards) }}\n    steps:\n      \
        - uses: actions/checkout@abc # v5\n        with:\n          ref: main\n      - run: cargo install bumpdesk\n      - run: bumpdesk go \"$N\"\n        \
        env:\n          N: ${{ matrix.shard }}\n      - uses: some/thing@1\n        if: ${{ !cancelled() }}\n  merge:\n    needs: shard\n    steps:\n      - run: rm -rf /\n";

    fn values() -> Values {
        [("inputs.plan", "abc"), ("inputs.shards", "[1, 2]")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into()
    }

    #[test]
    fn a_matrix_makes_a_job_of_each_value() {
        let workflow = Workflow::read(FILE).unwrap();
        let inputs = workflow.dispatch.clone().unwrap();
        assert_eq!(inputs.iter().map(|input| input.is_required).collect::<Vec<_>>(), [true, true, false]);
        assert_eq!(workflow.title(&values()).unwrap().as_deref(), Some("Backfill abc"));
        assert_eq!(workflow.group(&values()).unwrap().as_deref(), Some("b-abc"));
        let jobs = workflow.jobs(&values()).unwrap();
        let names: Vec<&str> = jobs.iter().map(|job| &*job.name).collect();
        assert_eq!(names, ["shard 1 of 2", "shard 2 of 2", "merge"]);
        assert_eq!(jobs[2].needs, ["shard"]);
        let actions: Vec<&Action> = jobs[1].steps.iter().map(|step| &step.action).collect();
        assert_eq!(*actions[0], Action::Checkout { at: Some("main".into()) });
        assert_eq!(*actions[1], Action::Install { script: "cargo install bumpdesk".into() });
        let env = [("N".to_owned(), "2".to_owned())].into();
        assert_eq!(*actions[2], Action::Run { script: "bumpdesk go \"$N\"".into(), env });
        assert_eq!(*actions[3], Action::Unknown("uses: some/thing@1".into()));
        let always: Vec<bool> = jobs[1].steps.iter().map(|step| step.always).collect();
        assert_eq!((always, jobs[2].always), (vec![false, false, false, true], false));
        assert_eq!(jobs[2].steps[0].action, Action::Unknown("run: rm -rf /".into()));
    }

    #[test]
    fn what_is_not_known_is_an_error() {
        let workflow = Workflow::read(FILE).unwrap();
        assert_eq!(workflow.jobs(&Values::new()).unwrap_err(), "`inputs.shards` is not known");
        let many =
            [("inputs.plan".to_owned(), "x".to_owned()), ("inputs.shards".to_owned(), "[]".to_owned())];
        assert_eq!(workflow.jobs(&many.into()).unwrap_err(), "a matrix of 0 jobs");
        assert!(Workflow::read("name: x\n").is_err());
        assert!(Workflow::read("on: push\njobs: {}\n").unwrap().dispatch.is_none());
        let plain = Workflow::read("on: [push, workflow_dispatch]\njobs: {}\n").unwrap();
        assert!(plain.dispatch.is_some_and(|inputs| inputs.is_empty()));
    }
}
