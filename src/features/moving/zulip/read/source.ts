// A Zulip export: the tables of its files, row by row.
import { type Damage, ignoreDamage, refuseDamage } from "../../archive/damage.ts";
import { type Archive, folderWith } from "../../archive/entries.ts";
import { cutListIn, partsOf, rowsIn, type TableRow } from "../../archive/json-tables.ts";
import type { Part } from "../../archive/part-finder.ts";
import { MovingRefused } from "../../errors.ts";
import { int, text, type ZulipRow } from "./rows.ts";

export const ZULIP = "zulip";
export const REALM_FILE = "realm.json";
const ATTACHMENT_FILE = "attachment.json";
/**
 * Tables that others refer to. If one is truncated, the export is rejected; elsewhere it is a loss.
 */
const ESSENTIAL: readonly string[] = [
  "zerver_userprofile",
  "zerver_recipient",
  "zerver_stream",
  "zerver_subscription",
];
const MESSAGES = /^messages-(\d{6})\.json$/;

interface FileRecord {
  readonly row: ZulipRow;
  /** The entry with the bytes, if the archive contains it. */
  readonly entry: string | undefined;
  readonly location: string;
}

export type RecordKind = "uploads" | "avatars" | "emoji" | "realm_icons";

export class ZulipExport {
  private constructor(
    readonly archive: Archive,
    /** The folder with the export, or "". */
    private readonly root: string,
    private readonly parts: ReadonlyMap<string, Part>,
    /** The only row of zerver_realm. */
    readonly realm: ZulipRow,
    readonly messageFiles: readonly string[],
  ) {}

  static async open(archive: Archive): Promise<ZulipExport> {
    const root = rootOf(archive);
    if (root === undefined) throw notZulip();
    const parts = await partsOf(archive, root + REALM_FILE);
    let realm: ZulipRow | undefined;
    const name = root + REALM_FILE;
    const part = parts.get("zerver_realm");
    for await (const { row, location } of rowsIn(
      archive,
      name,
      `${REALM_FILE} zerver_realm`,
      part,
    )) {
      if (realm) throw new MovingRefused("a second organization", location);
      realm = row;
    }
    if (!realm || int(realm, "id") === undefined) throw notZulip();
    return new ZulipExport(archive, root, parts, realm, messageFiles(archive, root));
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
    const isTable = (name: string, { isList }: Part) => isList || name.startsWith("zerver_");
    return [...this.parts].filter(([name, part]) => isTable(name, part)).map(([name]) => name);
  }

  has(table: string): boolean {
    return this.parts.has(table);
  }

  /**
   * `onOther` receives the locations of values that are not objects, and of tables that are
   * truncated.
   */
  rows(table: string, onOther: (location: string) => void = () => {}): AsyncIterable<TableRow> {
    const label = `${REALM_FILE} ${table}`;
    const part = this.parts.get(table);
    const refused = refuseDamage(onOther);
    const damage = ESSENTIAL.includes(table) ? refused : { ...refused, rest: onOther };
    return rowsIn(this.archive, this.root + REALM_FILE, label, part, damage);
  }

  async *attachments(damage: Damage = ignoreDamage): AsyncIterable<TableRow> {
    const table = "zerver_attachment";
    const name = this.root + ATTACHMENT_FILE;
    if (!this.archive.sizes.has(name)) return;
    const parts = await partsOf(this.archive, name, damage);
    yield* rowsIn(this.archive, name, ATTACHMENT_FILE, parts.get(table), damage);
  }

  async messagesIn(file: string, damage: Damage): Promise<MessageFile> {
    const name = this.root + file;
    const parts = await partsOf(this.archive, name, damage);
    const rows = (table: string) => {
      return rowsIn(this.archive, name, `${file} ${table}`, parts.get(table), damage);
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
  async *records(kind: RecordKind, damage: Damage = ignoreDamage): AsyncIterable<FileRecord> {
    const label = `${kind}/records.json`;
    const name = this.root + label;
    if (!this.archive.sizes.has(name)) return;
    // The file is a list and not an object of lists.
    const list = await cutListIn(this.archive, name, label, damage);
    for await (const { row, location } of rowsIn(this.archive, name, label, list, damage)) {
      const path = text(row, "path") ?? text(row, "s3_path");
      yield { row, entry: path === undefined ? undefined : this.entryOf(kind, path), location };
    }
  }
}

interface MessageFile {
  messages(): AsyncIterable<TableRow>;
  flags(): AsyncIterable<TableRow>;
}

/** undefined if the archive contains no Zulip export. */
export const rootOf = (archive: Pick<Archive, "sizes">) => folderWith(archive, [REALM_FILE]);

function messageFiles({ sizes }: Archive, root: string): string[] {
  const names = [...sizes.keys()]
    .filter((name) => name.startsWith(root))
    .map((name) => name.slice(root.length))
    .filter((name) => MESSAGES.test(name))
    .sort();
  for (const [index, name] of names.entries()) {
    const expected = `messages-${String(index + 1).padStart(6, "0")}.json`;
    if (name !== expected) throw new MovingRefused("missing, although later files exist", expected);
  }
  return names;
}

function notZulip(): MovingRefused {
  return new MovingRefused("Not a Zulip export: realm.json with an organization is not there.");
}
