//! Author, source and date of a problem, from the lines with keywords of its sheet or of a file of Popeye.

/// Further information about a problem.
#[derive(Clone, Copy, Debug, Default)]
pub struct Credits<'a> {
    /// Its title or author line.
    pub title: Option<&'a str>,
    /// Comment lines of its source.
    pub comments: &'a [String],
    /// Comment lines of the whole file; those of the problem come before them.
    pub heading: &'a [String],
}

/// Keywords of authors, sources and dates, in three languages, in lower case.
const AUTHOR: [&str; 5] = ["author", "authors", "autor", "autoren", "auteur"];
const SOURCE: [&str; 3] = ["source", "origin", "quelle"];
const DATE: [&str; 2] = ["date", "datum"];

impl Credits<'_> {
    /// Returns the authors; those of several lines with `&` between them.
    pub(crate) fn author(&self) -> Option<String> {
        self.values(&AUTHOR).map(|authors| authors.join(" & "))
    }

    /// Returns the source.
    pub(crate) fn source(&self) -> Option<String> {
        self.values(&SOURCE).map(|sources| sources.join(", "))
    }

    /// Returns the date as PGN writes it, with `?` for digits that are not known: that of a keyword, or the year of the
    /// source.
    pub(crate) fn date(&self) -> String {
        let date = self.values(&DATE).and_then(|dates| pgn_date(dates[0]));
        let year = || {
            let year = self.source().as_deref().and_then(year_of)?;
            Some(format!("{year}.??.??"))
        };
        date.or_else(year).unwrap_or_else(|| "????.??.??".to_owned())
    }

    /// Returns the values of keywords in the problem, or else in the heading of the file.
    fn values(&self, keywords: &[&str]) -> Option<Vec<&str>> {
        [self.comments, self.heading].into_iter().find_map(|lines| {
            let values = lines.iter().filter_map(|line| {
                let line = line.trim_start_matches(['#', '%', ';', '/']);
                let (keyword, value) = line.split_once(':')?;
                let keyword = keyword.trim().to_lowercase();
                keywords.contains(&keyword.as_str()).then_some(value.trim())
            });
            let values: Vec<&str> = values.filter(|value| !value.is_empty()).collect();
            (!values.is_empty()).then_some(values)
        })
    }
}

/// Reads `1998`, `5/1998`, `27.5.1998` or `1998-05-27`, in the order day, month, year or the reverse one.
fn pgn_date(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split(['.', '/', '-']).map(str::trim).collect();
    let parts: Vec<&str> = match parts.as_slice() {
        [year, ..] if year.len() == 4 => parts,
        _ => parts.into_iter().rev().collect(),
    };
    let in_range = |text: Option<&&str>, most: u16| match text {
        None => Some("??".to_owned()),
        Some(text) => {
            let number = text.parse().ok().filter(|number| (1..=most).contains(number))?;
            Some(format!("{number:02}"))
        }
    };
    let of_numbers = || {
        let year = parts.first().filter(|year| year.len() == 4)?.parse::<u16>().ok()?;
        let (month, day) = (in_range(parts.get(1), 12)?, in_range(parts.get(2), 31)?);
        (parts.len() <= 3).then(|| format!("{year:04}.{month}.{day}"))
    };
    // Months in words are not read.
    of_numbers().or_else(|| year_of(text).map(|year| format!("{year}.??.??")))
}

/// Returns the last number of four digits that may be a year.
fn year_of(text: &str) -> Option<u16> {
    let numbers = text.split(|symbol: char| !symbol.is_ascii_digit());
    let mut years = numbers.filter(|number| number.len() == 4).filter_map(|year| year.parse().ok());
    years.rfind(|year| (1800..2200).contains(year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_of_the_problem_come_before_those_of_the_file() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let comments =
            lines("Author: A. One\n# a remark: x\n# Autor: B. Two\nSource: Probleemblad 1998");
        let heading = lines("# Author: C. Three\nDate: 5/1997");
        let credits = Credits { title: None, comments: &comments, heading: &heading };
        assert_eq!(credits.author().as_deref(), Some("A. One & B. Two"));
        assert_eq!(credits.source().as_deref(), Some("Probleemblad 1998"));
        assert_eq!(credits.date(), "1997.05.??");
        let credits = Credits { heading: &[], ..credits };
        assert_eq!(credits.date(), "1998.??.??");
        let none = Credits::default();
        assert_eq!((none.author(), none.date()), (None, "????.??.??".to_owned()));
    }

    #[test]
    fn dates_are_read_in_both_orders() {
        for (text, expected) in [
            ("1998", Some("1998.??.??")),
            ("5/1998", Some("1998.05.??")),
            ("27.5.1998", Some("1998.05.27")),
            ("1998-05-27", Some("1998.05.27")),
            ("May 1998", Some("1998.??.??")),
            ("13/1998", Some("1998.??.??")),
            ("soon", None),
            ("12345", None),
        ] {
            assert_eq!(pgn_date(text).as_deref(), expected, "{text}");
        }
    }
}
