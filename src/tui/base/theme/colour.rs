//! Arithmetic of colours: how far two are apart, and how well one is read on the other.

/// Red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rgb(pub(super) u8, pub(super) u8, pub(super) u8);

impl Rgb {
    /// Reads `#rrggbb`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let value = u32::from_str_radix(digits, 16).ok()?;
        Some(Self((value >> 16) as u8, (value >> 8) as u8, value as u8))
    }

    /// The channels as shares of light, from 0 to 1.
    pub(super) fn linear(self) -> [f64; 3] {
        [self.0, self.1, self.2].map(|value| {
            let value = f64::from(value) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        })
    }

    pub(super) fn luminance(self) -> f64 {
        let [red, green, blue] = self.linear();
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// The contrast of ink and paper as WCAG 2 defines it, from 1 to 21.
    pub(super) fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    /// How far apart two colours are for the eye, in Oklab: black and white are 1 apart.
    #[cfg(test)]
    pub(super) fn distance(self, other: Self) -> f64 {
        let (one, two) = (oklab(self.linear()), oklab(other.linear()));
        (0..3).map(|axis| (one[axis] - two[axis]).powi(2)).sum::<f64>().sqrt()
    }

    /// Lightness from 0 to 1, and the hue in degrees; greys have no hue.
    pub(super) fn lightness_and_hue(self) -> (f64, Option<f64>) {
        let [lightness, a, b] = oklab(self.linear());
        let hue = (a.hypot(b) > GREY).then(|| b.atan2(a).to_degrees().rem_euclid(360.0));
        (lightness, hue)
    }
}

/// Less colour than this is taken for none.
const GREY: f64 = 0.045;

/// Oklab (B. Ottosson, 2020): lightness, and two axes of colour on which distances are those that are seen.
pub(super) fn oklab([red, green, blue]: [f64; 3]) -> [f64; 3] {
    let l = (0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue).cbrt();
    let m = (0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue).cbrt();
    let s = (0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue).cbrt();
    [
        0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
        1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
        0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read() {
        assert_eq!(Rgb::parse("#14171c"), Some(Rgb(0x14, 0x17, 0x1c)));
        for wrong in ["14171c", "#1417", "#14171g", "#+4171c", "red", "#14171cff", "#é7171"] {
            assert_eq!(Rgb::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn contrast_and_distance_have_their_ends() {
        let (black, white) = (Rgb(0, 0, 0), Rgb(255, 255, 255));
        assert!((black.contrast(white) - 21.0).abs() < 0.01);
        assert!((black.contrast(black) - 1.0).abs() < 0.01);
        assert!((black.distance(white) - 1.0).abs() < 0.01);
        let (_, hue) = Rgb(255, 0, 0).lightness_and_hue();
        assert!(hue.is_some_and(|hue| (20.0..40.0).contains(&hue)), "{hue:?}");
        assert_eq!(Rgb(90, 92, 95).lightness_and_hue().1, None);
    }
}
