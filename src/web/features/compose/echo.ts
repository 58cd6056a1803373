// Sent messages that the server has not confirmed, in the form that the feed displays.
import { renderContext } from "../../store/render-context.ts";
import { effect, untracked } from "@preact/signals";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { go, view } from "../../store/address.ts";
import { element } from "../../content/node.ts";
import { localNumber } from "../../feed/local-ids.ts";
import { matchesNarrow } from "../../store/narrow.ts";
import type { FeedView } from "../../feed/segments.ts";
import { personal, sync } from "../../sync/session.ts";
import { maybeState, getState, invalidate } from "../../store/store.ts";
import { contentOf, loadRenderer, renderer } from "../../render/loading.ts";
import type { State } from "../../store/state.ts";
import { rejectionText } from "../../sync/optimistic.ts";
import type { PendingMessage } from "../../sync/mutations/types.ts";
import type { PersonalStore } from "../../sync/personal-store.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { viewOfConversation } from "../lists/selectors.ts";
import type { Message, Sending } from "../../contract/message.ts";
import { personOf } from "../people/state.ts";
import { conversationOfTarget } from "../recipient/target-rules.ts";
import { showSending, SLOW_MS } from "./send-status.ts";

/** Loaded together with the texts that it displays. */
export const showSendingInRow = showSending;

/** After this time, an unconfirmed message is displayed as waiting instead of sending. */
const WAITING_MS = 5000;

/** Unconfirmed messages that belong in the view. */
export function echoesIn(view: FeedView): Message[] {
  const outgoing = personal.peek()?.mutations.messages() ?? [];
  if (outgoing.length === 0) return [];
  const state = getState();
  return outgoing
    .filter((message) => !isKnown(message, view, state))
    .map((message) => echoOf(message, state))
    .filter((message) => matchesNarrow(view.terms, message, state) === true);
}

/** Whether the message is visible in this view. */
export const isEchoIn = (outgoing: PendingMessage, terms: readonly NarrowTerm[]): boolean =>
  matchesNarrow(terms, echoOf(outgoing, getState()), getState()) === true;

/** Number of the newest messages that are compared with the unconfirmed ones. */
const NEWEST_SEARCHED = 50;

/** The message has already arrived, and the mutation queue is about to remove it. */
function isKnown({ id, local_id }: PendingMessage, view: FeedView, state: State): boolean {
  if (id !== undefined && state.messages.byId.has(id)) return true;
  const newest = view.segments.at(-1)?.ids.slice(-NEWEST_SEARCHED) ?? [];
  return newest.some(
    (newestId) => state.messages.byId.get(newestId)?.local_message_id === local_id,
  );
}

function echoOf(outgoing: PendingMessage, state: State): Message {
  const { local_id, target, text, made } = outgoing;
  const { me } = state.people;
  const full_name = personOf(state.people, me)?.full_name ?? "";
  const rendered = contentOf(text, renderContext(state));
  const shared = {
    id: localNumber(local_id),
    sender_id: me,
    sender_full_name: full_name,
    content: rendered.html,
    is_me_message: rendered.is_me_message,
    timestamp: Math.floor(made / 1000),
    reactions: [],
    submessages: [],
    flags: ["read"],
    topic_links: [],
    sending: sendingOf(outgoing),
  };
  if (target.type === "channel") {
    const { stream_id, topic: subject } = target;
    return { ...shared, type: "stream", stream_id, subject, display_recipient: "" };
  }
  const display_recipient = [...new Set([...target.user_ids, me])].map((id) => {
    const { full_name = "" } = personOf(state.people, id) ?? {};
    return { id, full_name, email: "", is_mirror_dummy: false };
  });
  return { ...shared, type: "private", subject: "", display_recipient };
}

function sendingOf({ local_id, state, words: text, made }: PendingMessage): Sending {
  return { local_id, state: sendingStateOf(state, made), text, made };
}

/** State of an unconfirmed edit of a message. */
export function pendingOf(message_id: number): Sending | undefined {
  const row = personal.peek()?.mutations.changeOf(message_id);
  if (!row || row.method === "DELETE") return undefined;
  const { key, state, made, code = "", words = "" } = row;
  const errorText =
    state === "refused" ? rejectionText({ code, text: words }, message_id) : undefined;
  const isChange = true;
  return { local_id: key, state: sendingStateOf(state, made), text: errorText, made, isChange };
}

function sendingStateOf(state: PendingMessage["state"], createdAt: number): Sending["state"] {
  const isOnItsWay = sync.connection.peek().kind === "live" && Date.now() - createdAt < WAITING_MS;
  return state === "waiting" && isOnItsWay ? "sending" : state;
}

const timers = new Set<ReturnType<typeof setTimeout>>();
let displayedIds = new Set<number>();

/** Rerenders rows after changes of the queue, the connection or the renderer. */
export function start(): void {
  effect(() => {
    void sync.connection.value;
    void renderer.value;
    const open = personal.value;
    void open?.mutations.revision.value;
    untracked(() => {
      if (!open) return;
      rerenderRows(open);
      announceRefusal(open);
    });
  });
}

let refused: ReadonlySet<string> | undefined;

/** Errors of messages from earlier pages are displayed by the row only. */
function announceRefusal({ mutations }: PersonalStore): void {
  const rows = mutations.messages().filter(({ state }) => state === "refused");
  // A message may be refused before this script has loaded.
  const isNew = ({ local_id, made }: PendingMessage) =>
    refused ? !refused.has(local_id) : made >= performance.timeOrigin;
  const last = rows.findLast(isNew);
  refused = new Set(rows.map(({ local_id }) => local_id));
  if (!last || document.hidden) return;
  const errorText = t("message-refused", { words: last.words ?? "" });
  const currentView = view.peek();
  if (currentView.kind === "messages" && isEchoIn(last, currentView.terms))
    return announceAloud(errorText);
  const target = viewOfConversation(conversationOfTarget(last.target));
  showToast({ text: errorText, undo: () => go(target), undoLabel: t("show"), isAlert: true });
}

let aloud: HTMLElement | undefined;

/** Announces it to screen readers. */
function announceAloud(text: string): void {
  aloud?.remove();
  aloud = element("p", "vh", text);
  aloud.setAttribute("role", "alert");
  document.body.append(aloud);
}

function rerenderRows({ mutations }: PersonalStore): void {
  if (!maybeState()) return;
  const sendings = mutations.messages().map(({ made, state, local_id }) => {
    return { made, state, id: localNumber(local_id) };
  });
  const changes = mutations
    .changes()
    .flatMap(({ made, state, change }) => (change ? [{ made, state, id: change.message_id }] : []));
  if (sendings.length > 0) loadRenderer();
  const all = [...sendings, ...changes];
  if (all.length + displayedIds.size === 0) return;
  const ids = new Set(all.map(({ id }) => id));
  invalidate(["outgoing", ...[...ids.union(displayedIds)].map((id) => `message:${id}` as const)]);
  displayedIds = ids;
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
  for (const { made, id } of all.filter(({ state }) => state === "waiting")) {
    for (const ms of [SLOW_MS, WAITING_MS]) {
      const wait = made + ms - Date.now();
      // If the clock was set back, the wait ends at once.
      if (wait <= 0 || wait > WAITING_MS) continue;
      const redraw = () => invalidate(["outgoing", `message:${id}`]);
      timers.add(setTimeout(redraw, wait + 1));
    }
  }
}
