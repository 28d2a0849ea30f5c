//! Enums whose variants each have one word.

/// Makes an enum whose variants people and files name by a word: one row a variant, so that a new one cannot miss its word.
/// Behind the enum's name stands what is made of the rows, as visible as the enum: `ALL`, an array of the variants;
/// `from_name`, the way back; any other name, the method that gives the word. No derive of the tree's crates gives the list
/// as an array.
macro_rules! words {
    (@enum ($(#[$of_enum:meta])*) $visibility:vis $name:ident {
        $($(#[$of_variant:meta])* $variant:ident = $word:literal,)+
    }) => {
        $(#[$of_enum])*
        $visibility enum $name {
            $($(#[$of_variant])* $variant,)+
        }
    };
    (@ALL $visibility:vis $name:ident { $($(#[$_:meta])* $variant:ident = $word:literal,)+ }) => {
        $visibility const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];
    };
    (@from_name $visibility:vis $name:ident { $($(#[$_:meta])* $variant:ident = $word:literal,)+ }) => {
        $visibility fn from_name(name: &str) -> Option<Self> {
            match name {
                $($word => Some(Self::$variant),)+
                _ => None,
            }
        }
    };
    (@$method:ident $visibility:vis $name:ident { $($(#[$_:meta])* $variant:ident = $word:literal,)+ }) => {
        $visibility const fn $method(self) -> &'static str {
            match self {
                $(Self::$variant => $word,)+
            }
        }
    };
    ($(#[$of_enum:meta])* $visibility:vis enum $name:ident: [$($made:ident),+] $rows:tt) => {
        $crate::settings::words!(@enum ($(#[$of_enum])*) $visibility $name $rows);

        impl $name {
            $($crate::settings::words!(@$made $visibility $name $rows);)+
        }
    };
}

pub(crate) use words;
