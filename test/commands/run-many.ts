/** Runs commands one after another in this process; each result is a line of JSON. */
import { MAIN } from "./skein.ts";

const [runtime = ""] = process.argv;
const write = process.stdout.write.bind(process.stdout);
const said = { out: "", err: "" };

function heard(where: keyof typeof said) {
  return (text: string | Uint8Array) => {
    said[where] += typeof text === "string" ? text : Buffer.from(text).toString();
    return true;
  };
}

process.stdout.write = heard("out") as typeof process.stdout.write;
process.stderr.write = heard("err") as typeof process.stderr.write;
console.log = (...words: unknown[]) => void heard("out")(`${words.join(" ")}\n`);
console.error = (...words: unknown[]) => void heard("err")(`${words.join(" ")}\n`);

let nth = 0;
for await (const line of console) {
  // An empty line ends the input.
  if (line === "") continue;
  process.argv = [runtime, MAIN, ...(JSON.parse(line) as string[])];
  process.exitCode = 0;
  // A different specifier each time, so that the module runs anew; its imports stay loaded.
  await import(`${MAIN}?${nth++}`);
  write(`${JSON.stringify({ code: process.exitCode, ...said })}\n`);
  Object.assign(said, { out: "", err: "" });
}
process.exitCode = 0;
