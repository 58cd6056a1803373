/** Puts one executable in the place of another, or takes it back, in a process of its own. */
import { exchange, replace } from "../../src/commands/update/swap.ts";

const [path = "", how = ""] = process.argv.slice(2);
if (how === "back") exchange(path);
else replace(path);
