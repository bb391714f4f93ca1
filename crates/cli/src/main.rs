//! The binary: arguments in, one command run, an exit code out.

mod activity;
mod ads;
mod amount;
mod command;
mod config;
mod failure;
mod media;
mod memory;
mod outlook;
mod part;
mod patterns;
mod screen;
mod sights;
mod sites;
mod skipped;
mod source;
mod stop;

use clap::Parser;
use std::process::ExitCode;
use tintype_vocab::plain;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    failure::let_readers_leave();
    let arguments = command::Arguments::parse();
    match command::run(arguments) {
        Ok(code) => code,
        Err(error) => failure::explain(&error),
    }
}
