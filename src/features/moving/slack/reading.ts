// Reads a Slack export: users, conversations, and the messages of all of them in order of time.
import { bytesOf } from "../archive/archive.ts";
import type { Archive } from "../archive/entries.ts";
import { isObject } from "../json.ts";
import { parsed } from "../lines.ts";
import { MovingRefused } from "../refused.ts";
import { type Shape, shaped } from "../shaped.ts";
import { CHANNEL, MESSAGE, USER } from "./shapes.ts";
import { compareTs, secondsOf, type SlackChannel, type SlackFile } from "./export-rules.ts";
import type { SlackMessage, SlackUser } from "./export-rules.ts";

export type Kind = "public" | "private" | "direct" | "group";

export interface Conversation extends SlackChannel {
  readonly id: string;
  readonly kind: Kind;
  /** The folder of its messages. */
  readonly folder: string;
}

/** A message with the place where it was found. */
export interface Found {
  readonly conversation: Conversation;
  readonly message: SlackMessage & { ts: string };
  readonly place: string;
}

const LISTS: readonly [file: string, kind: Kind][] = [
  ["channels.json", "public"],
  ["groups.json", "private"],
  ["mpims.json", "group"],
  ["dms.json", "direct"],
];
const USERS = "users.json";
/** Characters of an id. */
const KEY_MAX = 100;
const ID = /^[A-Z0-9]{2,30}$/;

/** Files at the top of other products' archives. */
const OTHERS: readonly [file: string, product: string][] = [
  ["realm.json", "a Zulip export"],
  ["import.jsonl", "a Mattermost export"],
  ["slackdump.sqlite", "a slackdump database: convert it with slackdump convert -f export"],
  ["format.json", "a JSONL export inside a zip: unpack it first"],
  ["data.mdb", "a data directory of Skein"],
];

export class SlackExport {
  private constructor(
    private readonly archive: Archive,
    /** A single folder around everything, or "". */
    private readonly root: string,
    readonly users: readonly (SlackUser & { id: string })[],
    readonly conversations: readonly Conversation[],
  ) {}

  static async open(archive: Archive): Promise<SlackExport> {
    const root = rootOf(archive);
    if (!LISTS.some(([file]) => archive.sizes.has(root + file))) throw notSlack(archive, root);
    const conversations: Conversation[] = [];
    for (const [file, kind] of LISTS) {
      for (const channel of await listIn<SlackChannel>(archive, root + file, CHANNEL)) {
        const { id, name } = channel;
        if (typeof id !== "string" || !ID.test(id)) throw new MovingRefused("id is missing", file);
        const folder = kind === "direct" || typeof name !== "string" ? id : name;
        conversations.push({ ...channel, id, kind, folder });
      }
    }
    const users = await listIn<SlackUser>(archive, root + USERS, USER);
    for (const [at, { id }] of users.entries()) {
      if (!id || id.length > KEY_MAX)
        throw new MovingRefused("id is missing", `${USERS}#${at + 1}`);
    }
    return new SlackExport(archive, root, users as (SlackUser & { id: string })[], conversations);
  }

  /** Identifies the workspace, so that a later export of it continues this one. */
  get source(): string {
    const team = this.users.find(({ team_id }) => typeof team_id === "string")?.team_id;
    return team ?? this.conversations.map(({ id }) => id).sort()[0] ?? "";
  }

  /** Everything that was said, a day at a time: memory stays within one day. */
  async *messages(): AsyncIterable<Found> {
    for (const [, names] of this.days()) {
      const found: Found[] = [];
      for (const [conversation, name] of names) {
        const rows = await listIn<SlackMessage>(this.archive, name, MESSAGE);
        const shown = name.slice(this.root.length);
        for (const [at, message] of rows.entries()) {
          const place = `${shown}#${at + 1}`;
          const { ts } = message;
          if (typeof ts !== "string" || secondsOf(ts) === 0) {
            throw new MovingRefused("ts is missing or not a time", place);
          }
          found.push({ conversation, message: { ...message, ts }, place });
        }
      }
      yield* found.sort((a, b) => compareTs(a.message.ts, b.message.ts));
    }
  }

  /** The entry with the bytes of a file, as slackdump puts it. */
  entryOf({ folder }: Conversation, { id, name }: SlackFile): string | undefined {
    if (!id) return undefined;
    const { root } = this;
    const [uploads, beside] = [`${root}__uploads/${id}/`, `${root}${folder}/attachments/${id}-`];
    const named = [`${uploads}${name ?? ""}`, `${beside}${name ?? ""}`];
    return named.find((entry) => this.archive.sizes.has(entry));
  }

  sizeOf(entry: string): number {
    return this.archive.sizes.get(entry) ?? 0;
  }

  stream(entry: string): AsyncIterable<Uint8Array> {
    return this.archive.stream(entry);
  }

  /** The files of each day, oldest first. */
  private days(): [day: string, names: [Conversation, string][]][] {
    const byFolder = new Map(this.conversations.map((one) => [one.folder, one]));
    const days = new Map<string, [Conversation, string][]>();
    for (const name of this.archive.sizes.keys()) {
      const inside = name.startsWith(this.root) ? name.slice(this.root.length) : "";
      const [, folder = "", day = ""] = /^(.+)\/(\d{4}-\d{2}-\d{2})\.json$/.exec(inside) ?? [];
      const conversation = byFolder.get(folder);
      if (!conversation) continue;
      const names = days.get(day);
      if (names) names.push([conversation, name]);
      else days.set(day, [[conversation, name]]);
    }
    return [...days].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

async function listIn<T extends object>(
  archive: Archive,
  name: string,
  shape: Shape,
): Promise<T[]> {
  if (!archive.sizes.has(name)) return [];
  const value = parsed(await bytesOf(archive, name), name);
  if (!Array.isArray(value)) throw new MovingRefused("not a list", name);
  return value.map((item, at) => {
    if (!isObject(item)) throw new MovingRefused("not an object", `${name}#${at + 1}`);
    // The shape has the fields of the type.
    return shaped(item, shape) as T;
  });
}

function rootOf({ sizes }: Archive): string {
  if (LISTS.some(([file]) => sizes.has(file))) return "";
  const [first = ""] = sizes.keys();
  const root = `${first.split("/")[0]}/`;
  return LISTS.some(([file]) => sizes.has(root + file)) ? root : "";
}

function notSlack({ sizes }: Archive, root: string): MovingRefused {
  const other = OTHERS.find(([file]) => sizes.has(file) || sizes.has(root + file));
  const what = other
    ? `this looks like ${other[1]}`
    : "neither channels.json nor dms.json is there";
  return new MovingRefused(`Not a Slack export: ${what}.`);
}
