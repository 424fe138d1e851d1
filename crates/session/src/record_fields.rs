//! Fields of a JSON record, as a message carries them.

use serde::de::{MapAccess, Visitor};
use serde::ser::{Error, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use std::fmt;

/// Fields of a typed record in the order of its type, each with its value as JSON text, so that large
/// numbers keep all digits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordFields(Vec<(String, String)>);

impl RecordFields {
    /// Returns the fields of a record; none of a value that is not an object.
    pub fn of(record: &impl Serialize) -> Self {
        let text = serde_json::to_string(record).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Adds the fields of another record; a field that is there keeps its value.
    pub fn extend(&mut self, record: &impl Serialize) {
        for (name, value) in Self::of(record).0 {
            if !self.has(&name) {
                self.0.push((name, value));
            }
        }
    }

    /// Puts the fields of another record first; a field that is there keeps its value.
    pub fn prepend(&mut self, record: &impl Serialize) {
        let mut first = Self::of(record);
        first.0.retain(|(name, _)| !self.has(name));
        first.0.append(&mut self.0);
        *self = first;
    }

    /// Returns true if there is a field with this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// Returns true without fields.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes all fields into an object.
    pub(super) fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.0.iter().try_for_each(|(name, value)| {
            let value = RawValue::from_string(value.clone()).map_err(M::Error::custom)?;
            map.serialize_entry(name, &value)
        })
    }
}

impl<'de> Deserialize<'de> for RecordFields {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = RecordFields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<RecordFields, M::Error> {
                let mut fields = vec![];
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    fields.push((name, value.get().to_owned()));
                }
                Ok(RecordFields(fields))
            }
        }

        from.deserialize_map(Fields)
    }
}

impl Serialize for RecordFields {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        self.write(&mut map)?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::RecordFields;
    use serde::Serialize;

    #[test]
    fn fields_keep_their_order_and_all_digits() {
        #[derive(Serialize)]
        struct Sample {
            second: u128,
            first: Option<&'static str>,
            list: Vec<u8>,
        }
        let sample = Sample { second: u128::MAX, first: None, list: vec![1, 2] };
        let fields = RecordFields::of(&sample);
        let text = format!("{{\"second\":{},\"first\":null,\"list\":[1,2]}}", u128::MAX);
        assert_eq!(serde_json::to_string(&fields).unwrap(), text);
        assert!(fields.has("first") && !fields.has("third"));
        assert!(RecordFields::of(&7).is_empty());
    }
}
