// Restores the newest backup set as a test and compares it with the live data.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Realm, schema } from "../../realm.ts";
import { openReading } from "../../store/copy/read-only.ts";
import { blobsOf } from "../files/blobs.ts";
import { Directory } from "../files/directory.ts";
import { Measure } from "./work/packing.ts";
import { openSet } from "./open-set.ts";
import { restoreInto } from "./restore.ts";
import { type Manifest, newestSet } from "./sets.ts";
import { BackupFailed, type Pieces, type Target } from "./work/target.ts";

interface RestoreTestResult {
  /** null if the sets are encrypted and the server has no key. */
  readonly is_good: boolean | null;
  readonly words: string;
}

const FOLDER = "drill";
const COMPARED_MESSAGES = 200;

export async function testRestore(
  realm: Realm,
  target: Target,
  identity?: string,
): Promise<RestoreTestResult> {
  const folder = join(realm.config.data, FOLDER);
  rmSync(folder, { recursive: true, force: true });
  try {
    const set = await newestSet(target);
    if (set.is_encrypted && identity === undefined) {
      return {
        is_good: null,
        words: `${set.id} is encrypted, and the server has no key to decrypt it`,
      };
    }
    const opening = set.is_encrypted ? { identity } : {};
    const openedSet = await openSet(target, { id: set.id, ...opening });
    mkdirSync(folder, { mode: 0o700 });
    const blobs = new Directory(join(folder, "uploads"));
    await restoreInto(folder, () => blobs, { target, ...openedSet, ...opening });
    const messages = await compareMessages(realm, join(folder, "data.mdb"));
    const files = await compareFiles(realm, openedSet.manifest);
    return { is_good: true, words: `${set.id}: ${messages} messages and ${files} files compared` };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { is_good: false, words: error.message };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares the messages that have not changed since the backup. */
async function compareMessages({ read }: Realm, path: string): Promise<number> {
  const { tables, last, close } = openReading(path, schema);
  try {
    const compared = new Set<number>();
    for (let nth = 0; nth < COMPARED_MESSAGES; nth++) {
      const [message] = [
        ...tables.messages.range({ from: [randomBelow(last("messages"))], limit: 1 }),
      ];
      const own = message && read.messages.get(message.id);
      if (!own || own.last_edit_timestamp !== message.last_edit_timestamp) continue;
      const isSame = own.content === message.content && own.sender_id === message.sender_id;
      if (!isSame || own.timestamp !== message.timestamp) {
        throw new BackupFailed(`message ${message.id} in the backup differs from the original`);
      }
      compared.add(message.id);
    }
    return compared.size;
  } finally {
    await close();
  }
}

/** Compares the files that still exist. */
async function compareFiles(realm: Realm, { files }: Manifest): Promise<number> {
  const compared = new Set<string>();
  for (let nth = 0; nth < Math.min(COMPARED_MESSAGES, files.length); nth++) {
    const file = files[randomBelow(files.length)]!;
    const retained = compared.has(file.place) ? undefined : await blobsOf(realm).find(file.place);
    if (!retained) continue;
    const measure = new Measure();
    const pieces = new Response(await retained.body()).body as unknown as Pieces | null;
    if (pieces) for await (const _ of measure.measured(pieces));
    if (measure.result().sha256 !== file.sha256) {
      throw new BackupFailed(`${file.place} in the backup differs from the original`);
    }
    compared.add(file.place);
  }
  return compared.size;
}

function randomBelow(bound: number): number {
  const [random] = crypto.getRandomValues(new Uint32Array(1)) as unknown as [number];
  return Math.floor((random / 2 ** 32) * bound);
}
