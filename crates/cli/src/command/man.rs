//! `tintype man`: the manual, read off the very commands that are run.

use super::Arguments;
use crate::out;
use clap::{Arg, Args, Command, CommandFactory};
use std::{fmt::Write, process::ExitCode};

/// Print the manual page of tintype or of one of its commands
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype man | man -l -\n  tintype man capture | man -l -\n  tintype man > /usr/local/share/man/man1/tintype.1"
)]
pub(crate) struct Options {
    /// A command, such as capture or lab tournament; by default all of them at a glance
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut command = Arguments::command();
    command.build();
    for word in &options.command {
        let known = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect::<Vec<_>>().join(", ");
        let unknown = || crate::failure::usage(format!("there is no command {word}"), format!("commands are {known}"));
        command = command.find_subcommand(word).ok_or_else(unknown)?.clone();
    }
    out::text(&page(&command, &[&["tintype".to_owned()], &options.command[..]].concat().join("-")));
    Ok(ExitCode::SUCCESS)
}

fn page(command: &Command, name: &str) -> String {
    let mut text = format!(".TH {} 1 \"\" \"tintype {}\"\n", name.to_uppercase(), env!("CARGO_PKG_VERSION"));
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let long = command.get_long_about().map_or(about.clone(), ToString::to_string);
    let mut section = |title: &str, body: &str| write!(text, ".SH {title}\n{body}\n").expect("strings grow");
    section("NAME", &format!("{} \\- {}", escaped(name), escaped(about.lines().next().unwrap_or_default())));
    let usage = command.clone().render_usage().to_string();
    section("SYNOPSIS", &format!(".nf\n{}\n.fi", escaped(usage.trim_start_matches("Usage: "))));
    section("DESCRIPTION", &escaped(&long));
    let subs: Vec<&Command> = command.get_subcommands().filter(|sub| sub.get_name() != "help").collect();
    if !subs.is_empty() {
        let of = |sub: &&Command| {
            let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
            format!(".TP\n.B {}\n{}", escaped(sub.get_name()), escaped(&about))
        };
        section("COMMANDS", &subs.iter().map(of).collect::<Vec<_>>().join("\n"));
    }
    let options: Vec<String> = command.get_arguments().filter(|argument| !argument.is_hide_set()).map(option).collect();
    if !options.is_empty() {
        section("OPTIONS", &options.join("\n"));
    }
    if let Some(after) = command.get_after_help() {
        section("EXAMPLES", &format!(".nf\n{}\n.fi", escaped(after.to_string().trim_start_matches("Examples:\n"))));
    }
    section("EXIT STATUS", "0 done, 1 failed, 2 usage.");
    text
}

fn option(argument: &Arg) -> String {
    let values: Vec<String> =
        argument.get_value_names().unwrap_or_default().iter().map(|name| format!(" {}", escaped(name))).collect();
    let values = if argument.get_action().takes_values() { values.concat() } else { String::new() };
    let short = argument.get_short().map(|short| format!("-{short}"));
    let long = argument.get_long().map(|long| format!("--{long}"));
    let names: Vec<String> = short.into_iter().chain(long).map(|name| escaped(&name)).collect();
    let head = if names.is_empty() { values.trim().to_owned() } else { format!("{}{values}", names.join(", ")) };
    let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    format!(".TP\n.B {head}\n{}", escaped(&help))
}

/// Text that troff takes as text.
fn escaped(text: &str) -> String {
    let line = |line: &str| {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
    };
    text.lines().map(|text| if text.is_empty() { ".PP".to_owned() } else { line(text) }).collect::<Vec<_>>().join("\n")
}
