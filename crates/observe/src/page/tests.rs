mod blocks;
mod changes;
mod hostile;
mod round_trip;
