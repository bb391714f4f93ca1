//! As much of DER as signatures and time stamps are written in.

pub(super) const INTEGER: u8 = 0x02;
pub(super) const BIT_STRING: u8 = 0x03;
pub(super) const OCTET_STRING: u8 = 0x04;
pub(super) const OID: u8 = 0x06;
pub(super) const GENERALIZED_TIME: u8 = 0x18;
pub(super) const SEQUENCE: u8 = 0x30;
pub(super) const SET: u8 = 0x31;

/// One value: its tag, what it holds, and all of its bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Item<'a> {
    pub(super) tag: u8,
    pub(super) body: &'a [u8],
    pub(super) whole: &'a [u8],
}

/// Values that stand one behind the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Items<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        let (tag, rest) = self.0.split_first()?;
        let (first, mut rest) = rest.split_first()?;
        let mut len = usize::from(*first);
        if len & 0x80 != 0 {
            let digits = rest.get(..len & 0x7f).filter(|digits| (1..=4).contains(&digits.len()))?;
            rest = &rest[digits.len()..];
            len = digits.iter().fold(0, |len, digit| len << 8 | usize::from(*digit));
        }
        let body = rest.get(..len)?;
        let whole_len = self.0.len() - rest.len() + len;
        let whole = &self.0[..whole_len];
        self.0 = &self.0[whole_len..];
        Some(Item { tag: *tag, body, whole })
    }
}

impl<'a> Items<'a> {
    /// The next value, if it is of this kind.
    pub(super) fn read(&mut self, tag: u8) -> Option<Item<'a>> {
        self.next().filter(|item| item.tag == tag)
    }

    /// The next value if it is of this kind; otherwise it stays.
    pub(super) fn read_if(&mut self, tag: u8) -> Option<Item<'a>> {
        if self.0.first() == Some(&tag) { self.next() } else { None }
    }
}

impl<'a> Item<'a> {
    pub(super) fn items(self) -> Items<'a> {
        Items(self.body)
    }
}

/// Writes a value.
pub(super) fn written(tag: u8, body: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    match u8::try_from(body.len()) {
        Ok(len) if len < 0x80 => out.push(len),
        _ => {
            let digits: Vec<u8> = body.len().to_be_bytes().into_iter().skip_while(|digit| *digit == 0).collect();
            out.push(0x80 | digits.len() as u8);
            out.extend(digits);
        }
    }
    out.extend_from_slice(body);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_any_length_read_back_and_cut_ones_do_not() {
        for len in [0, 1, 127, 128, 300, 70_000] {
            let value = written(OCTET_STRING, &vec![7; len]);
            let item = Items(&value).read(OCTET_STRING).unwrap();
            assert_eq!((item.body.len(), item.whole.len()), (len, value.len()));
            assert_eq!(Items(&value[..value.len() - 1]).next(), None);
        }
        assert_eq!(Items(&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff]).next(), None);
    }
}
