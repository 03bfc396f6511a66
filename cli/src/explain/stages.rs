//! How the solver came to an answer, in sentences: what its stages are, for people who do not know that it has stages.

use warplog_report::text::safe;
use warplog_solver_bridge::Stage;

/// How something was shown not to happen.
pub(super) fn proved(stage: Stage) -> &'static str {
    match stage {
        Stage::Bounds => "bounds and normal forms of the indices exclude it, without Z3",
        Stage::Search => {
            "bounds that follow from each other leave no values for it in any case, without Z3"
        }
        Stage::Linear => "Z3 proves it in linear arithmetic, with products as numbers of their own",
        Stage::Real => "Z3 proves it over the real numbers",
        Stage::Int => "Z3 proves it over the integers",
        Stage::IntAgain => "Z3 proves it over the integers, asked a second time",
        Stage::Bits => "Z3 proves it with the bits of machine integers",
        Stage::Concrete => "Z3 finds none in launches of known sizes",
    }
}

/// How an example was found.
pub(super) fn found(stage: Stage) -> &'static str {
    match stage {
        Stage::Bounds => "bounds and normal forms of the indices give an example, without Z3",
        Stage::Search => "trying small launches and values gives an example, without Z3",
        Stage::Linear => {
            "Z3 finds an example in linear arithmetic, with products as numbers of their own"
        }
        Stage::Real => "Z3 finds an example over the real numbers",
        Stage::Int => "Z3 finds an example over the integers",
        Stage::IntAgain => "Z3 finds an example over the integers, asked a second time",
        Stage::Bits => "Z3 finds an example with the bits of machine integers",
        Stage::Concrete => "Z3 finds an example in a launch of known sizes",
    }
}

/// Where Z3 was asked.
fn place(stage: Stage) -> &'static str {
    match stage {
        Stage::Bounds | Stage::Search => "before Z3",
        Stage::Linear => "in linear arithmetic",
        Stage::Real => "over the real numbers",
        Stage::Int => "over the integers",
        Stage::IntAgain => "over the integers, asked a second time",
        Stage::Bits => "with the bits of machine integers",
        Stage::Concrete => "in launches of known sizes",
    }
}

/// Why nothing was decided: the solver's reasons, with the names of its stages in words.
pub(super) fn open(reason: &str) -> String {
    let part = |part: &str| {
        let named = Stage::ALL.into_iter().find_map(|stage| {
            let rest = part.strip_prefix(stage.name())?.strip_prefix(": ")?;
            let rest = match rest {
                "not decided over the reals" => "left open",
                rest => rest,
            };
            Some(format!("{} ({})", safe(rest), place(stage)))
        });
        named.unwrap_or_else(|| safe(part))
    };
    let parts: Vec<String> = reason.split("; ").map(part).collect();
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_stage_is_named() {
        for stage in Stage::ALL {
            for words in [proved(stage), found(stage), place(stage)] {
                let quoted = format!("{}:", stage.name());
                assert!(!words.contains(&quoted) && words.contains(' '), "{words}");
            }
        }
        assert_eq!(
            open("bits: step limit reached; budget of the kernel"),
            "step limit reached (with the bits of machine integers); budget of the kernel"
        );
        assert_eq!(
            open("real: not decided over the reals"),
            "left open (over the real numbers)"
        );
        assert_eq!(
            open("no model that replays was found"),
            "no model that replays was found"
        );
    }
}
