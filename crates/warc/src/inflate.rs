//! One gzip member at once with libdeflate: two and a half times as fast as a streaming inflater.
//!
//! The safe wrapper crate does not say how much input a member took, which is what finding the next one needs.

use libdeflate_sys::{
    libdeflate_alloc_decompressor, libdeflate_decompressor, libdeflate_free_decompressor,
    libdeflate_gzip_decompress_ex, libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE,
    libdeflate_result_LIBDEFLATE_SUCCESS,
};
use std::ptr::NonNull;

/// How an attempt at one member ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inflated {
    /// The member is whole and its checksum right.
    Member { consumed: usize, produced: usize },
    /// It does not fit the output.
    NoSpace,
    /// Damaged, or it goes on beyond the input.
    Bad,
}

#[derive(Debug)]
pub(crate) struct Inflater(NonNull<libdeflate_decompressor>);

// SAFETY: the decompressor is plain memory owned by this value alone and tied to no thread.
#[allow(unsafe_code)]
unsafe impl Send for Inflater {}

impl Inflater {
    #[allow(unsafe_code)]
    pub(crate) fn new() -> Inflater {
        // SAFETY: no preconditions; null means out of memory.
        let pointer = unsafe { libdeflate_alloc_decompressor() };
        Inflater(NonNull::new(pointer).expect("memory for a decompressor"))
    }

    #[allow(unsafe_code)]
    pub(crate) fn member(&mut self, input: &[u8], output: &mut [u8]) -> Inflated {
        let (mut consumed, mut produced) = (0, 0);
        // SAFETY: both pointers come with the lengths of their slices, the counters outlive the call, and `&mut self`
        // makes this the only user of the decompressor.
        let result = unsafe {
            libdeflate_gzip_decompress_ex(
                self.0.as_ptr(),
                input.as_ptr().cast(),
                input.len(),
                output.as_mut_ptr().cast(),
                output.len(),
                &mut consumed,
                &mut produced,
            )
        };
        #[allow(non_upper_case_globals)]
        match result {
            libdeflate_result_LIBDEFLATE_SUCCESS => Inflated::Member { consumed, produced },
            libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE => Inflated::NoSpace,
            _ => Inflated::Bad,
        }
    }
}

impl Drop for Inflater {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: allocated in `new`, freed nowhere else.
        unsafe { libdeflate_free_decompressor(self.0.as_ptr()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_told_apart_and_damage_from_lack_of_room() {
        let mut bytes = Vec::new();
        let first = crate::Encoder::default().encode(&crate::Header::new(), &[b"abc"], &mut bytes);
        crate::Encoder::default().encode(&crate::Header::new(), &[b"defg"], &mut bytes);
        let (mut inflater, mut out) = (Inflater::new(), [0; 64]);
        let Inflated::Member { consumed, produced } = inflater.member(&bytes, &mut out) else { panic!() };
        assert_eq!((consumed, &out[..produced]), (first, &b"WARC/1.1\r\n\r\nabc\r\n\r\n"[..]));
        assert_eq!(inflater.member(&bytes, &mut out[..4]), Inflated::NoSpace);
        assert_eq!(inflater.member(&bytes[..first - 1], &mut out), Inflated::Bad);
        assert_eq!(inflater.member(b"", &mut out), Inflated::Bad);
    }
}
