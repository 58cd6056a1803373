// The status dialog: a text and an emoji for the user, or by administrators for others.
import { ownValue } from "../../../text/input/own-value.ts";
import { type Signal, useSignal } from "@preact/signals";
import { STATUS_TEXT_LENGTH_MAX } from "../../../features/status/rules.ts";
import { setStatus, setStatusOf } from "../../api/message-calls.ts";
import { subscribe, getState } from "../../store/store.ts";
import { optimistic } from "../../sync/optimistic.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { boxOf } from "../../ui/anchor-box.ts";
import { showToast } from "../../ui/toast.tsx";
import { formatMoment } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { isAdministrator } from "../channels/permissions.ts";
import { emojiGlyph, showsEmojiAsText } from "../emoji/selectors.ts";
import { personOf } from "../people/state.ts";
import {
  type StatusExpiry,
  STATUS_EXPIRIES,
  expiryOf,
  expiryLabel,
  type StatusPreset,
  STATUS_PRESETS,
} from "./status-presets.ts";
import type { Status } from "./state.ts";
import { openPicker } from "../emoji/open-picker.tsx";

const LAYER = "status";

type StatusEmoji = Pick<Status, "emoji_name" | "emoji_code" | "reaction_type"> & { url?: string };

export function openStatus(user_id = getState().people.me): void {
  openLayer(LAYER, <StatusDialog user_id={user_id} />);
}

const NO_EMOJI = { emoji_name: "", emoji_code: "", reaction_type: "unicode_emoji" };

function StatusDialog({ user_id }: { user_id: number }) {
  const { people, presence } = getState();
  const isMe = user_id === people.me;
  subscribe("realm_emoji", `user:${people.me}`);
  const before = presence.status.get(user_id) ?? {};
  const text = useSignal(before.status_text ?? "");
  const emoji = useSignal<StatusEmoji | undefined>(before.emoji_name ? before : undefined);
  const end = useSignal<StatusExpiry>("never");
  const customTime = useSignal("");
  const error = useSignal<string | undefined>(undefined);
  const save = async (status_text: string, newEmoji: StatusEmoji | undefined) => {
    const ends_at = isMe ? expiryOf(end.value, Date.now(), customTime.value) : undefined;
    if (isMe && end.value === "at" && (ends_at ?? 0) <= Date.now() / 1000) {
      error.value = t("time-must-be-future");
      return;
    }
    closeLayer(LAYER);
    const newStatus = { user_id, status_text, emoji: newEmoji };
    await saveStatus(newStatus, before, status_text === "" && !newEmoji ? undefined : ends_at);
  };
  const hasStatus = before.status_text !== undefined || before.emoji_name !== undefined;
  const foot = (
    <>
      {hasStatus && <Button onClick={() => void save("", undefined)}>{t("clear")}</Button>}
      <Button kind="primary" type="submit">
        {t("save")}
      </Button>
    </>
  );
  return (
    <Dialog
      id={LAYER}
      title={isMe ? t("set-status") : t("set-status-of", { name: nameOf(user_id) })}
      isAllowed={isMe || isAdministrator(getState())}
      foot={foot}
      onSubmit={() => void save(text.value.trim(), emoji.value)}
    >
      <StatusPreview text={text} emoji={emoji} />
      <StatusPresets
        hasEnds={isMe}
        onChoose={({ textKey, emoji_name, emoji_code, ends }) => {
          text.value = t(textKey);
          emoji.value = { emoji_name, emoji_code, reaction_type: "unicode_emoji" };
          end.value = ends;
        }}
      />
      {isMe && <Ending end={end} time={customTime} error={error} />}
    </Dialog>
  );
}

interface LineProps {
  text: Signal<string>;
  emoji: Signal<StatusEmoji | undefined>;
}

function StatusPreview({ text, emoji }: LineProps) {
  return (
    <div class="status-line">
      <button
        class="emoji-of"
        type="button"
        aria-haspopup="dialog"
        aria-label={t("choose-emoji")}
        onClick={({ currentTarget }) =>
          void choose(currentTarget, (choice) => (emoji.value = choice))
        }
      >
        <EmojiSign emoji={emoji.value} />
      </button>
      <label class="field" data-big="">
        <span class="vh">{t("set-status")}</span>
        <input
          data-first
          value={text.value}
          maxLength={STATUS_TEXT_LENGTH_MAX}
          dir="auto"
          placeholder={t("status-example")}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
    </div>
  );
}

