// The status dialog: a text and an emoji for the user, or by administrators for others.
import { ownValue } from "../../../text/input/own-value.ts";
import { type Signal, useSignal } from "@preact/signals";
import { STATUS_TEXT_LENGTH_MAX } from "../../../features/status/rules.ts";
import { setStatus, setStatusOf } from "../../api/deed-calls.ts";
import { keyed, known } from "../../live.ts";
import { optimistic } from "../../optimistic.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { boxOf } from "../../ui/box.ts";
import { showToast } from "../../ui/toast.tsx";
import { formatMoment } from "../../words/dates.ts";
import { say } from "../../words/words.ts";
import { isAdministrator } from "../channels/asker.ts";
import { signOf, spellsEmoji } from "../emoji/sign.ts";
import { personOf } from "../people/state.ts";
import { type End, ENDS, endOf, endWords, type Idea, IDEAS } from "./ideas.ts";
import type { Status } from "./state.ts";

const LAYER = "status";

type Emoji = Pick<Status, "emoji_name" | "emoji_code" | "reaction_type"> & { url?: string };

export function openStatus(user_id = known()!.people.me): void {
  openLayer(LAYER, <StatusDialog user_id={user_id} />);
}

const NO_EMOJI = { emoji_name: "", emoji_code: "", reaction_type: "unicode_emoji" };

function StatusDialog({ user_id }: { user_id: number }) {
  const { people, presence } = known()!;
  const isMe = user_id === people.me;
  keyed("realm_emoji", `user:${people.me}`);
  const before = presence.status.get(user_id) ?? {};
  const text = useSignal(before.status_text ?? "");
  const emoji = useSignal<Emoji | undefined>(before.emoji_name ? before : undefined);
  const end = useSignal<End>("never");
  const at = useSignal("");
  const wrong = useSignal<string | undefined>(undefined);
  const save = async (status_text: string, chosen: Emoji | undefined) => {
    const ends_at = isMe ? endOf(end.value, Date.now(), at.value) : undefined;
    if (isMe && end.value === "at" && (ends_at ?? 0) <= Date.now() / 1000) {
      wrong.value = say("time-is-past");
      return;
    }
    closeLayer(LAYER);
    const is = { user_id, status_text, emoji: chosen };
    await tell(is, before, status_text === "" && !chosen ? undefined : ends_at);
  };
  const isSaid = before.status_text !== undefined || before.emoji_name !== undefined;
  const foot = (
    <>
      {isSaid && <Button onClick={() => void save("", undefined)}>{say("clear")}</Button>}
      <Button kind="primary" type="submit">
        {say("save")}
      </Button>
    </>
  );
  return (
    <Dialog
      id={LAYER}
      title={isMe ? say("set-status") : say("set-status-of", { name: nameOf(user_id) })}
      may={isMe || isAdministrator(known()!)}
      foot={foot}
      onSubmit={() => void save(text.value.trim(), emoji.value)}
    >
      <Line text={text} emoji={emoji} />
      <Ideas
        hasEnds={isMe}
        take={({ words, emoji_name, emoji_code, ends }) => {
          text.value = say(words);
          emoji.value = { emoji_name, emoji_code, reaction_type: "unicode_emoji" };
          end.value = ends;
        }}
      />
      {isMe && <Ending end={end} at={at} wrong={wrong} />}
    </Dialog>
  );
}

interface Said {
  text: Signal<string>;
  emoji: Signal<Emoji | undefined>;
}

function Line({ text, emoji }: Said) {
  return (
    <div class="status-line">
      <button
        class="emoji-of"
        type="button"
        aria-haspopup="dialog"
        aria-label={say("choose-emoji")}
        onClick={({ currentTarget }) => void choose(currentTarget, (one) => (emoji.value = one))}
      >
        <EmojiSign emoji={emoji.value} />
      </button>
      <label class="field" data-big="">
        <span class="vh">{say("set-status")}</span>
        <input
          value={text.value}
          maxLength={STATUS_TEXT_LENGTH_MAX}
          dir="auto"
          placeholder={say("status-example")}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
    </div>
  );
}

