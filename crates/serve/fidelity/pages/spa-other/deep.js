export const deep = "and what it imports";
