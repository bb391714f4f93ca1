//! Time stamps (RFC 3161): an authority says that some bytes were there at a time.

use super::{
    der::{GENERALIZED_TIME, INTEGER, Item, Items, OCTET_STRING, OID, SEQUENCE, SET, written},
    public_key::{Certified, Hashing, to_pem},
};
use sha2::{Digest as _, Sha256, Sha384, Sha512};
use tintype_vocab::Time;

/// Media types of question and answer.
pub const QUERY_TYPE: &str = "application/timestamp-query";
pub const REPLY_TYPE: &str = "application/timestamp-reply";

const SHA256: &[u8] = &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01];
const SHA384: &[u8] = &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02];
const SHA512: &[u8] = &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03];
const SIGNED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02];
const MESSAGE_DIGEST: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x04];
/// The purpose a certificate for time stamps has.
const TIME_STAMPING: &[u8] = &[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x08];

/// A time stamp that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeStamp {
    pub time: Time,
    /// Whom the certificate that signed it names.
    pub by: String,
    /// The certificates that came with it.
    pub certificates: String,
}

/// Why a time stamp does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeStampError {
    #[error("the answer is no time stamp")]
    Malformed,
    #[error("the authority refused")]
    Refused,
    #[error("the time stamp is of other bytes")]
    OtherBytes,
    #[error("the time stamp comes without the certificate it was signed with")]
    NoCertificate,
    #[error("the signature of the time stamp is wrong")]
    WrongSignature,
}

/// The question for a time stamp of these bytes; the nonce ties the answer to it.
pub fn query(bytes: &[u8], nonce: u64) -> Vec<u8> {
    let algorithm = written(SEQUENCE, &[written(OID, SHA256), vec![0x05, 0x00]].concat());
    let imprint = [algorithm, written(OCTET_STRING, &Sha256::digest(bytes))].concat();
    let nonce: Vec<u8> = [&[0][..], &nonce.to_be_bytes()].concat();
    let with_certificates = vec![0x01, 0x01, 0xff];
    let parts =
        [written(INTEGER, &[1]), written(SEQUENCE, &imprint), written(INTEGER, &minimal(&nonce)), with_certificates];
    written(SEQUENCE, &parts.concat())
}

/// Without zeros in front that the number does not need.
fn minimal(digits: &[u8]) -> Vec<u8> {
    let needless = digits.windows(2).take_while(|two| two[0] == 0 && two[1] < 0x80).count();
    digits[needless..].to_vec()
}

/// Reads an authority's answer and holds it against the bytes it is about.
pub fn read(answer: &[u8], bytes: &[u8]) -> Result<TimeStamp, TimeStampError> {
    let mut parts = Items(answer).read(SEQUENCE).ok_or(TimeStampError::Malformed)?.items();
    let status = parts.read(SEQUENCE).and_then(|status| status.items().read(INTEGER));
    match status.ok_or(TimeStampError::Malformed)?.body {
        [0 | 1] => {}
        _ => return Err(TimeStampError::Refused),
    }
    let token = parts.read(SEQUENCE).and_then(Token::read).ok_or(TimeStampError::Malformed)?;
    let (time, imprint) = token.says().ok_or(TimeStampError::Malformed)?;
    if imprint != Sha256::digest(bytes).as_slice() {
        return Err(TimeStampError::OtherBytes);
    }
    if token.certificates.is_empty() {
        return Err(TimeStampError::NoCertificate);
    }
    let signer = token.certificates.iter().find_map(|certificate| token.signer(*certificate));
    let certificates = token.certificates.iter().map(|certificate| to_pem(certificate.whole)).collect();
    Ok(TimeStamp { time, by: signer.ok_or(TimeStampError::WrongSignature)?, certificates })
}

/// A signed statement.
struct Token<'a> {
    info: &'a [u8],
    certificates: Vec<Item<'a>>,
    hashing: Hashing,
    attributes: Item<'a>,
    signature: &'a [u8],
}

