//! Dates as feeds write them.

use tintype_vocab::Time;

/// RFC 3339 as Atom has it, or RFC 822 as RSS has it, with the usual liberties.
pub(crate) fn parse(text: &str) -> Option<Time> {
    Time::parse_rfc3339(text).ok().or_else(|| Time::parse_mail_date(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_all_feeds_read() {
        let expected = Time::parse_rfc3339("2003-06-10T04:00:00Z").ok();
        for text in [
            "2003-06-10T04:00:00Z",
            "Tue, 10 Jun 2003 04:00:00 GMT",
            "10 June 2003 04:00",
            "Tue, 10 Jun 03 06:00:00 +0200",
            "Tue, 10 Jun 2003 00:00:00 EDT",
            "Mon, 09 Jun 2003 20:00:00 PST",
            " Tue, 10 Jun 2003 04:00:00 +00:00 ",
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
        for text in [
            "",
            "yesterday",
            "Tue, 10 Foo 2003",
            "99 Jun 2003",
            "10 Jun 2003 04:00 XYZ",
            "10 Jun 2003 04:00 +é",
            "1 é 2",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
