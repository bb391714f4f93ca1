//! The binary as a person uses it, against real servers on loopback. One file per behaviour, named as a sentence.

mod a_capture_survives_being_killed;
mod bad_input_gets_a_sentence;
mod bench;
mod other_tools_read_what_we_write;
mod simulation_and_reality_ask_alike;
mod the_rooms_keep_to_their_arrows;
