//! The binary as a person uses it, against real servers on loopback. One file per behaviour, named as a sentence.

mod a_capture_survives_being_killed;
mod a_certificate_can_be_checked_by_a_stranger;
mod a_public_site_cannot_point_into_private_space;
mod a_real_web_server_is_captured;
mod a_recapture_asks_only_what_changed;
mod bad_input_gets_a_sentence;
mod bench;
mod captures_are_compared_as_in_the_sharc_paper;
mod certificates_keep_what_they_promise;
mod every_command_explains_itself;
mod everything_linked_is_found;
mod host;
mod hostile_servers_end_in_an_outcome;
mod other_tools_read_what_we_write;
mod policies_play_a_recorded_past;
mod politeness_is_kept;
mod second_looks_are_proof;
mod several_sites_run_side_by_side;
mod simulation_and_reality_ask_alike;
mod the_demo_tells_what_really_happened;
mod the_past_is_served_at_any_speed;
mod the_rooms_keep_to_their_arrows;
