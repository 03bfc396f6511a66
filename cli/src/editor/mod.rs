//! `warplog lsp`: the analysis as the language server uses it.
//!
//! A text is checked as `warplog check - --stdin-name FILE` would check it, in a process of its own that stays for the next change; the
//! cache takes no part, as hardly any text that is typed comes again.

mod uniform;

use std::io::{self, BufReader};
use std::path::PathBuf;
use std::sync::Arc;

use warplog_lsp::{Analyser, Job, Pointed};
use warplog_report::Report;
use warplog_solver_bridge::Stop;

use crate::choices::Mends;
use crate::driver::{self, RunOptions, Workers};
use crate::options::AnalysisOptions;
use crate::pipeline::Pipeline;
use crate::texts::Stdin;
use crate::{FAILED, Streams, complain};

/// Serves the editor at standard input and output, and gives the exit status.
pub(crate) fn serve<P: Pipeline>(
    pipeline: &P,
    options: &AnalysisOptions,
    run: RunOptions,
    streams: &mut Streams<'_>,
) -> u8 {
    let analyser = Checks {
        pipeline,
        options,
        run: RunOptions {
            progress: false,
            ..run
        },
        workers: Workers::default(),
    };
    match warplog_lsp::serve(&analyser, BufReader::new(io::stdin()), streams.out) {
        Ok(status) => status,
        Err(error) => {
            complain(streams, &crate::collect::reason(&error));
            FAILED
        }
    }
}

struct Checks<'a, P> {
    pipeline: &'a P,
    options: &'a AnalysisOptions,
    run: RunOptions,
    workers: Workers,
}

impl<P> Checks<'_, P> {
    fn options(&self, path: &std::path::Path, text: &Arc<str>) -> AnalysisOptions {
        AnalysisOptions {
            stdin: Stdin {
                name: path.to_owned(),
                text: Some(Ok(Arc::from(text.as_bytes()))),
            },
            ..self.options.clone()
        }
    }
}

impl<P: Pipeline> Analyser for Checks<'_, P> {
    fn check(&self, job: &Job) -> Report {
        let mut options = self.options(&job.path, &job.text);
        options.stop = Stop::new(Arc::clone(&job.stop));
        options.anatomy = true;
        options.mends = match job.mends {
            true => Mends::Many,
            false => Mends::No,
        };
        if !job.kernels.is_empty() {
            options.kernels.clone_from(&job.kernels);
        }
        let paths = [PathBuf::from("-")];
        driver::check_with(self.pipeline, &paths, &options, self.run, &self.workers)
    }

    fn uniformity(&self, pointed: &Pointed) -> Option<String> {
        uniform::of(
            &self.options(&pointed.path, &pointed.text),
            pointed,
            (self.run, &self.workers),
        )
    }
}