impl<'a> Token<'a> {
    fn read(token: Item<'a>) -> Option<Token<'a>> {
        let mut content = token.items();
        content.read(OID).filter(|kind| kind.body == SIGNED_DATA)?;
        let mut signed = content.read(0xa0)?.items().read(SEQUENCE)?.items();
        signed.read(INTEGER)?;
        signed.read(SET)?;
        let mut content = signed.read(SEQUENCE)?.items();
        content.read(OID)?;
        let info = content.read(0xa0)?.items().read(OCTET_STRING)?.body;
        let certificates = signed.read_if(0xa0).map(|all| all.items().collect()).unwrap_or_default();
        signed.read_if(0xa1);
        let mut signer = signed.read(SET)?.items().read(SEQUENCE)?.items();
        signer.read(INTEGER)?;
        signer.next()?;
        let hashing = hashing(signer.read(SEQUENCE)?.items().read(OID)?.body)?;
        let attributes = signer.read(0xa0)?;
        signer.read(SEQUENCE)?;
        let signature = signer.read(OCTET_STRING)?.body;
        Some(Token { info, certificates, hashing, attributes, signature })
    }

    /// The time, and the digest of the bytes it is said of.
    fn says(&self) -> Option<(Time, &'a [u8])> {
        let mut fields = Items(self.info).read(SEQUENCE)?.items();
        fields.read(INTEGER)?;
        fields.read(OID)?;
        let mut imprint = fields.read(SEQUENCE)?.items();
        imprint.read(SEQUENCE)?.items().read(OID).filter(|algorithm| algorithm.body == SHA256)?;
        let digest = imprint.read(OCTET_STRING)?.body;
        fields.read(INTEGER)?;
        let time = std::str::from_utf8(fields.read(GENERALIZED_TIME)?.body).ok()?;
        Some((Time::parse_timestamp14(time.get(..14)?).ok()?, digest))
    }

    /// The name of a certificate, if it signed this.
    fn signer(&self, certificate: Item<'_>) -> Option<String> {
        let certified = Certified::read(certificate)?;
        let digest = self.attributes.items().find_map(|attribute| {
            let mut pair = attribute.items();
            pair.read(OID).filter(|kind| kind.body == MESSAGE_DIGEST)?;
            Some(pair.read(SET)?.items().read(OCTET_STRING)?.body)
        })?;
        let is_for_time = memchr::memmem::find(certificate.whole, TIME_STAMPING).is_some();
        // What is signed are the attributes as a set, whatever tag they have in the message.
        let signed = written(SET, self.attributes.body);
        let holds = is_for_time
            && digest == self.hashing.of(self.info)
            && certified.has_signed(self.hashing, &signed, self.signature);
        holds.then_some(certified.name)
    }
}

fn hashing(oid: &[u8]) -> Option<Hashing> {
    Some(match oid {
        SHA256 => Hashing::Sha256,
        SHA384 => Hashing::Sha384,
        SHA512 => Hashing::Sha512,
        _ => return None,
    })
}

impl Hashing {
    fn of(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Hashing::Sha256 => Sha256::digest(bytes).to_vec(),
            Hashing::Sha384 => Sha384::digest(bytes).to_vec(),
            Hashing::Sha512 => Sha512::digest(bytes).to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_question_is_as_the_standard_writes_it() {
        let query = query(b"abc", 0x0102);
        let mut fields = Items(&query).read(SEQUENCE).unwrap().items();
        assert_eq!(fields.read(INTEGER).unwrap().body, [1]);
        let mut imprint = fields.read(SEQUENCE).unwrap().items();
        assert_eq!(imprint.next().unwrap().items().read(OID).unwrap().body, SHA256);
        assert_eq!(imprint.read(OCTET_STRING).unwrap().body, Sha256::digest(b"abc").as_slice());
        assert_eq!(fields.read(INTEGER).unwrap().body, [1, 2]);
        assert_eq!(fields.next().unwrap().body, [0xff]);
        assert_eq!(minimal(&[0, 0x80]), [0, 0x80]);
    }

    #[test]
    fn a_refusal_and_nonsense_are_no_stamps() {
        let refusal = written(SEQUENCE, &written(SEQUENCE, &written(INTEGER, &[2])));
        assert_eq!(read(&refusal, b"abc"), Err(TimeStampError::Refused));
        assert_eq!(read(b"nothing", b"abc"), Err(TimeStampError::Malformed));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let granted = written(SEQUENCE, &[written(SEQUENCE, &written(INTEGER, &[0])), bytes.clone()].concat());
            prop_assert!(read(&granted, b"abc").is_err() && read(&bytes, b"abc").is_err());
        }
    }
}
