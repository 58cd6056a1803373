// Views after random fetches and events: nothing absent is shown, and known ranges have no gaps.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { reduceView, newView } from "../../src/web/store/feed-view.ts";
import { type FeedView, segmentOf, addSegment } from "../../src/web/feed/segments.ts";
import { matchesNarrow } from "../../src/web/store/narrow.ts";
import type { Message } from "../../src/web/contract/message.ts";
import type { Event, Snapshot } from "../../src/web/contract/snapshot.ts";
import { hydrate, reduce, type State } from "../../src/web/store/state.ts";

const ME = 1;
const channelRow = (stream_id: number) => ({ stream_id, name: `c${stream_id}`, subscribers: [] });
/** A public channel to which the user is not subscribed. */
const OUTSIDE = 3;
const SNAPSHOT = {
  user_id: ME,
  subscriptions: [channelRow(1), channelRow(2)],
  never_subscribed: [channelRow(OUTSIDE)],
} as unknown as Snapshot;

const term = (operator: string, operand: string, negated = false) => ({
  operator,
  operand,
  negated,
});
const NARROWS = [
  [],
  [term("channel", "1")],
  [term("channel", "1"), term("topic", "a")],
  [term("topic", "b")],
  [term("is", "starred")],
  [term("has", "reaction")],
  [term("channel", "2", true)],
];

/** A small model of a server: it knows every message, answers fetches, and sends events. */
class Server {
  readonly messages = new Map<number, Message>();
  /** Ids of messages that moved out of the user's access; later moves do not return them. */
  private readonly lost = new Set<number>();
  private last = 0;

  send(stream_id: number, subject: string): Event {
    const message = emptyMessage(++this.last, stream_id, subject);
    this.messages.set(message.id, message);
    return event("message", { message: structuredClone(message), flags: [] });
  }

  fetch(terms: FeedView["terms"], anchor: number, before: number, after: number, state: State) {
    const messages = this.expectedMessages(terms, state);
    const older = messages.filter(({ id }) => id < anchor);
    const newer = messages.filter(({ id }) => id >= anchor);
    return {
      messages: structuredClone([...older.slice(-before), ...newer.slice(0, after)]),
      found_oldest: older.length <= before,
      found_newest: newer.length <= after,
    };
  }

  /** Narrows without a channel contain only messages that the user received. */
  expectedMessages(terms: FeedView["terms"], state: State): Message[] {
    const isOfOwn = !terms.some(({ operator, negated }) => operator === "channel" && !negated);
    return [...this.messages.values()].filter(
      (message) =>
        matchesNarrow(terms, message, state) === true && !(isOfOwn && this.lost.has(message.id)),
    );
  }

  /** Moves to another channel; users in neither receive no event. */
  moveMessages(ids: number[], to: number): Event | undefined {
    const there = ids.flatMap((id) => this.messages.get(id) ?? []);
    const { stream_id, subject: orig_subject } = there[0] ?? {};
    const moved = there.filter(
      (item) => item.stream_id === stream_id && item.subject === orig_subject,
    );
    if (moved.length === 0 || stream_id === to) return undefined;
    for (const item of moved) {
      item.stream_id = to;
      if (to === OUTSIDE) this.lost.add(item.id);
    }
    const message_ids = moved.map((item) => item.id);
    const payload = { stream_id, orig_subject, new_stream_id: to, message_ids };
    return event("update_message", { message_id: message_ids[0], ...payload, flags: [] });
  }

  move(ids: number[], subject: string): Event | undefined {
    const there = ids.filter((id) => this.isHeard(id));
    const first = this.messages.get(there[0] ?? 0);
    if (!first) return undefined;
    const same = there.filter((id) => this.messages.get(id)!.subject === first.subject);
    const own = same.filter((id) => this.messages.get(id)!.stream_id === first.stream_id);
    const orig_subject = first.subject;
    for (const id of own) this.messages.get(id)!.subject = subject;
    const payload = { stream_id: first.stream_id, orig_subject, subject, message_ids: own };
    return event("update_message", { message_id: own[0], ...payload, flags: [] });
  }

  private isHeard(id: number): boolean {
    return this.messages.has(id) && this.messages.get(id)!.stream_id !== OUTSIDE;
  }

  flag(op: string, id: number): Event | undefined {
    const message = this.messages.get(id);
    // A star would make the message count as received again.
    if (!message || this.lost.has(id)) return undefined;
    message.flags = op === "add" ? ["starred"] : [];
    return event("update_message_flags", { op, flag: "starred", messages: [id] });
  }

