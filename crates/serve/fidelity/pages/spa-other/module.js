import { deep } from "./deep.js";
import { rooted } from "/rooted.js";
export const fromStatic = `a module of the other host, ${deep}, ${rooted}`;
