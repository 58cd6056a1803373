// Lists the parts of the runtime, from its own documentation.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const LIST = join(import.meta.dir, "../../node_modules/bun-types/docs/project/license.mdx");

interface Part {
  name: string;
  license: string;
  url: string;
}

/** Libraries linked into the runtime, and packages that it contains. */
export function runtimeParts(): Part[] {
  const rows = readFileSync(LIST, "utf8").matchAll(/^\| (.*\]\(.*?) +\| (.*?) +\|$/gm);
  return [...rows].map(([, name = "", license = ""]) => {
    const url = /\]\((\S+?)\)/.exec(name)![1]!;
    return { name: plainText(name), license: plainText(license), url };
  });
}

/** Text of a table cell, without markup and links. */
function plainText(cell: string): string {
  return cell.replace(/\[(.*?)\]\(.*?\)/g, "$1").replaceAll("`", "");
}
