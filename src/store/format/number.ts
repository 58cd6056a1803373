// The format number of a database, which every version can read.
import type { RootDatabase } from "lmdb";
import { msgpack } from "../codec.ts";
import { keyOf } from "../key.ts";
import { RowDamaged } from "../checksums/checksum.ts";

type Db = RootDatabase<Buffer, string>;

/** The key does not belong to a table, because no table has the prefix 0. */
const KEY = keyOf(0, ["version"]);
/** Progress of a stepwise migration. */
const MIGRATION_KEY = keyOf(0, ["migrating"]);

/** undefined for an empty database. */
export function formatOf(db: Pick<Db, "getBinary">): number | undefined {
  const bytes = db.getBinary(KEY);
  if (!bytes) return undefined;
  const format = decoded(bytes);
  if (!(typeof format === "number" && format >= 1)) {
    throw new RowDamaged("the number of the data's format");
  }
  return format;
}

/** The row of the format number has no checksum. Returns undefined if its bytes are damaged. */
function decoded(bytes: Uint8Array): unknown {
  try {
    return msgpack.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Must be called within a transaction. */
export function putFormat(db: Db, format: number): void {
  void db.put(KEY, msgpack.encode(format) as Buffer);
}

interface Step {
  readonly to: number;
  readonly after: string;
}

/** The progress of a stepwise migration. While it exists, the data has rows of both formats. */
export function stepOf(db: Db): Step | undefined {
  const bytes = db.getBinary(MIGRATION_KEY);
  if (!bytes) return undefined;
  const step = decoded(bytes) as Partial<Step> | null | undefined;
  if (typeof step?.to === "number" && typeof step.after === "string") return step as Step;
  throw new RowDamaged("the place of a migration under way");
}

/** Must be called within a transaction. `after` is undefined when the migration is complete. */
export function putStep(db: Db, to: number, after: string | undefined): void {
  if (after === undefined) void db.remove(MIGRATION_KEY);
  else void db.put(MIGRATION_KEY, msgpack.encode({ to, after }) as Buffer);
}
