// A Zulip export: the tables of its files, row by row.
import type { Archive } from "../../archive/entries.ts";
import { type Part, partsOf, rowsIn, type TableRow } from "../../archive/json-tables.ts";
import { MovingRefused } from "../../errors.ts";
import { int, text, type ZulipRow } from "./rows.ts";

export const ZULIP = "zulip";
export const REALM_FILE = "realm.json";
const ATTACHMENT_FILE = "attachment.json";
const MESSAGES = /^messages-(\d{6})\.json$/;

export interface FileRecord {
  readonly row: ZulipRow;
  /** The entry with the bytes, if the archive contains it. */
  readonly entry: string | undefined;
  readonly place: string;
}

export type RecordKind = "uploads" | "avatars" | "emoji" | "realm_icons";

export class ZulipExport {
  private constructor(
    readonly archive: Archive,
    /** The only folder at the top level, or "". */
    private readonly root: string,
    private readonly parts: ReadonlyMap<string, Part>,
    private readonly attachmentParts: ReadonlyMap<string, Part>,
    /** The only row of zerver_realm. */
    readonly realm: ZulipRow,
    readonly messageFiles: readonly string[],
  ) {}

  static async open(archive: Archive): Promise<ZulipExport> {
    const root = rootOf(archive);
    if (root === undefined) throw notZulip();
    const parts = await partsOf(archive, root + REALM_FILE);
    const attachment = root + ATTACHMENT_FILE;
    const attachments = archive.sizes.has(attachment)
      ? await partsOf(archive, attachment)
      : new Map<string, Part>();
    let realm: ZulipRow | undefined;
    const name = root + REALM_FILE;
    const part = parts.get("zerver_realm");
    for await (const { row, place } of rowsIn(archive, name, `${REALM_FILE} zerver_realm`, part)) {
      if (realm) throw new MovingRefused("a second organization", place);
      realm = row;
    }
    if (!realm || int(realm, "id") === undefined) throw notZulip();
    return new ZulipExport(archive, root, parts, attachments, realm, messageFiles(archive, root));
  }

  /** Identifies the organization; a later export has the same value. */
  get source(): string {
    return `${int(this.realm, "id")} ${text(this.realm, "string_id") ?? ""}`.slice(0, 200);
  }

  get realmId(): number {
    return int(this.realm, "id")!;
  }

  /** The names of all tables in realm.json. */
  get tables(): string[] {
    return [...this.parts].filter(([, { isList }]) => isList).map(([name]) => name);
  }

  has(table: string): boolean {
    return this.parts.has(table);
  }

  rows(table: string): AsyncIterable<TableRow> {
    const label = `${REALM_FILE} ${table}`;
    return rowsIn(this.archive, this.root + REALM_FILE, label, this.parts.get(table));
  }

  attachments(): AsyncIterable<TableRow> {
    const table = "zerver_attachment";
    const part = this.attachmentParts.get(table);
    return rowsIn(this.archive, this.root + ATTACHMENT_FILE, ATTACHMENT_FILE, part);
  }

  async messagesIn(file: string): Promise<MessageFile> {
    const name = this.root + file;
    const parts = await partsOf(this.archive, name);
    const rows = (table: string) => {
      return rowsIn(this.archive, name, `${file} ${table}`, parts.get(table));
    };
    return {
      messages: () => rows("zerver_message"),
      flags: () => rows("zerver_usermessage"),
    };
  }

  /** The entry of a file in one of the folders, if it exists. */
  entryOf(kind: RecordKind, path: string): string | undefined {
    const entry = `${this.root}${kind}/${path}`;
    return this.archive.sizes.has(entry) ? entry : undefined;
  }

  /** The rows of a records.json, each with the entry that has its bytes. */
  async *records(kind: RecordKind): AsyncIterable<FileRecord> {
    const name = `${this.root}${kind}/records.json`;
    if (!this.archive.sizes.has(name)) return;
    for await (const { row, place } of recordsIn(this.archive, name, `${kind}/records.json`)) {
      const path = text(row, "path") ?? text(row, "s3_path");
      yield { row, entry: path === undefined ? undefined : this.entryOf(kind, path), place };
    }
  }
}

export interface MessageFile {
  messages(): AsyncIterable<TableRow>;
  flags(): AsyncIterable<TableRow>;
}

/** The file is a list and not an object of lists. */
async function* recordsIn(archive: Archive, name: string, label: string): AsyncIterable<TableRow> {
  const size = archive.sizes.get(name)!;
  const [first, last] = [await byteAt(archive, name, 0), await lastBracket(archive, name, size)];
  if (first !== "[" || last < 1) throw new MovingRefused("not a list", label);
  yield* rowsIn(archive, name, label, { from: 1, to: last, isList: true });
}

async function byteAt(archive: Archive, name: string, at: number): Promise<string> {
  for await (const piece of archive.stream(name, { from: at, to: at + 1 })) {
    return String.fromCharCode(piece[0]!);
  }
  return "";
}

const TAIL_BYTES = 1_024;

async function lastBracket(archive: Archive, name: string, size: number): Promise<number> {
  const from = Math.max(0, size - TAIL_BYTES);
  const pieces: Uint8Array[] = [];
  for await (const piece of archive.stream(name, { from, to: size })) pieces.push(piece);
  const at = Buffer.concat(pieces).lastIndexOf(0x5d);
  return at < 0 ? -1 : from + at;
}

/** undefined if the archive contains no Zulip export. */
export function rootOf({ sizes }: Pick<Archive, "sizes">): string | undefined {
  if (sizes.has(REALM_FILE)) return "";
  const [first = ""] = sizes.keys();
  const root = `${first.split("/")[0]}/`;
  return sizes.has(root + REALM_FILE) ? root : undefined;
}

function messageFiles({ sizes }: Archive, root: string): string[] {
  const found = [...sizes.keys()]
    .filter((name) => name.startsWith(root))
    .map((name) => name.slice(root.length))
    .filter((name) => MESSAGES.test(name))
    .sort();
  for (const [at, name] of found.entries()) {
    const expected = `messages-${String(at + 1).padStart(6, "0")}.json`;
    if (name !== expected) throw new MovingRefused("missing, although later files exist", expected);
  }
  return found;
}

function notZulip(): MovingRefused {
  return new MovingRefused("Not a Zulip export: realm.json with an organization is not there.");
}
