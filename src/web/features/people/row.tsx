// A user in the side panel: avatar, presence and status.
import { subscribe, getState } from "../../store/store.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { formatTimeIn } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { emojiGlyph } from "../emoji/selectors.ts";
import { PresenceDot } from "../lists/avatars.tsx";
import type { Status } from "../presence/state.ts";
import { presenceOf } from "../presence/selectors.ts";
import { openCard } from "./open-card.tsx";
import { type Person, personOf } from "./state.ts";

/** The values of `user_list_style`. */
export const STYLES = { compact: 1, withStatus: 2, withPicture: 3 } as const;

interface PersonRowProps {
  user_id: number;
  tabIndex?: number;
  style?: unknown;
}

export function PersonRow({ user_id, tabIndex = 0, style = STYLES.withPicture }: PersonRowProps) {
  subscribe(`user:${user_id}`, `status:${user_id}`);
  const { people, presence } = getState();
  const person = personOf(people, user_id);
  if (!person) return null;
  const status = presence.status.get(user_id);
  const isCompact = style === STYLES.compact;
  const line = isCompact ? "" : lineOf(person, status);
  const hasPicture = !isCompact && style !== STYLES.withStatus;
  return (
    <button
      class="person"
      type="button"
      data-user={user_id}
      data-plain={hasPicture ? undefined : ""}
      aria-haspopup="dialog"
      tabIndex={tabIndex}
      onClick={({ currentTarget }) => void openCard(currentTarget, user_id)}
    >
      <span class="who">
        {hasPicture && <Avatar person={person} size={28} />}
        <PresenceDot user_id={user_id} />
      </span>
      <span>
        <b>
          <bdi>{person.full_name}</bdi>
          {user_id === people.me && ` ${t("you-mark")}`}
          {isCompact && ` ${signIn(status)}`}
        </b>
        {line !== "" && <small dir="auto">{line}</small>}
      </span>
    </button>
  );
}

const signIn = (status: Status | undefined): string =>
  status?.reaction_type === "unicode_emoji" && status.emoji_code
    ? emojiGlyph(status.emoji_code, status.emoji_name)
    : "";

/** The status; if there is none, the user's local time if it differs. */
function lineOf(person: Person, status: Status | undefined): string {
  const text = `${signIn(status)} ${status?.status_text ?? ""}`.trim();
  if (text !== "" || !person.timezone || person.is_bot) return text;
  const seconds = Date.now() / 1000;
  const localTime = formatTimeIn(person.timezone, seconds);
  const deviceTime = formatTimeIn(Intl.DateTimeFormat().resolvedOptions().timeZone, seconds);
  const isAway = presenceOf(getState(), person.user_id, seconds) !== "active";
  return localTime !== deviceTime && isAway ? t("their-time", { time: localTime }) : "";
}
