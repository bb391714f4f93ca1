export const fromMap = "by a map";
