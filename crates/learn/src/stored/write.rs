//! Values to bytes: integers in as few as they need, floats as they are, lists after their length.

use super::Malformed;
use serde::{Serialize, ser};

#[derive(Debug, Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn length(&mut self, len: Option<usize>) -> Result<(), Malformed> {
        let len = len.ok_or_else(|| ser::Error::custom("a list of unknown length"))?;
        self.number(len as u64);
        Ok(())
    }
}

/// Numbers are written as the widest of their kind.
macro_rules! as_numbers {
    ($($name:ident: $type:ty),*) => {$(
        fn $name(self, value: $type) -> Result<(), Malformed> {
            self.number(u64::from(value));
            Ok(())
        }
    )*};
}

macro_rules! as_signed {
    ($($name:ident: $type:ty),*) => {$(
        fn $name(self, value: $type) -> Result<(), Malformed> {
            let value = i64::from(value);
            self.number((value << 1 ^ value >> 63) as u64);
            Ok(())
        }
    )*};
}

impl ser::Serializer for &mut Writer {
    type Ok = ();
    type Error = Malformed;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    as_numbers!(serialize_bool: bool, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64);
    as_numbers!(serialize_char: char);
    as_signed!(serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64);

    fn serialize_f32(self, value: f32) -> Result<(), Malformed> {
        self.0.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }

    fn serialize_f64(self, value: f64) -> Result<(), Malformed> {
        self.0.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Result<(), Malformed> {
        self.serialize_bytes(text.as_bytes())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Malformed> {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Malformed> {
        self.serialize_bool(false)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Malformed> {
        self.serialize_bool(true)?;
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Malformed> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Malformed> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, variant: u32, _: &'static str) -> Result<(), Malformed> {
        self.serialize_u32(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Malformed> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        variant: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Malformed> {
        self.number(u64::from(variant));
        value.serialize(self)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self, Malformed> {
        self.length(len)?;
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Malformed> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Malformed> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        variant: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Malformed> {
        self.number(u64::from(variant));
        Ok(self)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self, Malformed> {
        self.length(len)?;
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Malformed> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        variant: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Malformed> {
        self.number(u64::from(variant));
        Ok(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// What has parts is its parts, one after the other.
macro_rules! parts {
    ($($trait:ident $name:ident),*) => {$(
        impl ser::$trait for &mut Writer {
            type Ok = ();
            type Error = Malformed;

            fn $name<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Malformed> {
                value.serialize(&mut **self)
            }

            fn end(self) -> Result<(), Malformed> {
                Ok(())
            }
        }
    )*};
}

macro_rules! named_parts {
    ($($trait:ident),*) => {$(
        impl ser::$trait for &mut Writer {
            type Ok = ();
            type Error = Malformed;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, _: &'static str, value: &T) -> Result<(), Malformed> {
                value.serialize(&mut **self)
            }

            fn end(self) -> Result<(), Malformed> {
                Ok(())
            }
        }
    )*};
}

parts!(SerializeSeq serialize_element, SerializeTuple serialize_element);
parts!(SerializeTupleStruct serialize_field, SerializeTupleVariant serialize_field);
named_parts!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for &mut Writer {
    type Ok = ();
    type Error = Malformed;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Malformed> {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Malformed> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<(), Malformed> {
        Ok(())
    }
}
