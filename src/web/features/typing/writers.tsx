// Shows who is typing or editing in the top line of the composer, so that the feed does not move.
import type { Changed } from "../../contract/snapshot.ts";
import { useEffect, useRef } from "preact/hooks";
import { keyOfConversation } from "../../conversation-keys.ts";
import { subscribe, getState, invalidate } from "../../store/store.ts";
import type { ConversationRef } from "../../views.ts";
import { t } from "../../words/words.ts";
import { personOf } from "../people/state.ts";
import { editsIn, stopTyping } from "./state.ts";

const NAMES_SHOWN_MAX = 2;
const EXPIRY_MS = 45_000;

export function TypingIndicator({ conversation }: { conversation: ConversationRef }) {
  const key = keyOfConversation(conversation);
  return (
    <>
      <WriterNames conversationKey={key} words={["typing", "many-typing"]} />
      <WriterNames
        conversationKey={editsIn(key)}
        words={["editing-message", "many-editing-messages"]}
      />
    </>
  );
}

interface WriterNamesProps {
  conversationKey: string;
  /** Texts for a few names, and for many. */
  words: readonly ["typing", "many-typing"] | readonly ["editing-message", "many-editing-messages"];
}

function WriterNames({ conversationKey: key, words: [word, wordOfMany] }: WriterNamesProps) {
  subscribe(`typing:${key}`, "users", "muted-users");
  const state = getState();
  const { server_typing_started_expiry_period_milliseconds: expiry } = state.organization.fields;
  const expiryMs = Number(expiry ?? EXPIRY_MS);
  const all = [...(state.typing.byConversation.get(key) ?? [])];
  // Older entries were not removed, because their conversation was not displayed.
  const recent = all.filter(([, startedAt]) => Date.now() - startedAt < expiryMs);
  const writers = recent.map(([user_id]) => user_id);
  const timers = useRef(new Map<number, ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const timerById = timers.current;
    for (const [index, id] of writers.entries()) {
      // The latest user is the last one.
      if (timerById.has(id) && index < writers.length - 1) continue;
      clearTimeout(timerById.get(id));
      timerById.set(
        id,
        setTimeout(() => end(key, id), expiryMs),
      );
    }
    for (const [id, timer] of timerById) {
      if (writers.includes(id)) continue;
      clearTimeout(timer);
      timerById.delete(id);
    }
  });
  useEffect(() => {
    const timerById = timers.current;
    return () => {
      for (const timer of timerById.values()) clearTimeout(timer);
      timerById.clear();
    };
  }, [key]);
  const visible = writers.filter((id) => !state.people.muted.has(id));
  if (visible.length === 0) return null;
  const names = visible.map((id) => personOf(state.people, id)?.full_name ?? t("unknown-user"));
  return (
    <span class="typing">
      <span aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <bdi>
        {names.length > NAMES_SHOWN_MAX
          ? t(wordOfMany, { count: names.length })
          : t(word, { count: names.length, names: formatNames(names) })}
      </bdi>
    </span>
  );
}

const formatNames = (names: readonly string[]) =>
  new Intl.ListFormat(document.documentElement.lang || "en").format(names);

function end(key: string, user_id: number): void {
  const changed: Changed = new Set();
  stopTyping(getState().typing, key, user_id, changed);
  invalidate(changed);
}
