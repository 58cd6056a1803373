/** Replaces one executable with another, or rolls back, in its own process. */
import { exchange, replace } from "../../src/commands/update/swap.ts";

const [path = "", direction = ""] = process.argv.slice(2);
if (direction === "back") exchange(path);
else replace(path);
