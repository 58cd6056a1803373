// Digests of the store's content, with which tests detect whether a request changed it.
import type { RootDatabase } from "lmdb";
import { tables } from "../../src/schema/schema.ts";
import type { TestServer } from "../test-server.ts";

interface Digest {
  readonly rows: bigint;
  readonly queues: ReadonlySet<string>;
}

/** Positions and deletions of queues are written at intervals, independent of requests. */
const QUEUES = String.fromCharCode(tables.queues.prefix);
/** Results of webhook calls are stored for the bot's owner even if the call was rejected. */
const CALLS = String.fromCharCode(tables.bot_calls.prefix);

export class StoreReader {
  private readonly db: RootDatabase<Buffer, string>;
  private commit = -1;
  private digest: Digest | undefined;

  constructor(private readonly testServer: TestServer) {
    const { store } = testServer.realm as unknown as {
      store: { db: RootDatabase<Buffer, string> };
    };
    this.db = store.db;
  }

  /** Digest of all stored and pending rows; reads rows again only after another commit. */
  async digestNow(): Promise<Digest> {
    await this.testServer.realm.write(() => undefined);
    const { lastTxnId } = this.db.getStats() as { lastTxnId: number };
    if (this.digest === undefined || lastTxnId !== this.commit) this.digest = this.read();
    this.commit = lastTxnId;
    return this.digest;
  }

  private read(): Digest {
    let rows = 0n;
    const queues = new Set<string>();
    for (const { key, value } of this.db.getRange({ start: "\u0001", end: "\u00ff" })) {
      if (key.startsWith(QUEUES)) queues.add(key);
      else if (!key.startsWith(CALLS)) rows = Bun.hash.wyhash(value, Bun.hash.wyhash(key, rows));
    }
    return { rows, queues };
  }
}

export function isSame(before: Digest, after: Digest): boolean {
  return before.rows === after.rows && after.queues.isSubsetOf(before.queues);
}
