// The parts of composing that outlive a composer: drafts, uploads and typing notifications.
import { SUBSCRIBERS_TOLD_MAX } from "../../../features/typing/rules.ts";
import { effect, signal } from "@preact/signals";
import { go } from "../../address.ts";
import { world } from "../../api/ask.ts";
import { Unanswered } from "../../api/http.ts";
import {
  addDrafts,
  dropDraft,
  editDraft,
  tellTyping,
  tellTypingOnEdit,
} from "../../api/deed-calls.ts";
import { csrfToken } from "../../api/session.ts";
import { placeOfMessage } from "../../feed/items.ts";
import { desk, sync } from "../../here.ts";
import { keyed, now, touch } from "../../live.ts";
import { showToast } from "../../ui/toast.tsx";
import type { Place } from "../../views.ts";
import { say } from "../../words/words.ts";
import { peopleOf } from "../conversations/state.ts";
import { TypingNotifier } from "../typing/notify.ts";
import { countDrafts } from "../drafts/count.ts";
import { Drafts } from "../drafts/drafts.ts";
import type { SharedDraft } from "../drafts/sharing.ts";
import { draftsLeft, type Ended, type Tabs } from "../drafts/stored.ts";
import { placeKey, wirePlace } from "../target/places.ts";
import { openTexts } from "../uploads/texts.ts";
import { limits } from "../uploads/limits.ts";
import { pendingIn, Uploads, withWords } from "../uploads/uploads.ts";
import { release } from "../uploads/waits.ts";

export interface Shelf {
  readonly drafts: Drafts;
  readonly uploads: Uploads;
}

/** From when it is known who writes. */
export const shelf = signal<Shelf | undefined>(undefined);
/** Whether all that was typed is on the disk; undefined while nothing is typed. */
export const isSaved = signal<boolean | undefined>(undefined);

/** Rendering with this is repeated when drafts change, also in another tab. */
export function hearOwn(): void {
  void isSaved.value;
  keyed("own drafts");
}

async function furnish({ drafts: rows, files }: NonNullable<typeof desk.value>["kept"]) {
  const saved = (is: boolean) => (isSaved.value = is);
  const drafts = new Drafts(rows, sharing, world, placeKey, {
    saved,
    changed: () => touch(new Set(["own drafts"])),
    clashed: tellClash,
    tabs: openTabs(),
  });
  await drafts.load();
  const asking = { user_id: () => sync.user_id, csrf: csrfToken };
  const uploads = new Uploads(asking, files, world, limits, (placeholder, words) => {
    if ([...openTexts].some((placedIn) => placedIn(placeholder, words))) return;
    for (const { place, to, text } of drafts.all()) {
      if (!text.includes(placeholder)) continue;
      const now = withWords(text, placeholder, words);
      drafts.change(place, to, now);
      if (words === "") release(place);
      else if (pendingIn(now).length === 0) release(place)?.send(now);
    }
  });
  shelf.value = { drafts, uploads };
  countDrafts.value = () => {
    hearOwn();
    const { shared, own } = draftsLeft(now().personal.drafts, drafts.all());
    return shared.length + own.length;
  };
  // Shares drafts that an earlier page had no time to share.
  drafts.share();
  await uploads.resume();
}

function openTabs(): Tabs {
  const channel = new BroadcastChannel(`skein-drafts-${now().people.me}`);
  return {
    tell: (ended) => channel.postMessage(ended),
    hear(take) {
      channel.addEventListener("message", ({ data }: MessageEvent<Ended>) => {
        take(data);
        touch(new Set(["drafts"]));
      });
    },
  };
}

/** Another tab or device changed the same draft. */
function tellClash(): void {
  touch(new Set(["drafts"]));
  const undo = () => go({ kind: "drafts" });
  showToast({ words: say("draft-clash"), undoWords: say("drafts"), undo });
}

