// Conversations as they were last seen, on the disk: within a bound, and gone when rights are.
import type { IDBPDatabase } from "idb";
import { DAY_MS } from "../../contract/units.ts";
import type { Event } from "../snapshot.ts";
import type { KeptMessage, KeptWindow, Layout, Shelved } from "./layout.ts";

export const WINDOWS_MESSAGES_MAX = 20_000;
export const WINDOWS_BYTES_MAX = 50_000_000;
export const WINDOWS_AGE_MS_MAX = 30 * DAY_MS;
/** What a message takes besides its text, roughly. */
const MESSAGE_BYTES = 600;

export class Windows {
  constructor(
    private readonly db: IDBPDatabase<Layout>,
    private readonly now: () => number,
  ) {}

  /** A view as it was last seen; it counts as opened now. */
  async open(key: string): Promise<KeptWindow | undefined> {
    const tx = this.db.transaction(["windows", "shelf"], "readwrite");
    const shelf = tx.objectStore("shelf");
    const [kept, shelved] = await Promise.all([tx.objectStore("windows").get(key), shelf.get(key)]);
    if (shelved) void shelf.put({ ...shelved, opened: this.now() });
    await tx.done;
    return kept;
  }

  /** Keeps a view, and lets those go that were opened longest ago where there are too many. */
  async put(kept: KeptWindow): Promise<void> {
    const tx = this.db.transaction(["windows", "shelf"], "readwrite");
    const shelf = tx.objectStore("shelf");
    void tx.objectStore("windows").put(kept);
    void shelf.put(shelvedOf(kept, this.now()));
    for (const key of excess(await shelf.getAll(), this.now())) {
      void tx.objectStore("windows").delete(key);
      void shelf.delete(key);
    }
    await tx.done;
  }

  /** A channel is out of reach: nothing of it stays, in views of several channels either. */
  async forgetChannel(stream_id: number): Promise<void> {
    await this.change(
      (shelved) => shelved.stream_id === null || shelved.stream_id === stream_id,
      (kept) => {
        if (kept.stream_id === stream_id) return undefined;
        return kept.messages.filter((message) => message["stream_id"] !== stream_id);
      },
    );
  }

  /** Messages are gone, or in another place. */
  async forgetMessages(ids: readonly number[]): Promise<void> {
    const gone = new Set(ids);
    await this.change(
      ({ first, last }) => ids.some((id) => first <= id && id <= last),
      ({ messages }) => messages.filter(({ id }) => !gone.has(id)),
    );
  }

  /** What these events take away from the person is taken from the disk too. */
  async purge(events: readonly Event[]): Promise<void> {
    const messages = events.flatMap(goneMessages);
    const channels = events.flatMap(goneChannels);
    if (messages.length > 0) await this.forgetMessages(messages);
    for (const stream_id of channels) await this.forgetChannel(stream_id);
  }

  /** `keep` gives what is left of a window; undefined: nothing. */
  private async change(
    concerns: (shelved: Shelved) => boolean,
    keep: (kept: KeptWindow) => readonly KeptMessage[] | undefined,
  ): Promise<void> {
    const tx = this.db.transaction(["windows", "shelf"], "readwrite");
    const windows = tx.objectStore("windows");
    const shelf = tx.objectStore("shelf");
    for (const shelved of (await shelf.getAll()).filter(concerns)) {
      const kept = await windows.get(shelved.key);
      const messages = kept && keep(kept);
      if (messages === undefined) {
        void windows.delete(shelved.key);
        void shelf.delete(shelved.key);
      } else if (messages.length < kept!.messages.length) {
        const left = { ...kept!, messages };
        void windows.put(left);
        void shelf.put(shelvedOf(left, shelved.opened));
      }
    }
    await tx.done;
  }
}

function goneMessages(event: Event): readonly number[] {
  if (event.type !== "delete_message") return [];
  return event.message_ids ?? [event.message_id];
}

/** Who leaves a channel may lose what it holds; whoever does not fetches it again. */
function goneChannels(event: Event): readonly number[] {
  if (event.type === "stream" && event.op === "delete") return event.stream_ids;
  if (event.type !== "subscription" || event.op !== "remove") return [];
  return event.subscriptions.map(({ stream_id }) => stream_id);
}

function shelvedOf({ key, stream_id, isDear, messages }: KeptWindow, opened: number): Shelved {
  const ids = messages.map(({ id }) => id);
  // A text of the engine takes one byte or two for each of its units.
  const bytes = messages.reduce((sum, { content }) => sum + 2 * content.length + MESSAGE_BYTES, 0);
  const [first, last] = ids.length === 0 ? [0, -1] : [Math.min(...ids), Math.max(...ids)];
  return { key, stream_id, isDear, opened, count: ids.length, bytes, first, last };
}

/** The keys of those that have to go. */
function excess(all: readonly Shelved[], now: number): string[] {
  const old = all.filter(({ opened }) => now - opened > WINDOWS_AGE_MS_MAX);
  const rest = all.filter((one) => !old.includes(one));
  rest.sort((a, b) => Number(b.isDear) - Number(a.isDear) || b.opened - a.opened);
  let [count, bytes] = [0, 0];
  const over = rest.filter((one) => {
    count += one.count;
    bytes += one.bytes;
    return count > WINDOWS_MESSAGES_MAX || bytes > WINDOWS_BYTES_MAX;
  });
  return [...old, ...over].map(({ key }) => key);
}
