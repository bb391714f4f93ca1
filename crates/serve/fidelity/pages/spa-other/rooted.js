export const rooted = "from its root";
