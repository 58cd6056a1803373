// Gets a password from the operator: out of a file, or typed on a terminal that does not show it.
import { readFileSync } from "node:fs";
import { readBytes, textIn } from "./config/files.ts";
import { CommandError } from "./flags.ts";

const INTERRUPTED = "\u0003";
const ENDED = "\u0004";
const RUBOUTS = ["\u007f", "\b"];
const STDIN = 0;

/** undefined: there is no file, and nobody at a terminal to ask. */
export async function passwordFrom(file: string | undefined): Promise<string | undefined> {
  if (file !== undefined) return firstLine(textOf(file));
  if (!process.stdin.isTTY) return undefined;
  const password = await typed("Password: ");
  if ((await typed("Again: ")) !== password) throw new CommandError("the two passwords differ");
  return password;
}

/** `-` is the standard input. What is not Unicode is refused. */
export function textOf(file: string): string {
  return textIn(bytesOf(file), file);
}

/** `-` is the standard input. */
export function bytesOf(file: string): Uint8Array {
  return file === "-" ? readFileSync(STDIN) : readBytes(file);
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0]!;
}

function typed(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  // First of all nothing typed is shown any more.
  stdin.setRawMode(true);
  stderr.write(prompt);
  stdin.setEncoding("utf8");
  stdin.resume();
  return new Promise((resolve, reject) => {
    let entered: string[] = [];
    const finish = (settle: () => void) => {
      stdin.off("data", take);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write("\n");
      settle();
    };
    const take = (text: string) => {
      for (const character of text) {
        if (character === INTERRUPTED || character === ENDED) {
          return finish(() => reject(new CommandError("no password was given")));
        }
        if (character === "\r" || character === "\n")
          return finish(() => resolve(entered.join("")));
        if (RUBOUTS.includes(character)) entered = entered.slice(0, -1);
        else entered.push(character);
      }
    };
    stdin.on("data", take);
  });
}
