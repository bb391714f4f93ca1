export const said = "later";