  react(op: string, id: number): Event | undefined {
    const message = this.messages.get(id);
    if (!message || !this.isHeard(id)) return undefined;
    const reaction_type = "unicode_emoji" as const;
    const reaction = { emoji_name: "a", emoji_code: "a", reaction_type, user_id: 2 };
    message.reactions = op === "add" ? [reaction] : [];
    return event("reaction", { op, message_id: id, ...reaction });
  }

  remove(id: number): Event | undefined {
    if (!this.messages.delete(id)) return undefined;
    return event("delete_message", { message_ids: [id] });
  }
}

const event = (type: Event["type"], fields: object) => ({ type, id: 0, ...fields }) as Event;

function emptyMessage(id: number, stream_id: number, subject: string): Message {
  return {
    id,
    type: "stream",
    sender_id: 2,
    sender_full_name: "Bo",
    stream_id,
    subject,
    display_recipient: "",
    content: "",
    timestamp: id,
    is_me_message: false,
    reactions: [],
    submessages: [],
    flags: [],
    topic_links: [],
  };
}

/** Number of messages sent before the client starts; it knows them only by fetches. */
const EARLIER = 16;
const id = fc.integer({ min: 1, max: EARLIER + 8 });
const topic = fc.constantFrom("a", "b", "A");
const op = fc.constantFrom("add", "remove");
const step = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant("send"), fc.constantFrom(1, 2), topic) },
  { weight: 3, arbitrary: fc.tuple(fc.constant("fetch"), id, fc.nat(4), fc.nat(4)) },
  fc.tuple(fc.constant("move"), fc.array(id, { minLength: 1, maxLength: 5 }), topic),
  fc.tuple(
    fc.constant("moveMessages"),
    fc.array(id, { minLength: 1, maxLength: 5 }),
    fc.constantFrom(1, 2, OUTSIDE),
  ),
  fc.tuple(fc.constant("flag"), op, id),
  fc.tuple(fc.constant("react"), op, id),
  fc.tuple(fc.constant("remove"), id),
);

test.each(NARROWS.map((terms) => [JSON.stringify(terms), terms] as const))(
  "%s holds what the server holds, wherever it knows",
  (_, terms) => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
        const [server, state] = [new Server(), hydrate(structuredClone(SNAPSHOT))];
        for (let index = 0; index < EARLIER; index++)
          server.send(1 + (index % 2), index % 3 === 0 ? "b" : "a");
        const view = newView(terms);
        for (const [name, ...args] of steps) {
          applyAction(server, state, view, name as string, args);
          check(server, state, view);
        }
      }),
      { numRuns: 300 },
    );
  },
);

test("joins later messages of a view that was read meanwhile", () => {
  const view = newView([term("is", "unread")]);
  addSegment(view, { from: 0, to: 20, ids: [18, 20] });
  const response = { messages: [{ id: 21 }], found_oldest: false, found_newest: true };
  addSegment(view, segmentOf(response, 20)!);
  expect(view.segments).toEqual([{ from: 0, to: Infinity, ids: [18, 20, 21] }]);
});

function applyAction(
  server: Server,
  state: State,
  view: FeedView,
  name: string,
  args: any[],
): void {
  if (name === "fetch") {
    const response = server.fetch(view.terms, args[0], args[1], args[2], state);
    const segment = segmentOf(response);
    for (const message of response.messages) state.messages.byId.set(message.id, message);
    if (segment) addSegment(view, segment);
    return;
  }
  const event: Event | undefined = (server as any)[name](...args);
  if (!event) return;
  reduce(state, [event]);
  reduceView(view, event, state);
}

function check(server: Server, state: State, view: FeedView): void {
  const there = server.expectedMessages(view.terms, state);
  let end = -1;
  for (const { from, to, ids } of view.segments) {
    expect(from).toBeGreaterThan(end);
    end = to;
    const expected = there
      .map((message) => message.id)
      .filter((item) => from <= item && item <= to);
    expect({ from, to, ids }).toEqual({ from, to, ids: expected });
  }
}

test("a move of unseen messages does not truncate direct conversations", () => {
  const state = hydrate(SNAPSHOT);
  const view = newView([term("dm", "2")]);
  const segment = { from: 0, to: Infinity, ids: [5] };
  addSegment(view, segment);
  const payload = {
    stream_id: 1,
    orig_subject: "a",
    subject: "b",
    message_ids: [9],
    message_id: 9,
  };
  reduceView(view, event("update_message", { ...payload, flags: [] }), state);
  expect(view.segments).toEqual([segment]);
});
