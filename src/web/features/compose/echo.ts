// What one has sent and the server has not told of yet, as messages that the feed can show.
import { effect, untracked } from "@preact/signals";
import { localNumber } from "../../feed/local.ts";
import { holds } from "../../feed/narrow.ts";
import { SLOW_MS } from "../../feed/row.ts";
import type { FeedView } from "../../feed/view.ts";
import { desk, sync } from "../../here.ts";
import { known, now, touch } from "../../live.ts";
import { loadRenderer, renderer } from "../../render/loading.ts";
import type { State } from "../../state.ts";
import type { Outgoing } from "../../sync/outbox.ts";
import type { Message, Sending } from "../messages/state.ts";
import { personOf } from "../people/state.ts";

/** What takes longer waits for something. */
const WAITING_MS = 5000;

/** Of a view: what would stand in it if the server had it. */
export function echoesIn(view: FeedView): Message[] {
  const outgoing = desk.peek()?.outbox.outgoing;
  if (!outgoing || outgoing.size === 0) return [];
  const state = now();
  return [...outgoing.values()]
    .filter((one) => !isKnown(one, view, state))
    .map((one) => echoOf(one, state))
    .filter((message) => holds(view.terms, message, state) === true);
}

/** How many of the newest messages are looked through for what was on its way. */
const NEWEST_LOOKED_AT = 50;

/** It has come back already, and the outbox is about to hear of it. */
function isKnown({ id, local_id }: Outgoing, view: FeedView, state: State): boolean {
  if (id !== undefined && state.messages.byId.has(id)) return true;
  const newest = view.segments.at(-1)?.ids.slice(-NEWEST_LOOKED_AT) ?? [];
  return newest.some((one) => state.messages.byId.get(one)?.local_message_id === local_id);
}

function echoOf(outgoing: Outgoing, state: State): Message {
  const { local_id, target, text, made } = outgoing;
  const { me } = state.people;
  const full_name = personOf(state.people, me)?.full_name ?? "";
  const isChannel = target.type === "channel";
  const people = isChannel ? [] : [...new Set([...target.user_ids, me])];
  const rendered = contentOf(text, state);
  return {
    id: localNumber(local_id),
    type: isChannel ? "stream" : "private",
    sender_id: me,
    sender_full_name: full_name,
    ...(isChannel && { stream_id: target.stream_id }),
    subject: isChannel ? target.topic : "",
    display_recipient: isChannel
      ? ""
      : people.map((id) => ({
          id,
          full_name: personOf(state.people, id)?.full_name ?? "",
          email: "",
        })),
    content: rendered.html,
    is_me_message: rendered.is_me_message,
    timestamp: Math.floor(made / 1000),
    reactions: [],
    submessages: [],
    flags: ["read"],
    topic_links: [],
    sending: sendingOf(outgoing),
  } as Message;
}

/** As the server renders it; until the renderer is there, line by line as it was typed. */
function contentOf(text: string, state: State): { html: string; is_me_message: boolean } {
  try {
    const rendered = renderer.peek()?.renderLocally(text, state);
    if (rendered) return rendered;
  } catch {
    // Too long for the renderer: the server will say so.
  }
  const lines = text.split("\n").map(escapeText);
  return { html: `<p>${lines.join("<br>")}</p>`, is_me_message: false };
}

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function sendingOf({ local_id, state, words, made }: Outgoing): Sending {
  const shown = state === "waiting" && isOnItsWay(made) ? "sending" : state;
  return { local_id, state: shown, words, made };
}

function isOnItsWay(made: number): boolean {
  return sync.standing.peek().kind === "live" && Date.now() - made < WAITING_MS;
}

const timers = new Set<ReturnType<typeof setTimeout>>();

/** Every change of the outbox, of the connection or of the renderer draws the rows anew. */
effect(() => {
  void sync.standing.value;
  void renderer.value;
  const open = desk.value;
  void open?.outgoing.value;
  untracked(() => tell([...(open?.outbox.outgoing.values() ?? [])]));
});

function tell(outgoing: readonly Outgoing[]): void {
  if (!known()) return;
  if (outgoing.length > 0) loadRenderer();
  touch(
    new Set(["outgoing", ...outgoing.map(({ local_id }) => `message:${localNumber(local_id)}`)]),
  );
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
  const waiting = outgoing.filter(({ state }) => state === "waiting");
  for (const { made, local_id } of waiting) {
    for (const ms of [SLOW_MS, WAITING_MS]) {
      const wait = made + ms - Date.now();
      if (wait <= 0) continue;
      const again = () => touch(new Set(["outgoing", `message:${localNumber(local_id)}`]));
      timers.add(setTimeout(again, wait + 1));
    }
  }
}
