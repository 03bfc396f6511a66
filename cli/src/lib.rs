//! The command line of warplog as a library, for the binary and for the suites.
