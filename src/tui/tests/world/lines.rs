//! Lines of differences, made by hand or from small documents.

use std::fmt::Write as _;
use std::num::NonZero;

use crate::registry::{Document, Kind};
use crate::rules::diff::{Block, BlockKind, Line, LineMark, Lines, PlatformGrid, compare};

/// Added versions of three targets each, then a fold of unchanged ones.
pub(in crate::tui) fn diff_lines(added: u32, unchanged: u32) -> Lines {
    let mut maker = Maker::default();
    maker.open(BlockKind::File, "", "", false);
    maker.line(LineMark::Same, "{");
    maker.line(LineMark::Same, "  \"versions\": [");
    for at in 0..added {
        let name = format!("3.70.{}", added - 1 - at);
        let path = format!("versions[{at}] {name}");
        maker.open(BlockKind::Version, &format!("version {name} (3 targets)"), &path, at == 0);
        maker.blocks.last_mut().unwrap().grid = grid();
        maker.line(LineMark::Added, "    {");
        maker.line(LineMark::Added, &format!("      \"version\": \"{name}\","));
        maker.line(LineMark::Added, "      \"protocols\": [");
        maker.line(LineMark::Added, "        \"5.0\"");
        maker.line(LineMark::Added, "      ],");
        maker.line(LineMark::Added, &format!("      \"shasums_url\": \"https://github.com/newrelic/terraform-provider-newrelic/releases/download/v{name}/terraform-provider-newrelic_{name}_SHA256SUMS\","));
        maker.line(LineMark::Added, "      \"targets\": [");
        for (place, platform) in ["darwin_arm64", "linux_amd64", "windows_amd64"].into_iter().enumerate() {
            let title = format!("{{ {platform}  1f9c02ab..0355e }}");
            maker.open(
                BlockKind::Target,
                &title,
                &format!("{path} > targets[{place}] {platform}"),
                place != 1,
            );
            maker.blocks.last_mut().unwrap().odd = place == 2;
            let (os, arch) = platform.split_once('_').unwrap();
            maker.line(LineMark::Added, "        {");
            maker.line(LineMark::Added, &format!("          \"os\": \"{os}\","));
            maker.line(LineMark::Added, &format!("          \"arch\": \"{arch}\","));
            maker.line(
                LineMark::Added,
                "          \"shasum\": \"b6f7add03c464f43ac538c93819427f2fd0a26cf53ad56ab4c1adf44d11fdcbe\",",
            );
            maker.line(LineMark::Added, "          \"h1\": \"\",");
            maker.line(LineMark::Added, "          \"size\": 0");
            maker.line(LineMark::Added, if place == 2 { "        }" } else { "        }," });
            maker.close();
        }
        maker.line(LineMark::Added, "      ]");
        maker.line(LineMark::Added, "    },");
        maker.close();
    }
    maker.open(BlockKind::Unchanged, &format!("{unchanged} unchanged versions"), "versions", true);
    for at in 0..unchanged {
        maker.line(LineMark::Same, &format!("    {{ \"version\": \"3.{at}.0\" }},"));
    }
    maker.close();
    maker.line(LineMark::Removed, "    null");
    maker.line(LineMark::Same, "  ]");
    maker.line(LineMark::Same, "}");
    maker.finish()
}

/// Three platforms, one of them from another host.
fn grid() -> Option<Box<PlatformGrid>> {
    let target = |(os, arch, host)| {
        format!(
            r#"{{"os":"{os}","arch":"{arch}","filename":"f","download_url":"https://{host}/o/p/f","shasum":"b6"}}"#
        )
    };
    let targets =
        [("darwin", "arm64", "github.com"), ("linux", "amd64", "github.com"), ("windows", "amd64", "a.b")];
    let text =
        format!(r#"{{"versions":[{{"version":"1.0.0","targets":[{}]}}]}}"#, targets.map(target).join(","));
    let new = Document::from_root(Document::parse(text.as_bytes()).unwrap().root().clone());
    let old = Document::empty();
    let lines = Lines::build(Kind::Provider, &old, &new, &compare(Kind::Provider, &old, &new));
    lines.blocks.into_iter().find_map(|block| block.grid)
}

#[derive(Default)]
struct Maker {
    lines: Lines,
    blocks: Vec<Block>,
    open: Vec<u32>,
    number: u32,
    before: u32,
}

impl Maker {
    fn open(&mut self, kind: BlockKind, title: &str, path: &str, folded: bool) {
        let mark = match kind {
            BlockKind::Version | BlockKind::Target => LineMark::Added,
            _ => LineMark::Same,
        };
        let parent = self.open.last().copied().unwrap_or(0);
        let first = self.lines.lines.len() as u32;
        self.open.push(self.blocks.len() as u32);
        let (title, path) = (title.to_owned(), path.to_owned());
        self.blocks.push(Block {
            kind,
            parent,
            first,
            end: first,
            title,
            path,
            folded,
            odd: false,
            mark,
            grid: None,
        });
    }

    fn close(&mut self) {
        let at = self.open.pop().unwrap();
        self.blocks[at as usize].end = self.lines.lines.len() as u32;
    }

    fn line(&mut self, mark: LineMark, content: &str) {
        let text =
            if mark == LineMark::Removed { &mut self.lines.old_text } else { &mut self.lines.new_text };
        let start = text.len() as u32;
        writeln!(text, "{content}").unwrap();
        let end = start + content.len() as u32;
        self.number += u32::from(mark != LineMark::Removed);
        self.before += u32::from(mark != LineMark::Added);
        let before = NonZero::new(self.before).filter(|_| mark == LineMark::Same);
        let block = *self.open.last().unwrap();
        self.lines.lines.push(Line { mark, number: self.number.max(1), before, start, end, block });
    }

    fn finish(mut self) -> Lines {
        self.close();
        self.lines.blocks = self.blocks;
        self.lines
    }
}