function Ideas({ take, hasEnds }: { take: (idea: Idea) => void; hasEnds: boolean }) {
  return (
    <div class="status-ideas">
      {IDEAS.map((idea) => (
        <button key={idea.words} class="item" type="button" onClick={() => take(idea)}>
          <span aria-hidden="true">{signOf(idea.emoji_code, idea.emoji_name)}</span>
          {say(idea.words)}
          {hasEnds && <small>{endWords(idea.ends)}</small>}
        </button>
      ))}
    </div>
  );
}

interface Ended {
  end: Signal<End>;
  at: Signal<string>;
  wrong: Signal<string | undefined>;
}

function Ending({ end, at, wrong }: Ended) {
  return (
    <>
      <div class="told">
        <label for="status-end">{say("ends")}</label>
        <span class="field">
          <select
            id="status-end"
            value={end.value}
            onChange={({ currentTarget }) => (end.value = currentTarget.value as End)}
          >
            {[...ENDS, "at" as const].map((one) => (
              <option key={one} value={one}>
                {endWords(one)}
              </option>
            ))}
          </select>
        </span>
      </div>
      {end.value === "at" && (
        <label class="field">
          <span class="vh">{say("ends-at")}</span>
          <input
            type="datetime-local"
            value={at.value}
            aria-invalid={wrong.value !== undefined}
            onInput={({ currentTarget }) => {
              at.value = currentTarget.value;
              wrong.value = undefined;
            }}
          />
        </label>
      )}
      <p class="hint wrong" role="alert">
        {wrong.value}
      </p>
    </>
  );
}

function EmojiSign({ emoji }: { emoji: Emoji | undefined }) {
  if (!emoji?.emoji_code) return <Icon name="smile" />;
  const { emoji_name, emoji_code, reaction_type } = emoji;
  const url = emoji.url ?? ownValue(known()!.organization.emoji, emoji_code)?.source_url;
  if (reaction_type !== "unicode_emoji" && url && !spellsEmoji()) {
    return <img src={url} alt="" width={24} height={24} />;
  }
  return <span aria-hidden="true">{signOf(emoji_code, emoji_name)}</span>;
}

async function choose(beside: Element, take: (emoji: Emoji) => void): Promise<void> {
  const { openPicker } = await import("../emoji/picker.tsx");
  openPicker(boxOf(beside), take);
}

const nameOf = (user_id: number): string =>
  personOf(known()!.people, user_id)?.full_name ?? say("unknown-user");

interface Telling {
  user_id: number;
  status_text: string;
  emoji: Emoji | undefined;
}

async function tell(
  { user_id, status_text, emoji }: Telling,
  before: Status,
  ends_at: number | undefined,
): Promise<void> {
  const said = (text: string, sign: Emoji | undefined) => {
    const { emoji_name, emoji_code, reaction_type } = sign?.emoji_name ? sign : NO_EMOJI;
    return { status_text: text, emoji_name, emoji_code, reaction_type };
  };
  const deed = (fields: object) => ({ type: "user_status" as const, user_id, ...fields });
  const after = said(status_text, emoji);
  const asked = emoji ? after : { status_text, emoji_name: "" };
  const own = { ...asked, ...(ends_at !== undefined && { ends_at }) };
  const wanted =
    user_id === known()!.people.me
      ? setStatus.asked(own as Parameters<typeof setStatus.asked>[0])
      : setStatusOf.asked({ ...asked, user_id } as Parameters<typeof setStatusOf.asked>[0]);
  const inverse = deed(said(before.status_text ?? "", before));
  await optimistic(wanted, [deed(after)], [inverse]);
  if (ends_at !== undefined) showToast({ words: say("ends-on", { time: formatMoment(ends_at) }) });
}