function StatusPresets({
  onChoose,
  hasEnds,
}: {
  onChoose: (idea: StatusPreset) => void;
  hasEnds: boolean;
}) {
  return (
    <div class="status-presets">
      {STATUS_PRESETS.map((idea) => (
        <button key={idea.textKey} class="item" type="button" onClick={() => onChoose(idea)}>
          <span aria-hidden="true">{emojiGlyph(idea.emoji_code, idea.emoji_name)}</span>
          {t(idea.textKey)}
          {hasEnds && <small>{expiryLabel(idea.ends)}</small>}
        </button>
      ))}
    </div>
  );
}

interface EndingProps {
  end: Signal<StatusExpiry>;
  time: Signal<string>;
  error: Signal<string | undefined>;
}

function Ending({ end, time, error }: EndingProps) {
  return (
    <>
      <div class="option-row">
        <label for="status-end">{t("ends")}</label>
        <span class="field">
          <select
            id="status-end"
            value={end.value}
            onChange={({ currentTarget }) => (end.value = currentTarget.value as StatusExpiry)}
          >
            {[...STATUS_EXPIRIES, "at" as const].map((expiry) => (
              <option key={expiry} value={expiry}>
                {expiryLabel(expiry)}
              </option>
            ))}
          </select>
        </span>
      </div>
      {end.value === "at" && (
        <label class="field">
          <span class="vh">{t("ends-at")}</span>
          <input
            type="datetime-local"
            value={time.value}
            aria-invalid={error.value !== undefined}
            onInput={({ currentTarget }) => {
              time.value = currentTarget.value;
              error.value = undefined;
            }}
          />
        </label>
      )}
      <p class="hint wrong" role="alert">
        {error.value}
      </p>
    </>
  );
}

function EmojiSign({ emoji }: { emoji: StatusEmoji | undefined }) {
  if (!emoji?.emoji_code) return <Icon name="smile" />;
  const { emoji_name, emoji_code, reaction_type } = emoji;
  const url = emoji.url ?? ownValue(getState().organization.emoji, emoji_code)?.source_url;
  if (reaction_type !== "unicode_emoji" && url && !showsEmojiAsText()) {
    return <img src={url} alt="" width={24} height={24} />;
  }
  return <span aria-hidden="true">{emojiGlyph(emoji_code, emoji_name)}</span>;
}

const choose = (anchor: Element, onChoose: (emoji: StatusEmoji) => void): Promise<void> =>
  openPicker(boxOf(anchor), onChoose);

const nameOf = (user_id: number): string =>
  personOf(getState().people, user_id)?.full_name ?? t("unknown-user");

interface StatusUpdate {
  user_id: number;
  status_text: string;
  emoji: StatusEmoji | undefined;
}

async function saveStatus(
  { user_id, status_text, emoji }: StatusUpdate,
  before: Status,
  ends_at: number | undefined,
): Promise<void> {
  const fieldsOf = (text: string, statusEmoji: StatusEmoji | undefined) => {
    const { emoji_name, emoji_code, reaction_type } = statusEmoji?.emoji_name
      ? statusEmoji
      : NO_EMOJI;
    return { status_text: text, emoji_name, emoji_code, reaction_type };
  };
  const localEvent = (fields: object) => ({ type: "user_status" as const, user_id, ...fields });
  const after = fieldsOf(status_text, emoji);
  const params = emoji ? after : { status_text, emoji_name: "" };
  const ownStatus = { ...params, ...(ends_at !== undefined && { ends_at }) };
  const request =
    user_id === getState().people.me
      ? setStatus.toRequest(ownStatus)
      : setStatusOf.toRequest({ ...params, user_id });
  const inverse = localEvent(fieldsOf(before.status_text ?? "", before));
  await optimistic(request, [localEvent(after)], [inverse]);
  if (ends_at !== undefined) showToast({ text: t("ends-on", { time: formatMoment(ends_at) }) });
}
