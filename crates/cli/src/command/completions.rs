//! `tintype completions`: what a shell offers when Tab is pressed, read off the very commands that are run.

use super::Arguments;
use crate::out;
use clap::{Args, Command, CommandFactory, ValueEnum};
use std::{fmt::Write, process::ExitCode};

/// Print what a shell needs to complete commands and options
///
/// Put it where your shell looks for it, once; it needs no update but with the program.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype completions bash > ~/.local/share/bash-completion/completions/tintype\n  tintype completions zsh > ~/.zfunc/_tintype      (with ~/.zfunc in fpath)\n  tintype completions fish > ~/.config/fish/completions/tintype.fish"
)]
pub(crate) struct Options {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// A command with all its words: `lab sharc`, its options, and what may follow it.
struct Place {
    words: Vec<String>,
    about: String,
    options: Vec<Choice>,
    below: Vec<Choice>,
}

/// Something that can be typed.
struct Choice {
    name: String,
    help: String,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut command = Arguments::command();
    command.build();
    let mut places = Vec::new();
    collect(&command, &[], &mut places);
    let text = match options.shell {
        Shell::Bash => bash(&places),
        Shell::Zsh => zsh(&places),
        Shell::Fish => fish(&places),
    };
    out::text(&text);
    Ok(ExitCode::SUCCESS)
}

fn collect(command: &Command, above: &[String], places: &mut Vec<Place>) {
    let visible = |command: &&Command| !command.is_hide_set() && command.get_name() != "help";
    let long = |argument: &clap::Arg| {
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        argument.get_long().map(|long| Choice { name: format!("--{long}"), help: first_line(&help) })
    };
    let below = |command: &Command| Choice { name: command.get_name().to_owned(), help: about(command) };
    places.push(Place {
        words: above.to_vec(),
        about: about(command),
        options: command.get_arguments().filter(|argument| !argument.is_hide_set()).filter_map(long).collect(),
        below: command.get_subcommands().filter(visible).map(below).collect(),
    });
    for sub in command.get_subcommands().filter(visible) {
        collect(sub, &[above, &[sub.get_name().to_owned()]].concat(), places);
    }
}

fn about(command: &Command) -> String {
    command.get_about().map(|about| first_line(&about.to_string())).unwrap_or_default()
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

fn names(choices: &[Choice]) -> impl Iterator<Item = &str> {
    choices.iter().map(|choice| choice.name.as_str())
}

fn bash(places: &[Place]) -> String {
    let mut text = "_tintype() {\n    local word=\"${COMP_WORDS[COMP_CWORD]}\" at=\"\" choices i\n    \
                    for ((i = 1; i < COMP_CWORD; i++)); do\n        case \"$at ${COMP_WORDS[i]}\" in\n"
        .to_owned();
    let known: Vec<String> = places.iter().skip(1).map(|place| format!("\" {}\"", place.words.join(" "))).collect();
    writeln!(text, "        {}) at=\"$at ${{COMP_WORDS[i]}}\" ;;", known.join(" | ")).expect("strings grow");
    text.push_str("        esac\n    done\n    case \"$at\" in\n");
    for place in places {
        let at = place.words.iter().map(|word| format!(" {word}")).collect::<String>();
        let all: Vec<&str> = names(&place.below).chain(names(&place.options)).collect();
        writeln!(text, "    \"{at}\") choices=\"{}\" ;;", all.join(" ")).expect("strings grow");
    }
    text.push_str(
        "    esac\n    if [[ $word == -* || -z $at ]]; then\n        COMPREPLY=($(compgen -W \"$choices\" -- \"$word\"))\n    \
         else\n        COMPREPLY=($(compgen -W \"$choices\" -- \"$word\") $(compgen -f -- \"$word\"))\n    fi\n}\n\
         complete -o filenames -F _tintype tintype\n",
    );
    text
}

/// A word inside single quotes of a shell, without what ends a description.
fn quoted(text: &str) -> String {
    text.replace('\'', "’").replace(['[', ']', '\\', '`', '$'], "")
}

fn zsh(places: &[Place]) -> String {
    let mut text =
        "#compdef tintype\n_tintype() {\n    local at=\"\" i\n    for ((i = 2; i < CURRENT; i++)); do\n        \
                    case \"$at ${words[i]}\" in\n"
            .to_owned();
    let known: Vec<String> = places.iter().skip(1).map(|place| format!("\" {}\"", place.words.join(" "))).collect();
    writeln!(text, "        {}) at=\"$at ${{words[i]}}\" ;;", known.join(" | ")).expect("strings grow");
    text.push_str("        esac\n    done\n    local -a choices\n    case \"$at\" in\n");
    for place in places {
        let at = place.words.iter().map(|word| format!(" {word}")).collect::<String>();
        let choice = |choice: &Choice| format!("'{}:{}'", choice.name, quoted(&choice.help).replace(':', ","));
        let all: Vec<String> = place.below.iter().chain(&place.options).map(choice).collect();
        writeln!(text, "    \"{at}\") choices=({}) ;;", all.join(" ")).expect("strings grow");
    }
    text.push_str("    esac\n    _describe 'tintype' choices\n    _files\n}\n_tintype \"$@\"\n");
    text
}

fn fish(places: &[Place]) -> String {
    let mut text = String::new();
    for place in places {
        let below = place.below.iter().map(|choice| choice.name.clone()).collect::<Vec<_>>().join(" ");
        let here: Vec<String> = place.words.iter().map(|word| format!("__fish_seen_subcommand_from {word}")).collect();
        let here = if here.is_empty() { "__fish_use_subcommand".to_owned() } else { here.join("; and ") };
        let not_below = if below.is_empty() {
            here.clone()
        } else {
            format!("{here}; and not __fish_seen_subcommand_from {below}")
        };
        writeln!(text, "# {}", if place.words.is_empty() { &place.about } else { &place.words[0] })
            .expect("strings grow");
        for choice in &place.below {
            let (name, help) = (&choice.name, quoted(&choice.help));
            writeln!(text, "complete -c tintype -n '{not_below}' -f -a {name} -d '{help}'").expect("strings grow");
        }
        for choice in &place.options {
            let (name, help) = (choice.name.trim_start_matches('-'), quoted(&choice.help));
            writeln!(text, "complete -c tintype -n '{here}' -l {name} -d '{help}'").expect("strings grow");
        }
    }
    text
}
