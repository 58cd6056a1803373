// The number of the format that a database is in, which every version can read.
import type { RootDatabase } from "lmdb";
import { plain } from "../codec.ts";
import { keyOf } from "../key.ts";
import { RowDamaged } from "../seal/seal.ts";

type Db = RootDatabase<Buffer, string>;

/** Apart from every table: no table has the prefix 0. */
const KEY = keyOf(0, ["version"]);
/** Progress of a migration in steps. */
const UNDER_WAY = keyOf(0, ["migrating"]);

/** undefined: there is nothing in it yet. */
export function formatOf(db: Pick<Db, "getBinary">): number | undefined {
  const bytes = db.getBinary(KEY);
  if (!bytes) return undefined;
  const format = decoded(bytes);
  if (!(typeof format === "number" && format >= 1)) {
    throw new RowDamaged("the number of the data's format");
  }
  return format;
}

/** These rows have no checksum; undefined: their bytes are not what was written. */
function decoded(bytes: Uint8Array): unknown {
  try {
    return plain.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Inside a transaction. */
export function putFormat(db: Db, format: number): void {
  void db.put(KEY, plain.encode(format) as Buffer);
}

interface Step {
  readonly to: number;
  readonly after: string;
}

/** How far a migration has come; as long as there is one, the format's rows are not all there. */
export function stepOf(db: Db): Step | undefined {
  const bytes = db.getBinary(UNDER_WAY);
  if (!bytes) return undefined;
  const step = decoded(bytes) as Partial<Step> | null | undefined;
  if (typeof step?.to === "number" && typeof step.after === "string") return step as Step;
  throw new RowDamaged("the place of a migration under way");
}

/** Inside a transaction. `after` undefined: it is done. */
export function putStep(db: Db, to: number, after: string | undefined): void {
  if (after === undefined) void db.remove(UNDER_WAY);
  else void db.put(UNDER_WAY, plain.encode({ to, after }) as Buffer);
}
