mod blocks;
mod changes;
mod documents;
mod hostile;
mod round_trip;
mod told;
