//! A shop: products come and are discontinued, prices move one by one and in sales of a whole category.

use super::{
    Made, SyntheticConfig,
    chance::{Purpose, below, dice, exponential, happens, poisson},
    feed::Feed,
    objects::arrivals,
    outlet::{Order, Sight, Trade, open, things},
    shelf::Life,
};
use std::fmt::{self, Write};

pub(super) const SUMMARY: &str = "a shop: products with prices and stock, categories in pages, sales";

/// Mean days a product is on offer.
const OFFERED: f64 = 60.0;

/// Price and stock changes of a product per day, not counting sales.
const REPRICED: f64 = 0.08;

/// Sales of a category per day, and the share of its products in each.
const SALES: f64 = 1.0 / 14.0;
const IN_SALE: f64 = 0.6;

#[derive(Debug)]
struct Shop;

pub(super) fn make(wish: &SyntheticConfig) -> Made {
    let sales = |section| poisson(&mut dice(wish.seed, Purpose::Sales, section), SALES, 0.0, wish.days).collect();
    let sales: Vec<Vec<f64>> = (0..Shop.sections().len() as u64).map(sales).collect();
    let expected = things(wish, &Shop) as f64;
    // Enough before the beginning that the shelves are full, of which many are gone by then.
    let warm_up = 4.0 * OFFERED;
    let drawn = expected * (wish.days + warm_up) / (wish.days + OFFERED);
    let products = arrivals(wish, drawn as usize, 4.0, -warm_up..wish.days);
    open(wish, Shop, products.into_iter().enumerate().map(|(nth, born)| product(wish, &sales, nth, born)).collect())
}

fn product(wish: &SyntheticConfig, sales: &[Vec<f64>], nth: usize, born: f64) -> Life {
    let mut dice = dice(wish.seed, Purpose::Lives, nth as u64);
    let section = nth % sales.len();
    let dies = born + exponential(&mut dice, OFFERED);
    let mut updates: Vec<f64> = sales[section].iter().copied().filter(|_| happens(&mut dice, IN_SALE)).collect();
    updates.extend(poisson(&mut dice, REPRICED, born, dies.min(wish.days)));
    Life { section, born, dies, updates }
}

/// Price in cents and pieces in stock.
fn offer(product: &Sight<'_>) -> (usize, usize) {
    let list = 500 + below(&mut dice(product.seed, Purpose::Figures, product.name), 50_000);
    let mut now = dice(product.seed, Purpose::Figures, product.name ^ u64::from(product.revision() + 1) << 32);
    (list * (70 + below(&mut now, 60)) / 100, below(&mut now, 40))
}

fn price(product: &Sight<'_>, out: &mut String) -> fmt::Result {
    let (cents, stock) = offer(product);
    let stock = match stock {
        0 => "sold out",
        1..5 => "few left",
        _ => "in stock",
    };
    write!(out, "<span class=\"price\">{}.{:02} EUR</span>, {stock}", cents / 100, cents % 100)
}

impl Trade for Shop {
    fn name(&self) -> &'static str {
        "Bellows and Sons"
    }

    fn sections(&self) -> &'static [&'static str] {
        &["cameras", "lenses", "tripods", "plates", "paper", "lamps", "books", "bags"]
    }

    fn feed(&self) -> Option<Feed> {
        None
    }

    fn order(&self) -> Order {
        Order::Newest
    }

    fn describe(&self, product: &Sight<'_>, out: &mut String) -> fmt::Result {
        out.push_str("<p>");
        price(product, out)?;
        out.push_str("</p>\n");
        product.prose.paragraphs(product.name, product.prose.length(product.name), 0, out);
        let mut dice = dice(product.seed, Purpose::Lengths, !product.name);
        out.push_str("<table>\n");
        for row in ["Weight (g)", "Width (mm)", "Height (mm)", "Depth (mm)"] {
            writeln!(out, "<tr><th>{row}</th><td>{}</td></tr>", 20 + below(&mut dice, 900))?;
        }
        out.push_str("</table>\n");
        Ok(())
    }

    fn detail(&self, product: &Sight<'_>, out: &mut String) -> fmt::Result {
        price(product, out)
    }
}