/** Writes pending changes to disk before the page may end. */
for (const kind of ["pagehide", "freeze"]) {
  addEventListener(kind, () => void shelf.peek()?.drafts.flush());
}
sync.leaving.before(async () => shelf.peek()?.drafts.flush());
document.addEventListener("visibilitychange", () => {
  if (document.hidden) void shelf.peek()?.drafts.flush();
});

const wireDraft = (to: Place, content: string, changed: number) => ({
  type: "user_ids" in to ? ("private" as const) : ("stream" as const),
  ...wirePlace(to, now().people.me),
  content,
  timestamp: Math.floor(changed / 1000),
});

const AGAIN_MS = 5000;
let cancelAgain: (() => void) | undefined;

/** Retries after a time, since the page may be active all the while. */
async function orAgain<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Unanswered) {
      cancelAgain?.();
      cancelAgain = world.after(AGAIN_MS, () => shelf.peek()?.drafts.share());
    }
    throw error;
  }
}

const sharing = {
  isOn: () => now().settings.settings["enable_drafts_synchronization"] === true,
  isCurrent: () => sync.standing.peek().kind === "live",
  drafts(): SharedDraft[] {
    const { personal, people } = now();
    return [...personal.drafts.values()].flatMap(({ id, type, to, topic, content, timestamp }) => {
      if (type === "" || to.length === 0) return [];
      const place: Place =
        type === "stream" ? { stream_id: to[0]!, topic } : { user_ids: peopleOf(to, people.me) };
      return [{ id, to: place, content, changed: timestamp * 1000 }];
    });
  },
  async add(to: Place, content: string, changed: number): Promise<number> {
    const { ids } = await orAgain(addDrafts(sync, { drafts: [wireDraft(to, content, changed)] }));
    return ids[0]!;
  },
  async edit(draft_id: number, to: Place, content: string, changed: number): Promise<void> {
    await orAgain(editDraft(sync, { draft_id, draft: wireDraft(to, content, changed) }));
  },
  async remove(draft_id: number): Promise<void> {
    await orAgain(dropDraft(sync, { draft_id }));
    // Its event is still to come: nobody goes on from what is not there.
    now().personal.drafts.delete(draft_id);
    touch(new Set(["drafts"]));
  },
};

/** Whether anybody there is to hear that one writes. */
function isToldIn(place: Place): boolean {
  const { settings, channels } = now();
  if ("user_ids" in place) {
    return (
      settings.settings["send_private_typing_notifications"] === true && place.user_ids.length > 0
    );
  }
  const count = channels.channels.get(place.stream_id)?.row.subscriber_count ?? 0;
  return (
    settings.settings["send_stream_typing_notifications"] === true && count <= SUBSCRIBERS_TOLD_MAX
  );
}

function tell(op: "start" | "stop", place: Place): void {
  if (!isToldIn(place)) return;
  const asked =
    "user_ids" in place
      ? ({ type: "direct", op, to: place.user_ids } as const)
      : ({ type: "channel", op, ...place } as const);
  void tellTyping(sync, asked).catch(() => undefined);
}

function tellOfEdit(op: "start" | "stop", message_id: number): void {
  const message = now().messages.byId.get(message_id);
  if (!message || !isToldIn(placeOfMessage(message, now().people.me))) return;
  void tellTypingOnEdit(sync, { op, message_id }).catch(() => undefined);
}

const period = (name: string, otherwise: number) =>
  Number(now().organization.fields[`server_typing_${name}_milliseconds`] ?? otherwise);

const periods = () => ({
  again: period("started_wait_period", 30_000),
  stopped: period("stopped_wait_period", 12_000),
});

export const typing = new TypingNotifier(tell, periods, world, placeKey);
/** Keyed by the edited message. */
export const typingOnEdit = new TypingNotifier(tellOfEdit, periods, world, String);

/** Waits for events, and lets one of several tabs go first. */
const HEARD_MS = 2000;
sync.standing.subscribe(({ kind }) => {
  const wait = HEARD_MS * (1 + world.random());
  if (kind === "live") world.after(wait, () => shelf.peek()?.drafts.share());
});

effect(() => {
  const open = desk.value;
  if (open) void furnish(open.kept);
});
