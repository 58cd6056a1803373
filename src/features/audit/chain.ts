// The audit log's hash chain and its verification.
import { yieldToEventLoop } from "../../async/yield.ts";
import type { Reader } from "../../realm.ts";
import type { AuditPart, AuditRow } from "../../schema/records-audit.ts";

/** The hash before the first entry. */
export const FIRST_HASH = "0".repeat(64);
export const WORDS = 1;
export const WHERE = 2;

export function newestIn(reader: Reader): AuditRow | undefined {
  for (const row of reader.audit.range({ reverse: true, limit: 1 })) return row;
  return undefined;
}

/** Returns the hash of an entry, which includes the previous one. */
export function linkOf(row: Omit<AuditRow, "hash">): string {
  const { audit_id, time, act, actor_id, via, on, on_id, facts, words, where, before } = row;
  const payload = [audit_id, time, act, actor_id, via, on, on_id, facts, words, where, before];
  return sha256(JSON.stringify(payload));
}

export function digestOf(salt: string, values: unknown): string {
  return sha256(salt + JSON.stringify(values));
}

function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

interface ChainVerification {
  readonly acts: number;
  /** Number of entries whose text was erased with an account. */
  readonly emptied: number;
  /**
   * The first and newest entry, and the newest hash. A copy of it kept elsewhere allows later
   * verification.
   */
  readonly oldest_id: number | null;
  readonly newest_id: number | null;
  readonly newest_hash: string | null;
  /** Detected changes, by entry. */
  readonly faults: string[];
}

const FAULTS_MAX = 20;
/** Pauses after this number of entries for other work. */
const ROWS_AT_ONCE = 500;

/** `lastSeen`: an entry and its hash, as reported earlier. */
export async function verifyChain(
  reader: Reader,
  lastSeen?: { audit_id: number; hash: string },
): Promise<ChainVerification> {
  const checking = new ChainCheck(reader);
  for (let from = 0; ;) {
    const rows = [...reader.audit.range({ from: [from], limit: ROWS_AT_ONCE })];
    for (const row of rows) checking.addRow(row);
    if (rows.length < ROWS_AT_ONCE) break;
    from = rows.at(-1)!.audit_id + 1;
    await yieldToEventLoop();
  }
  return checking.end(lastSeen);
}

class ChainCheck {
  private entryCount = 0;
  private emptied = 0;
  private oldest: AuditRow | undefined;
  private newest: AuditRow | undefined;
  private readonly faults: string[] = [];
  private readonly erased = new Set<number>();
  /** Users whose text was erased, each with an entry that shows it. */
  private readonly usersWithoutText = new Map<number, number>();

  constructor(private readonly reader: Reader) {}

  addRow(row: AuditRow): void {
    const { audit_id } = row;
    const before = this.newest;
    if (linkOf(row) !== row.hash) this.fault(`action ${audit_id} was changed`);
    if (before && (row.before !== before.hash || audit_id !== before.audit_id + 1)) {
      this.fault(`actions between ${before.audit_id} and ${audit_id} are missing`);
    }
    if (!before && audit_id === 1 && row.before !== FIRST_HASH)
      this.fault("action 1 is not the first");
    const isPlain = [WORDS, WHERE].map((part) => this.isEmptied(row, part));
    if (isPlain.includes(true)) this.emptied += 1;
    if (row.act === "user_erased") this.erased.add(Number(row.on_id));
    this.oldest ??= row;
    this.newest = row;
    this.entryCount += 1;
  }

  private isEmptied(row: AuditRow, part: number): boolean {
    const { audit_id } = row;
    const digest = part === WORDS ? row.words : row.where;
    const beside: AuditPart | undefined = this.reader.audit_parts.get(audit_id, part);
    if (digest === null) {
      if (beside) this.fault(`the details of action ${audit_id} were added later`);
      return false;
    }
    if (!beside) this.fault(`the details of action ${audit_id} are missing`);
    else if (beside.values === null) {
      if (beside.user_id === null) this.fault(`the text of action ${audit_id} is missing`);
      else if (!this.usersWithoutText.has(beside.user_id))
        this.usersWithoutText.set(beside.user_id, audit_id);
      return true;
    } else if (digestOf(beside.salt ?? "", beside.values) !== digest) {
      this.fault(`the details of action ${audit_id} were changed`);
    }
    return false;
  }

  end(lastSeen: { audit_id: number; hash: string } | undefined): ChainVerification {
    for (const [user_id, audit_id] of this.usersWithoutText) {
      if (!this.erased.has(user_id)) {
        this.fault(
          `the text of action ${audit_id} is missing, although user ${user_id} was not erased`,
        );
      }
    }
    if (lastSeen && this.reader.audit.get(lastSeen.audit_id)?.hash !== lastSeen.hash) {
      this.fault(`action ${lastSeen.audit_id} differs from the one in --seen`);
    }
    const { entryCount: acts, emptied, oldest, newest, faults } = this;
    return {
      acts,
      emptied,
      oldest_id: oldest?.audit_id ?? null,
      newest_id: newest?.audit_id ?? null,
      newest_hash: newest?.hash ?? null,
      faults,
    };
  }

  private fault(text: string): void {
    if (this.faults.length < FAULTS_MAX) this.faults.push(text);
  }
}
