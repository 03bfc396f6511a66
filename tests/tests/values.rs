//! The values of C++ expressions as a C++ compiler computes them: small programs by construct of the language, and random ones.

use std::io::Write as _;

use warplog_tests::values::{
    Compiler, Snippet, Tally, Where, compare, grow::grow, open::said_too_much, read_snippets,
};

/// Shows what they came to also where the test passes.
fn tell(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn compared(snippets: &[Snippet]) -> Option<Tally> {
    let compiler = match Compiler::find() {
        Ok(compiler) => compiler,
        Err(reason) => {
            tell(&format!("skipped: no C++ compiler here: {reason}\n"));
            return None;
        }
    };
    let tally = compare(&compiler, snippets).unwrap_or_else(|error| panic!("{error}"));
    tell(&tally.to_string());
    if std::env::var_os("WARPLOG_UNDECIDED").is_some() {
        tell(&(tally.undecided.join("\n") + "\n"));
    }
    Some(tally)
}

/// The share in thousandths that must be told exactly, of the racy kernels and of the race-free ones.
fn at_least(tally: &Tally, floors: &[(Where, [usize; 2])]) {
    for (at, floor) in floors {
        let reached = tally.per_mille(*at);
        assert!(
            reached[0] >= floor[0] && reached[1] >= floor[1],
            "{at}: {reached:?} of 1000 are decided, of racy and of race-free kernels; {floor:?} were"
        );
    }
}

/// Faults are those that the snippets tell, and no others.
fn no_new_faults(tally: &Tally, snippets: &[Snippet]) {
    let new: Vec<String> = tally
        .faults
        .iter()
        .filter(|fault| fault.open.is_none())
        .map(ToString::to_string)
        .collect();
    assert!(new.is_empty(), "{}", new.join("\n"));
    for snippet in snippets.iter().filter(|snippet| snippet.open.is_some()) {
        let place = snippet.place();
        assert!(
            tally.faults.iter().any(|fault| fault.place == place),
            "{place} has become right"
        );
    }
}

#[test]
fn constructs_have_the_values_that_a_compiler_computes() {
    let snippets = read_snippets("tests/values").expect("the snippets");
    assert!(snippets.len() >= 400, "{}", snippets.len());
    // Each trait of each kind of type is a table of its own; how much of it is told says nothing of the rest.
    let (traits, others): (Vec<Snippet>, Vec<Snippet>) = snippets
        .into_iter()
        .partition(|snippet| snippet.group() == "type_traits");
    let (Some(tally), Some(of_traits)) = (compared(&others), compared(&traits)) else {
        return;
    };
    for (tally, snippets) in [(&tally, &others), (&of_traits, &traits)] {
        no_new_faults(tally, snippets);
        assert_eq!(tally.undefined, 0, "{tally}");
    }
    at_least(
        &of_traits,
        &[(Where::Kernel, [990, 950]), (Where::Called, [990, 50])],
    );
    at_least(
        &tally,
        &[
            (Where::Kernel, [910, 570]),
            (Where::Called, [920, 560]),
            (Where::Host, [980, 190]),
            (Where::Launch, [950, 230]),
        ],
    );
}

#[test]
fn random_programs_have_the_values_that_a_compiler_computes() {
    let snippets: Vec<Snippet> = (0..320).map(grow).collect();
    let Some(tally) = compared(&snippets) else {
        return;
    };
    no_new_faults(&tally, &snippets);
    at_least(
        &tally,
        &[
            (Where::Kernel, [990, 770]),
            (Where::Called, [990, 770]),
            (Where::Host, [990, 550]),
        ],
    );
}

#[test]
fn what_is_made_of_types_that_nothing_declares_is_open() {
    let snippets = read_snippets("tests/open").expect("the snippets");
    assert!(snippets.len() >= 80, "{}", snippets.len());
    let said = said_too_much(&snippets);
    assert!(said.is_empty(), "{}", said.join("\n"));
}
