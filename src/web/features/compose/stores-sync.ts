// The parts of composing that outlive a composer: drafts, uploads and typing notifications.
import { TYPING_SUBSCRIBERS_MAX } from "../../../features/typing/rules.ts";
import { effect, signal } from "@preact/signals";
import { go } from "../../store/address.ts";
import { browserRuntime } from "../../api/runtime.ts";
import { NoResponse } from "../../api/http.ts";
import {
  addDrafts,
  dropDraft,
  editDraft,
  fetchDrafts,
  sendTyping,
  sendTypingOnEdit,
} from "../../api/message-calls.ts";
import { csrfToken } from "../../api/session.ts";
import { conversationOfMessage } from "../../feed/items.ts";
import { personal, sync } from "../../sync/session.ts";
import { subscribe, getState, invalidate } from "../../store/store.ts";
import { showToast } from "../../ui/toast.tsx";
import type { ConversationRef } from "../../views.ts";
import { t } from "../../words/words.ts";
import { firstOf } from "../../content/item-at.ts";
import { keyOfConversation, peopleOf } from "../../conversation-keys.ts";
import type { Draft } from "../personal/state.ts";
import { TypingNotifier } from "../typing/notify-sync.ts";
import { countDrafts } from "../drafts/count-state.ts";
import { Drafts } from "../drafts/drafts-sync.ts";
import type { ServerDraft } from "../drafts/server-sync.ts";
import { mergeDrafts, type DraftEnd, type Tabs } from "../drafts/local-sync.ts";
import { wireConversation } from "../recipient/target-rules.ts";
import { openTexts } from "../uploads/texts-state.ts";
import { limits } from "../uploads/limits-sync.ts";
import { pendingIn, Uploads, replacePlaceholder } from "../uploads/uploads-sync.ts";
import { cancelWaiting } from "../uploads/send-after-upload-sync.ts";

export interface ComposerStores {
  readonly drafts: Drafts;
  readonly uploads: Uploads;
}

/** Set as soon as the current user is known. */
export const stores = signal<ComposerStores | undefined>(undefined);
/** Whether everything typed is stored on disk; undefined if nothing was typed. */
export const isSaved = signal<boolean | undefined>(undefined);

/** Renders the calling view again when drafts change, also in another tab. */
export function subscribeToDrafts(): void {
  void isSaved.value;
  subscribe("own drafts");
}

async function openStores({ drafts: rows, files }: NonNullable<typeof personal.value>["rows"]) {
  const setSaved = (value: boolean) => (isSaved.value = value);
  const drafts = new Drafts(rows, shareHooks, browserRuntime, keyOfConversation, {
    onSaved: setSaved,
    // The composer compares its text again: the event of a deletion may have come before.
    changed: () => invalidate(["own drafts", "drafts"]),
    onConflict: showDraftConflict,
    tabs: openTabs(),
  });
  await drafts.load();
  const requestContext = { user_id: () => sync.user_id, csrf: csrfToken };
  const uploads = new Uploads(
    requestContext,
    files,
    browserRuntime,
    limits,
    ({ placeholder, words, refused }) => {
      for (const placedIn of openTexts) {
        const owner = placedIn(placeholder, words);
        if (owner !== undefined) return owner;
      }
      for (const { place, to, text } of drafts.all()) {
        if (!text.includes(placeholder)) continue;
        const now = replacePlaceholder(text, placeholder, words);
        drafts.change(place, to, now);
        if (words === "") cancelWaiting(place);
        else if (pendingIn(now).length === 0) cancelWaiting(place)?.send(now);
      }
      // The chip of the rejected file is not displayed, so a toast shows the error.
      if (refused) {
        const { name, words: reason } = refused;
        showToast({ text: t("upload-failed", { name, reason }), isAlert: true });
      }
      return undefined;
    },
  );
  stores.value = { drafts, uploads };
  countDrafts.value = () => {
    subscribeToDrafts();
    const { shared, own } = mergeDrafts(getState().personal.drafts, drafts.all());
    return shared.length + own.length;
  };
  // Shares drafts that an earlier page had no time to share.
  drafts.share();
  await uploads.resume();
}

function openTabs(): Tabs {
  const channel = new BroadcastChannel(`skein-drafts-${getState().people.me}`);
  return {
    send: (ended) => channel.postMessage(ended),
    onMessage(take) {
      channel.addEventListener("message", ({ data }: MessageEvent<DraftEnd>) => {
        take(data);
        invalidate(["drafts"]);
      });
    },
  };
}

/** Another tab or device changed the same draft. */
function showDraftConflict(): void {
  invalidate(["drafts"]);
  const undo = () => go({ kind: "drafts" });
  showToast({ text: t("draft-clash"), undoLabel: t("drafts"), undo });
}

