// The area of the composer below a view; its script is loaded after the view is displayed.
import { signal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { conversationOfMessage } from "../../feed/items.ts";
import { isLocal } from "../../feed/local-ids.ts";
import { replyPlace } from "../../feed/dim-others.ts";
import { narrowKey } from "../../store/narrow.ts";
import { subscribe, maybeState } from "../../store/store.ts";
import { BlankIcon } from "../../ui/loading/blank.tsx";
import { afterPress, importLater } from "../../ui/loading/scheduling.ts";
import { Button } from "../../ui/button.tsx";
import { type ConversationRef, conversationOf, topicView } from "../../views.ts";
import { t } from "../../words/words.ts";
import type { State } from "../../store/state.ts";
import {
  movedTopic,
  recipientDraft,
  repliedTo,
  selected,
  type TopicTarget,
} from "./session-state.ts";

type LoadedParts = (typeof import("./composer-parts.ts"))["parts"];
const loaded = signal<LoadedParts | undefined>(undefined);

async function load(): Promise<LoadedParts> {
  return (loaded.value = (await importLater(() => import("./composer-parts.ts"))).parts);
}

interface ComposerProps {
  /** undefined: the view has no messages, but the user can write to another conversation. */
  terms: readonly NarrowTerm[] | undefined;
  /** Identifies the view. A target that was chosen in one view does not apply in another. */
  viewKey: string;
  /** In a search, the composer does not invite the user to write. */
  isSearch: boolean;
}

export function Composer({ terms, viewKey, isSearch }: ComposerProps) {
  useEffect(() => void load(), []);
  const key = terms ? narrowKey(terms) : viewKey;
  const displayedKey = useRef(key);
  // Synchronously, because the text belongs to the target of the previous view.
  if (displayedKey.current !== key) {
    const isFollowed = isMoved(displayedKey.current, key);
    displayedKey.current = key;
    if (!isFollowed) selected.value = repliedTo.value = recipientDraft.value = undefined;
  }
  useSignalEffect(() => subscribe("channels"));
  const state = maybeState();
  const bound = useTarget(terms, state);
  const isOneOfMany = state && terms && conversationOf(terms, state.people.me) === undefined;
  useEffect(() => {
    replyPlace.value = isOneOfMany ? bound : undefined;
  });
  if (!state) return null;
  const parts = loaded.value;
  if (!recipientDraft.value && (!bound || parts?.isUnknown(bound))) {
    return terms && !isSearch ? <ClosedComposer terms={terms} /> : null;
  }
  return (
    <div class="col compose-wrap">
      {parts ? <parts.OpenComposer terms={terms} bound={bound} /> : <BlankComposer />}
    </div>
  );
}

/** The target stays if the message that is answered is deleted. */
function useTarget(terms: readonly NarrowTerm[] | undefined, state: State | undefined) {
  const id = repliedTo.value ?? selected.value;
  const last = useRef<{ id?: number; target?: ConversationRef }>({});
  const before = id !== undefined && last.current.id === id ? last.current.target : undefined;
  const target = (state && boundTo(terms, state)) ?? before;
  last.current = { id, target };
  return target;
}

/** Returns the open conversation, or the selected message's. */
function boundTo(
  terms: readonly NarrowTerm[] | undefined,
  state: State,
): ConversationRef | undefined {
  if (!terms) return undefined;
  const { me } = state.people;
  const conversation = conversationOf(terms, me);
  const id = repliedTo.value ?? selected.value;
  if (conversation || id === undefined || isLocal(id)) return conversation;
  // The topic of the message may be renamed.
  subscribe(`message:${id}`);
  const message = state.messages.byId.get(id);
  return message && conversationOfMessage(message, me);
}

/** Whether the view is of the same topic as before, which was renamed or moved. */
function isMoved(before: string, key: string): boolean {
  const moved = movedTopic.peek();
  const keyOf = ({ stream_id, topic }: TopicTarget) => narrowKey(topicView(stream_id, topic).terms);
  return moved !== undefined && keyOf(moved.from) === before && keyOf(moved.to) === key;
}

/** Has the height of the composer, so that nothing moves when the composer is loaded. */
const BlankComposer = () => (
  <>
    <div class="compose" aria-busy="true">
      <p class="compose-to">&nbsp;</p>
      <div class="compose-blank" />
      <div class="compose-tools">
        <span class="end">
          <BlankIcon />
        </span>
      </div>
    </div>
    <p class="compose-hint" />
  </>
);

/** In a view of many conversations, the user first chooses where to write. */
function ClosedComposer({ terms }: { terms: readonly NarrowTerm[] }) {
  const startNew = async (kind: "channel" | "direct") => (await load()).startWriting(terms, kind);
  return (
    <div class="col compose-wrap compose-closed">
      <Button icon="pencil" onClick={() => void startNew("channel")}>
        {t("new-message")}
      </Button>
      <Button icon="chat" onClick={() => void startNew("direct")}>
        {t("new-direct")}
      </Button>
    </div>
  );
}

/** The selected row is the one that has the focus or had it last. */
addEventListener("focusin", ({ target }) => {
  if (!(target instanceof Element)) return;
  const row = target.closest<HTMLElement>(".feed article.msg");
  // Waits for the end of the press, since opening the composer moves the rows.
  if (row) afterPress(() => (selected.value = Number(row.dataset["id"])));
});
