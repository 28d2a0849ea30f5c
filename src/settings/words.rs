//! Enums whose variants each have one word.

/// Makes an enum whose variants people and files name by a word. The list, the word and the way back come from one row a
/// variant, so that a new one cannot miss any of them; no derive of the tree's crates gives the list as an array.
macro_rules! words {
    (
        $(#[$of_enum:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$of_variant:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$of_enum])*
        $visibility enum $name {
            $($(#[$of_variant])* $variant,)+
        }

        impl $name {
            $visibility const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            pub(crate) fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }
        }
    };
}

pub(crate) use words;
