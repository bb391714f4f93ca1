//! Dots: one quantity against another, such as predicted against realised, with the diagonal where they agree.

use crate::{
    axis::Axis,
    picture::Picture,
    scale::{Ends, Scale},
    series::SeriesRole,
    sheet::{NARROW, PLOT_HEIGHT, Plot, Sample, Sheet, Side, WIDTH},
    style::{Style, reference, styles},
    thin,
};

const MAX_CLOUDS: usize = 16;

/// Named dots.
#[derive(Clone, Debug, PartialEq)]
pub struct Cloud {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// Clouds of dots over two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    pub title: String,
    /// What a reader needs to trust the picture; may be empty.
    pub caption: String,
    pub x: Axis,
    pub y: Axis,
    pub clouds: Vec<Cloud>,
    /// The name of the line x = y if both axes measure the same thing; they then cover the same values.
    pub diagonal: Option<String>,
}

impl Scatter {
    pub fn draw(&self) -> Picture {
        let clouds = &self.clouds[..self.clouds.len().min(MAX_CLOUDS)];
        let (x, y) = self.scales(clouds);
        let width = if self.diagonal.is_some() { NARROW } else { WIDTH };
        let mut sheet = Sheet::new(width, &self.title, &self.caption, &self.notes(clouds, &x, &y));
        let styles = styles(&vec![SeriesRole::Plain; clouds.len()]);
        sheet.legend(&self.legend(clouds, &styles));
        let x_side = Side { label: self.x.label(), ticks: x.ticks(6), grid: true };
        let y_side = Side { label: self.y.label(), ticks: y.ticks(6), grid: true };
        let plot = sheet.plot(&x_side, &y_side, PLOT_HEIGHT, 6.0);
        if self.diagonal.is_some() {
            sheet.canvas.line(plot.at(0.0, 0.0), plot.at(1.0, 1.0), &reference().stroke);
        }
        for (cloud, style) in clouds.iter().zip(&styles) {
            draw_cloud(&mut sheet, &plot, cloud, style, &x, &y);
        }
        sheet.finish()
    }

    fn scales(&self, clouds: &[Cloud]) -> (Scale, Scale) {
        let points = || clouds.iter().flat_map(|cloud| &cloud.points);
        let (across, up) = (points().map(|point| point.0), points().map(|point| point.1));
        if self.diagonal.is_none() {
            return (Scale::fit(&self.x, across, Ends::Round), Scale::fit(&self.y, up, Ends::Round));
        }
        let including = |axis: &Axis| axis.including.into_iter().flat_map(|(low, high)| [low, high]);
        let both: Vec<f64> = across.chain(up).chain(including(&self.x)).chain(including(&self.y)).collect();
        let scale = Scale::fit(&self.x, both, Ends::Round);
        (scale, scale)
    }

    fn notes(&self, clouds: &[Cloud], x: &Scale, y: &Scale) -> Vec<String> {
        let hidden = |point: &&(f64, f64)| !(x.shows(point.0) && y.shows(point.1));
        let hidden = clouds.iter().flat_map(|cloud| &cloud.points).filter(hidden).count();
        let further = self.clouds.len() - clouds.len();
        let mut notes = Vec::new();
        if hidden > 0 {
            notes.push(format!("{hidden} points cannot be shown on these axes."));
        }
        if further > 0 {
            notes.push(format!("{further} further clouds are not drawn."));
        }
        notes
    }

    fn legend(&self, clouds: &[Cloud], styles: &[Style]) -> Vec<(String, Sample)> {
        let entry = |(cloud, style): (&Cloud, &Style)| (cloud.name.clone(), Sample::Marker(style.clone()));
        let diagonal = self.diagonal.iter().map(|name| (name.clone(), Sample::Line(reference())));
        clouds.iter().zip(styles).map(entry).chain(diagonal).collect()
    }
}

fn draw_cloud(sheet: &mut Sheet, plot: &Plot, cloud: &Cloud, style: &Style, x: &Scale, y: &Scale) {
    let shown = cloud.points.iter().filter(|point| x.shows(point.0) && y.shows(point.1));
    let pixels: Vec<_> = shown.map(|point| plot.at(x.place(point.0), y.place(point.1))).collect();
    for point in thin::dots(&pixels) {
        style.mark(&mut sheet.canvas, point);
    }
}
