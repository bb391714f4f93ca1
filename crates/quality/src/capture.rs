//! The measures of one capture: how blurred it is, which of its pages are sharp, and the moment it can be dated to.
//!
//! SHARC's (Denev et al., VLDB 2009), for any number of visits per page and any query interval. What is *expected* of
//! pages whose change rates are believed is written in plain numbers of any one unit of time; what *happened* to pages
//! whose history or digests are known, in [`Time`](tintype_vocab::Time).

mod coherence;
mod composite;
mod exact;
mod moments;
mod penalty;
mod sharp;
mod worst;

pub use coherence::{Coherent, Proven, coherent, proven};
pub use composite::{Composite, CompositeVerdict, Sighting, verdict};
pub use exact::{exact_blur, exact_blur_of_page};
pub use moments::{Moments, blur_moments};
pub use penalty::{expected_blur, penalty};
pub use sharp::{Ends, bracket, expected_sharp, is_sharp, sharp_moments};
pub use worst::{hot_outside_increase, worst_increase};
