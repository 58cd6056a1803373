/** Runs commands one after another in this process; each result is a line of JSON. */
import { MAIN } from "./skein.ts";

const [runtime = ""] = process.argv;
const write = process.stdout.write.bind(process.stdout);
const fields = { out: "", err: "" };

function collect(where: keyof typeof fields) {
  return (text: string | Uint8Array) => {
    fields[where] += typeof text === "string" ? text : Buffer.from(text).toString();
    return true;
  };
}

process.stdout.write = collect("out") as typeof process.stdout.write;
process.stderr.write = collect("err") as typeof process.stderr.write;
console.log = (...words: unknown[]) => void collect("out")(`${words.join(" ")}\n`);
console.error = (...words: unknown[]) => void collect("err")(`${words.join(" ")}\n`);

let index = 0;
for await (const line of console) {
  // An empty line ends the input.
  if (line === "") continue;
  process.argv = [runtime, MAIN, ...(JSON.parse(line) as string[])];
  process.exitCode = 0;
  // A different specifier each time, so that the module runs anew; its imports stay loaded.
  await import(`${MAIN}?${index++}`);
  write(`${JSON.stringify({ code: process.exitCode, ...fields })}\n`);
  Object.assign(fields, { out: "", err: "" });
}
process.exitCode = 0;
