/** Replaces one executable with another, or rolls back, in its own process. */
import { exchange, replace } from "../../src/commands/update/swap.ts";

const [path = "", how = ""] = process.argv.slice(2);
if (how === "back") exchange(path);
else replace(path);
