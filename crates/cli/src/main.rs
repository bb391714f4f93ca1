//! The binary: arguments in, one command run, an exit code out.

mod ads;
mod amount;
mod command;
mod config;
mod contact;
mod failure;
mod first_failure;
mod listings;
mod media_rules;
mod media_text;
mod notify;
mod opener;
mod out;
mod part;
mod recorded;
mod rendered;
mod save_to;
mod screen;
mod served;
mod served_lab;
mod settings;
mod sites;
mod skipped;
mod stop;
mod summary;
mod token;

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
