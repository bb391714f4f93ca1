//! Cho and Garcia-Molina (2003): the frequencies that keep the largest share of copies right at any moment.
//!
//! With f visits a day of a page that changes λ times a day, freshness is (1 − e^−y)/y with y = λ/f. At the optimum one
//! more visit is worth the same everywhere: g(λ/f)/λ = μ. Where μλ ≥ 1 no visit is worth it.

use super::by_frequency::balance;
use tintype_learn::grid::Curve;

pub(super) fn allocate(rates: &[f64], per_day: f64) -> Vec<f64> {
    let spend = |price: f64| rates.iter().map(|rate| frequency(*rate, price)).sum();
    let price = balance(per_day, spend);
    rates.iter().map(|rate| frequency(*rate, price)).collect()
}

/// The frequency at which a visit to a page of this rate is worth the price.
fn frequency(rate: f64, price: f64) -> f64 {
    let target = price * rate;
    if target >= 1.0 || rate <= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0f64, 64.0f64);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if Curve::Freshness.at(middle) < target { low = middle } else { high = middle }
    }
    if low == 0.0 { 0.0 } else { rate / ((low + high) / 2.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_b01_five_pages() {
        let expected = [1.149_892_273_48, 1.358_411_947_41, 1.353_835_317_92, 1.137_860_461_19, 0.0];
        for (got, expected) in allocate(&[1.0, 2.0, 3.0, 4.0, 5.0], 5.0).iter().zip(expected) {
            assert!((got - expected).abs() < 1e-6, "{got} {expected}");
        }
    }
}
