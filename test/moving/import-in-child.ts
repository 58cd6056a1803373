/** Imports a JSONL export in a process of its own, which prints a line after each batch. */
import { carryOut } from "../../src/commands/control.ts";
import { watchProgress } from "../../src/features/moving/progress.ts";

const [from = "", data = ""] = process.argv.slice(2);
const ROWS_A_LINE = 500;

let lines = 0;
watchProgress((written) => {
  const whole = Math.floor(written / ROWS_A_LINE);
  for (; lines < whole; lines++) process.stdout.write(`${written}\n`);
});
await carryOut(data, "runImport", { from });