/** Writes pending changes to disk before the page may end. */
for (const kind of ["pagehide", "freeze"]) {
  addEventListener(kind, () => void stores.peek()?.drafts.flush());
}
sync.sessionEnd.before(async () => stores.peek()?.drafts.flush());
document.addEventListener("visibilitychange", () => {
  if (document.hidden) void stores.peek()?.drafts.flush();
});

const wireDraft = (to: ConversationRef, content: string, changed: number) => ({
  type: "user_ids" in to ? ("private" as const) : ("stream" as const),
  ...wireConversation(to, getState().people.me),
  content,
  timestamp: Math.floor(changed / 1000),
});

/** Leaves out drafts without a recipient, which other clients may have. */
const fromWire = (drafts: readonly Draft[]): ServerDraft[] =>
  drafts.flatMap(({ id, type, to, topic, content, timestamp }) => {
    if (type === "" || to.length === 0) return [];
    const conversation: ConversationRef =
      type === "stream"
        ? { stream_id: firstOf(to), topic }
        : { user_ids: peopleOf(to, getState().people.me) };
    return [{ id, to: conversation, content, changed: timestamp * 1000 }];
  });

const AGAIN_MS = 5000;
let cancelAgain: (() => void) | undefined;

/** Also retries after a time, because the page may stay active the whole time. */
async function retryWhenOnline<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof NoResponse) {
      cancelAgain?.();
      cancelAgain = browserRuntime.after(AGAIN_MS, () => stores.peek()?.drafts.share());
    }
    throw error;
  }
}

const shareHooks = {
  isOn: () => getState().settings.settings["enable_drafts_synchronization"] === true,
  isCurrent: () => sync.connection.peek().kind === "live",
  drafts: () => fromWire([...getState().personal.drafts.values()]),
  fetchAll: async () =>
    fromWire((await retryWhenOnline(fetchDrafts(sync, {}, { isRetried: false }))).drafts),
  newest: () => getState().personal.newestDraft,
  async add(to: ConversationRef, content: string, changed: number): Promise<number> {
    const { ids } = await retryWhenOnline(
      addDrafts(sync, { drafts: [wireDraft(to, content, changed)] }),
    );
    return firstOf(ids);
  },
  async edit(
    draft_id: number,
    to: ConversationRef,
    content: string,
    changed: number,
  ): Promise<void> {
    await retryWhenOnline(editDraft(sync, { draft_id, draft: wireDraft(to, content, changed) }));
  },
  async remove(draft_id: number): Promise<void> {
    await retryWhenOnline(dropDraft(sync, { draft_id }));
    // Its event has not arrived yet, but the draft must not be opened again.
    getState().personal.drafts.delete(draft_id);
    invalidate(["drafts"]);
  },
};

/** Whether any user can see the typing notification. */
function sendsTypingIn(conversation: ConversationRef): boolean {
  const { settings, channels } = getState();
  if ("user_ids" in conversation) {
    return (
      settings.settings["send_private_typing_notifications"] === true &&
      conversation.user_ids.length > 0
    );
  }
  const count = channels.channels.get(conversation.stream_id)?.row.subscriber_count ?? 0;
  return (
    settings.settings["send_stream_typing_notifications"] === true &&
    count <= TYPING_SUBSCRIBERS_MAX
  );
}

function sendTypingIn(op: "start" | "stop", conversation: ConversationRef): void {
  if (!sendsTypingIn(conversation)) return;
  const params =
    "user_ids" in conversation
      ? ({ type: "direct", op, to: conversation.user_ids } as const)
      : ({ type: "channel", op, ...conversation } as const);
  void sendTyping(sync, params).catch(() => undefined);
}

function sendTypingForEdit(op: "start" | "stop", message_id: number): void {
  const message = getState().messages.byId.get(message_id);
  if (!message || !sendsTypingIn(conversationOfMessage(message, getState().people.me))) return;
  void sendTypingOnEdit(sync, { op, message_id }).catch(() => undefined);
}

const typingPeriod = (name: "started_wait_period" | "stopped_wait_period", otherwise: number) =>
  Number(getState().organization.fields[`server_typing_${name}_milliseconds`] ?? otherwise);

const periods = () => ({
  repeat_ms: typingPeriod("started_wait_period", 30_000),
  expiry_ms: typingPeriod("stopped_wait_period", 12_000),
});

export const typing = new TypingNotifier(sendTypingIn, periods, browserRuntime, keyOfConversation);
/** Keyed by the edited message. */
export const typingOnEdit = new TypingNotifier(sendTypingForEdit, periods, browserRuntime, String);

/** Delay before drafts are shared. Meanwhile, events show whether another tab has shared them. */
const EVENT_WAIT_MS = 2000;
sync.connection.subscribe(({ kind }) => {
  const wait = EVENT_WAIT_MS * (1 + browserRuntime.random());
  if (kind !== "live") return;
  stores.peek()?.uploads.onOnline();
  browserRuntime.after(wait, () => stores.peek()?.drafts.share());
});

effect(() => {
  const open = personal.value;
  if (open) void openStores(open.rows);
});
