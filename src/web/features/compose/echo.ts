// Messages that were sent and not confirmed, in the form that the feed displays.
import { effect, untracked } from "@preact/signals";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { go, view } from "../../address.ts";
import { element } from "../../content/node.ts";
import { localNumber } from "../../feed/local.ts";
import { holds } from "../../feed/narrow.ts";
import type { FeedView } from "../../feed/view.ts";
import { desk, sync } from "../../here.ts";
import { known, now, touch } from "../../live.ts";
import { contentOf, loadRenderer, renderer } from "../../render/loading.ts";
import type { State } from "../../state.ts";
import { wordsOf } from "../../optimistic.ts";
import type { Desk } from "../../sync/desk.ts";
import type { Outgoing } from "../../sync/outbox.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";
import { viewOfPlace } from "../lists/places.ts";
import type { Message, Sending } from "../messages/state.ts";
import { personOf } from "../people/state.ts";
import { placeOfTarget } from "../target/places.ts";
import { showSending, SLOW_MS } from "./sending.ts";

/** Loaded together with the texts of its rows. */
export const sayIn = showSending;

/** After this time, the message is waiting for something. */
const WAITING_MS = 5000;

/** Unconfirmed messages that belong in the view. */
export function echoesIn(view: FeedView): Message[] {
  const outgoing = desk.peek()?.outbox.outgoing;
  if (!outgoing || outgoing.size === 0) return [];
  const state = now();
  return [...outgoing.values()]
    .filter((one) => !isKnown(one, view, state))
    .map((one) => echoOf(one, state))
    .filter((message) => holds(view.terms, message, state) === true);
}

/** Whether one sees it where these messages are. */
export const stands = (outgoing: Outgoing, terms: readonly NarrowTerm[]): boolean =>
  holds(terms, echoOf(outgoing, now()), now()) === true;

/** How many of the newest messages are looked through for what was on its way. */
const NEWEST_LOOKED_AT = 50;

/** The message has already arrived, and the outbox is about to remove it. */
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

function sendingOf({ local_id, state, words, made }: Outgoing): Sending {
  return { local_id, state: shownAs(state, made), words, made };
}

/** State of an unconfirmed edit of a message. */
export function pendingOf(message_id: number): Sending | undefined {
  const doing = desk.peek()?.doings.changeOf(message_id);
  if (!doing || doing.method === "DELETE") return undefined;
  const { key, state, made, code = "", words = "" } = doing;
  const said = state === "refused" ? wordsOf({ code, words }, message_id) : undefined;
  const isChange = true;
  return { local_id: key, state: shownAs(state, made), words: said, made, isChange };
}

function shownAs(state: Outgoing["state"], made: number): Sending["state"] {
  const isOnItsWay = sync.standing.peek().kind === "live" && Date.now() - made < WAITING_MS;
  return state === "waiting" && isOnItsWay ? "sending" : state;
}

const timers = new Set<ReturnType<typeof setTimeout>>();
let told = new Set<number>();

/** Every change of what waits, of the connection or of the renderer draws the rows anew. */
export function start(): void {
  effect(() => {
    void sync.standing.value;
    void renderer.value;
    const open = desk.value;
    void open?.outgoing.value;
    untracked(() => {
      if (!open) return;
      tell(open);
      tellRefused(open);
    });
  });
}

let refused: ReadonlySet<string> | undefined;

/** Earlier errors are displayed by the row only. */
function tellRefused({ outbox }: Desk): void {
  const rows = [...outbox.outgoing.values()].filter(({ state }) => state === "refused");
  const last = rows.findLast(({ local_id }) => refused?.has(local_id) === false);
  refused = new Set(rows.map(({ local_id }) => local_id));
  if (!last || document.hidden) return;
  const said = say("message-refused", { words: last.words ?? "" });
  const shown = view.peek();
  if (shown.kind === "messages" && stands(last, shown.terms)) return sayAloud(said);
  const there = viewOfPlace(placeOfTarget(last.target));
  showToast({ words: said, undo: () => go(there), undoWords: say("show"), isAlert: true });
}

let aloud: HTMLElement | undefined;

/** To who does not see it. */
function sayAloud(words: string): void {
  aloud?.remove();
  aloud = element("p", "vh", words);
  aloud.setAttribute("role", "alert");
  document.body.append(aloud);
}

function tell({ outbox, doings }: Desk): void {
  if (!known()) return;
  const sent = [...outbox.outgoing.values()].map(({ made, state, local_id }) => {
    return { made, state, id: localNumber(local_id) };
  });
  const changes = [...doings.all.values()].flatMap(({ made, state, change }) =>
    change ? [{ made, state, id: change.message_id }] : [],
  );
  if (sent.length > 0) loadRenderer();
  const all = [...sent, ...changes];
  if (all.length + told.size === 0) return;
  const ids = new Set(all.map(({ id }) => id));
  touch(new Set(["outgoing", ...[...ids.union(told)].map((id) => `message:${id}`)]));
  told = ids;
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
  for (const { made, id } of all.filter(({ state }) => state === "waiting")) {
    for (const ms of [SLOW_MS, WAITING_MS]) {
      const wait = made + ms - Date.now();
      // A clock that was set back makes nobody wait.
      if (wait <= 0 || wait > WAITING_MS) continue;
      const again = () => touch(new Set(["outgoing", `message:${id}`]));
      timers.add(setTimeout(again, wait + 1));
    }
  }
}
