use super::{
    write::{central_header, directory_end},
    *,
};
use proptest::prelude::*;
use std::io::Cursor;

fn package(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = Writer::new(Cursor::new(Vec::new()));
    members.iter().for_each(|(name, bytes)| writer.add(name, &mut &bytes[..], bytes.len() as u64).unwrap());
    writer.finish().unwrap().into_inner()
}

#[test]
fn stored_members_come_back_from_their_ranges() {
    let bytes = package(&[("archive/a.warc.gz", b"abc"), ("é.txt", b""), ("b", &[9; 999])]);
    let mut file = Cursor::new(&bytes);
    let members = directory(&mut file).unwrap();
    assert_eq!(members.iter().map(|m| m.name.as_str()).collect::<Vec<_>>(), ["archive/a.warc.gz", "é.txt", "b"]);
    let start = members[0].data_start(&mut file).unwrap() as usize;
    assert_eq!(&bytes[start..start + 3], b"abc");
    assert_eq!(members[2].read(&mut file, 999).unwrap(), [9; 999]);
    assert!(matches!(members[2].read(&mut file, 998), Err(ZipError::TooLarge)));
}

#[test]
fn numbers_too_wide_for_the_old_format_come_back() {
    let huge = Member { name: "x".into(), deflated: false, stored: 1 << 40, size: 1 << 40, crc32: 7, header: 1 << 41 };
    let mut entry = Vec::new();
    central_header(&huge, &mut entry);
    assert_eq!(directory_entry(&mut Fields(&entry)).unwrap(), huge);
    let mut bytes = entry.clone();
    bytes.extend(directory_end(70_000, entry.len() as u64, 0));
    // A directory of that many members says so in the ZIP64 record; its place is still in the short one.
    assert_eq!(directory(&mut Cursor::new(bytes)).unwrap(), [huge]);
    let mut far = directory_end(1, 3, 1 << 33);
    let moved = ((1u64 << 33) + 3).to_le_bytes();
    let at = memchr::memmem::find(&far, &moved).unwrap();
    far[at..at + 8].copy_from_slice(&0u64.to_le_bytes());
    assert_eq!(directory_place(&mut Cursor::new(far)).unwrap(), (1 << 33, 3));
}

#[test]
fn a_cut_package_is_refused_not_misread() {
    let bytes = package(&[("a", b"abc"), ("b", b"defg")]);
    for cut in 0..bytes.len() {
        assert!(directory(&mut Cursor::new(&bytes[..cut])).is_err(), "cut at {cut}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), at in 0usize..200) {
        let mut file = package(&[("a", b"abc"), ("b", b"defg")]);
        let end = file.len().min(at + bytes.len());
        for (to, from) in file[at.min(end)..end].iter_mut().zip(&bytes) {
            *to = *from;
        }
        for bytes in [&bytes, &file] {
            let mut file = Cursor::new(bytes);
            for member in directory(&mut file).unwrap_or_default() {
                let _ = member.read(&mut file, 1000);
            }
        }
    }
}
