// Reads a password from a file, or from the terminal without echo.
import { readFileSync } from "node:fs";
import { readBytes, textIn } from "./config/files.ts";
import { CommandError } from "./flags.ts";

const INTERRUPTED = "\u0003";
const END_OF_TRANSMISSION = "\u0004";
const RUBOUTS = ["\u007f", "\b"];
const STDIN = 0;

/** undefined: there is neither a file nor a terminal. */
export async function passwordFrom(file: string | undefined): Promise<string | undefined> {
  if (file !== undefined) return firstLine(textOf(file));
  if (!process.stdin.isTTY) return undefined;
  const password = await readTyped("Password: ");
  if ((await readTyped("Again: ")) !== password)
    throw new CommandError("the two passwords are different");
  return password;
}

/** `-` is standard input. Text that is not UTF-8 is rejected. */
function textOf(file: string): string {
  return textIn(bytesOf(file), file);
}

/** `-` is standard input. */
export function bytesOf(file: string): Uint8Array {
  return file === "-" ? readFileSync(STDIN) : readBytes(file);
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0]!;
}

function readTyped(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  // Disables the echo before anything else.
  stdin.setRawMode(true);
  stderr.write(prompt);
  stdin.setEncoding("utf8");
  stdin.resume();
  return new Promise((resolve, reject) => {
    let entered: string[] = [];
    const finish = (callback: () => void) => {
      stdin.off("data", readCharacters);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write("\n");
      callback();
    };
    const readCharacters = (text: string) => {
      for (const character of text) {
        if (character === INTERRUPTED || character === END_OF_TRANSMISSION) {
          return finish(() => reject(new CommandError("no password was entered")));
        }
        if (character === "\r" || character === "\n")
          return finish(() => resolve(entered.join("")));
        if (RUBOUTS.includes(character)) entered = entered.slice(0, -1);
        else entered.push(character);
      }
    };
    stdin.on("data", readCharacters);
  });
}
