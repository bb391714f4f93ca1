//! Indexes in compressed blocks: any second index, any block, and every line is found again through them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_warc::{
    cdxj::{self, Line},
    zipnum,
};

fuzz_target!(|data: &[u8]| {
    zipnum::inflate_block(data);
    let text = String::from_utf8_lossy(data);
    let blocks = zipnum::parse_index(&text);
    for block in blocks.iter().take(100) {
        zipnum::blocks_of(&blocks, block.first.split(' ').next().unwrap_or_default());
    }
    let proper = |line: &str| Line::parse(line).is_ok_and(|line| line.key.bytes().all(|byte| byte.is_ascii_graphic()));
    let mut lines: Vec<String> = text.lines().filter(|line| proper(line)).map(str::to_owned).collect();
    cdxj::sort(&mut lines);
    // Blocks of 300 lines are more than a fuzzer fills; repeated keys make up for it.
    let many: Vec<&str> = lines.iter().flat_map(|line| std::iter::repeat_n(line.as_str(), 101)).collect();
    let mut file = Vec::new();
    let index = zipnum::write(many.iter().copied(), "index.cdx.gz", &mut file).expect("memory takes all bytes");
    let blocks = zipnum::parse_index(&index);
    assert_eq!(blocks.len(), many.len().div_ceil(zipnum::LINES_PER_BLOCK));
    for line in lines.iter().take(50) {
        let (key, _, _) = cdxj::split(line).expect("a line that was parsed");
        let found = zipnum::blocks_of(&blocks, key).iter().any(|block| {
            let member = &file[block.offset as usize..][..block.length as usize];
            zipnum::inflate_block(member).expect("our own block").split('\n').any(|found| found == line)
        });
        assert!(found, "{line} is not found by its key");
    }
});
