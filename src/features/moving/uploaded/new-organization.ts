// Recognizes archives that create an organization, and writes the commands that import them.
import { shownName } from "../../files/rules.ts";
import { isTar, openArchive } from "../archive/archive.ts";
import type { Archive } from "../archive/entries.ts";
import { FORMAT, FORMAT_FILE, USERS_FILE } from "../jsonl/format.ts";
import { MovingRefused } from "../errors.ts";
import { rootOf, ZULIP } from "../zulip/read/source.ts";

export interface CommandsInstead {
  readonly product: typeof ZULIP | typeof FORMAT;
  /** Lines for a shell on the server, in the folder of the archive. */
  readonly commands: readonly string[];
}

/** Both folders are examples, which must not exist. */
const NEW_DIRECTORY = "/var/lib/skein-new";
const UNPACKED = "skein-export";

/**
 * Returns the commands for an archive that creates an organization: it keeps the ids of accounts,
 * channels and messages, which are taken in an existing one. Returns undefined for other archives,
 * and for damaged ones.
 */
export async function commandsInstead(
  path: string,
  name: string,
): Promise<CommandsInstead | undefined> {
  let archive: Archive;
  try {
    archive = await openArchive(path);
  } catch (error) {
    // The reader for the product reports the error.
    if (error instanceof MovingRefused) return undefined;
    throw error;
  }
  try {
    if (rootOf(archive) !== undefined) {
      return { product: ZULIP, commands: [importOf(fileWord(name))] };
    }
    const root = jsonlRoot(archive);
    if (root === undefined) return undefined;
    const folder = root === "" ? UNPACKED : `${UNPACKED}/${shownName(root)}`;
    return { product: FORMAT, commands: [await unpack(path, name), importOf(shellWord(folder))] };
  } finally {
    await archive.close();
  }
}

const importOf = (from: string) => `skein import run --data ${NEW_DIRECTORY} --from ${from}`;

async function unpack(path: string, name: string): Promise<string> {
  const file = fileWord(name);
  return (await isTar(path))
    ? `mkdir ${UNPACKED} && tar -xf ${file} -C ${UNPACKED}`
    : `unzip -q ${file} -d ${UNPACKED}`;
}

/** The only folder at the top level, or ""; undefined if the archive is no JSONL export. */
function jsonlRoot({ sizes }: Archive): string | undefined {
  const [first = ""] = sizes.keys();
  const folder = first.split("/")[0]!;
  return ["", folder].find((root) => {
    const prefix = root === "" ? "" : `${root}/`;
    return sizes.has(prefix + FORMAT_FILE) && sizes.has(prefix + USERS_FILE);
  });
}

/** A name that begins with "-" would be an option. */
const fileWord = (name: string) => shellWord(name.startsWith("-") ? `./${name}` : name);

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
