// Extracts the commands from a page of the documentation.
import { readFileSync } from "node:fs";

const COMMAND_PREFIX = /^(?:sudo (?:-u skein )?)?(?=(?:skein|curl) )/;

/** Returns the commands of a page without comments after #; `inText` includes inline code. */
export function commandsOf(page: string, inText = false): string[] {
  const text = readFileSync(page, "utf8");
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block = ""]) => block);
  const lines = blocks.flatMap((block) => block.split("\n"));
  const cells = [...text.matchAll(/\| `((?:sudo )?skein [^`|]+)` +\|/g)];
  const spans = inText ? [...text.matchAll(/`((?:sudo )?skein [^`\n]+)`/g)] : [];
  const all = [...lines, ...[...cells, ...spans].map(([, text = ""]) => text)];
  return all
    .filter((line) => COMMAND_PREFIX.test(line))
    .map((line) => {
      return line
        .replace(COMMAND_PREFIX, "")
        .replace(/\s+#.*$/, "")
        .trim();
    });
}
