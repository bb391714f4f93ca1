//! LambdaCrawl (Kolobov et al., NeurIPS 2019): least harmonic staleness, visits at random moments.
//!
//! Minimises Σ log((ρ + λ)/ρ) under Σρ = budget; every ρ is the positive root of ρ² + λρ = λ/Λ.

use super::by_frequency::balance;

pub(super) fn allocate(rates: &[f64], per_day: f64) -> Vec<f64> {
    let frequency = |rate: f64, price: f64| ((rate * rate + 4.0 * rate / price).sqrt() - rate) / 2.0;
    let price = balance(per_day, |price| rates.iter().map(|rate| frequency(*rate, price)).sum());
    rates.iter().map(|rate| frequency(*rate, price)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_b06_five_pages() {
        let expected = [0.782_868_444_75, 0.947_178_187_294, 1.037_174_479_54, 1.095_643_032_74, 1.137_135_855_68];
        for (got, expected) in allocate(&[1.0, 2.0, 3.0, 4.0, 5.0], 5.0).iter().zip(expected) {
            assert!((got - expected).abs() < 1e-6, "{got} {expected}");
        }
    }
}
