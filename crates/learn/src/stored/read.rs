//! Bytes to values, as [`super::write`] has written them.

use super::Malformed;
use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

/// What is left to read.
#[derive(Debug)]
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

fn short() -> Malformed {
    Malformed("the bytes end too soon".to_owned())
}

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or_else(short)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u64, Malformed> {
        let mut number = 0u64;
        for shift in (0..70).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Malformed("a number without end".to_owned()))
    }

    fn signed(&mut self) -> Result<i64, Malformed> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// The length of a list, each of whose elements takes a byte at least.
    fn length(&mut self) -> Result<usize, Malformed> {
        let len = self.number()?;
        usize::try_from(len).ok().filter(|len| *len <= self.0.len()).ok_or_else(short)
    }

    fn flag(&mut self) -> Result<bool, Malformed> {
        match self.number()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Malformed("neither yes nor no".to_owned())),
        }
    }

    fn text(&mut self) -> Result<&'a str, Malformed> {
        let len = self.length()?;
        std::str::from_utf8(self.take(len)?).map_err(|_| Malformed("a text that is none".to_owned()))
    }

    fn float<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        Ok(self.take(N)?.try_into().expect("as many bytes as were asked for"))
    }
}

macro_rules! numbers {
    ($($name:ident),*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
            visitor.visit_u64(self.number()?)
        }
    )*};
}

macro_rules! signed {
    ($($name:ident),*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
            visitor.visit_i64(self.signed()?)
        }
    )*};
}

macro_rules! texts {
    ($($name:ident),*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
            visitor.visit_borrowed_str(self.text()?)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Reader<'de> {
    type Error = Malformed;

    numbers!(deserialize_u8, deserialize_u16, deserialize_u32, deserialize_u64);
    signed!(deserialize_i8, deserialize_i16, deserialize_i32, deserialize_i64);
    texts!(deserialize_str, deserialize_string);

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Malformed> {
        Err(Malformed("these bytes do not say what they are".to_owned()))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        self.deserialize_any(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        self.deserialize_any(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        visitor.visit_bool(self.flag()?)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        let number = u32::try_from(self.number()?).ok().and_then(char::from_u32);
        visitor.visit_char(number.ok_or_else(|| Malformed("no character".to_owned()))?)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        visitor.visit_f32(f32::from_le_bytes(self.float()?))
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        visitor.visit_f64(f64::from_le_bytes(self.float()?))
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        let len = self.length()?;
        visitor.visit_borrowed_bytes(self.take(len)?)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        if self.flag()? { visitor.visit_some(self) } else { visitor.visit_none() }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Malformed> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Malformed> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        let left = self.length()?;
        visitor.visit_seq(Parts { reader: self, left })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, left: usize, visitor: V) -> Result<V::Value, Malformed> {
        visitor.visit_seq(Parts { reader: self, left })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        left: usize,
        visitor: V,
    ) -> Result<V::Value, Malformed> {
        visitor.visit_seq(Parts { reader: self, left })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        let left = self.length()?;
        visitor.visit_map(Parts { reader: self, left })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Malformed> {
        visitor.visit_seq(Parts { reader: self, left: fields.len() })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Malformed> {
        visitor.visit_enum(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The parts of a list, a map or a struct.
struct Parts<'r, 'de> {
    reader: &'r mut Reader<'de>,
    left: usize,
}

impl<'de> de::SeqAccess<'de> for Parts<'_, 'de> {
    type Error = Malformed;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Malformed> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> de::MapAccess<'de> for Parts<'_, 'de> {
    type Error = Malformed;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Malformed> {
        de::SeqAccess::next_element_seed(self, seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Malformed> {
        seed.deserialize(&mut *self.reader)
    }
}

impl<'de> de::EnumAccess<'de> for &mut Reader<'de> {
    type Error = Malformed;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Malformed> {
        let variant = u32::try_from(self.number()?).map_err(|_| Malformed("no such variant".to_owned()))?;
        let value = seed.deserialize(variant.into_deserializer())?;
        Ok((value, self))
    }
}

impl<'de> de::VariantAccess<'de> for &mut Reader<'de> {
    type Error = Malformed;

    fn unit_variant(self) -> Result<(), Malformed> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Malformed> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, left: usize, visitor: V) -> Result<V::Value, Malformed> {
        visitor.visit_seq(Parts { reader: self, left })
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Malformed> {
        visitor.visit_seq(Parts { reader: self, left: fields.len() })
    }
}
