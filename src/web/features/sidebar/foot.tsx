// The user's avatar, status and settings at the bottom of the sidebar.
import { addressOf } from "../../store/address.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Icon } from "../../ui/icon.tsx";
import { t } from "../../words/words.ts";
import { useRestoredFocus } from "../../ui/keep-focus.ts";
import { emojiGlyph } from "../emoji/selectors.ts";
import { AvatarWithPresence } from "../lists/avatars.tsx";
import { DoNotDisturbIndicator } from "../notifications/do-not-disturb-indicator.tsx";
import { personOf } from "../people/state.ts";
import { openOwnMenu } from "./menu.ts";

export function Foot() {
  // Rows disappear, such as that of a topic that the user mutes.
  useRestoredFocus(() => document.querySelector<HTMLElement>(".sidebar"));
  const { people } = getState();
  const { me } = people;
  subscribe(`user:${me}`);
  const name = personOf(people, me)?.full_name ?? "";
  const settings = addressOf({ kind: "page", page: "settings", path: ["profile"] });
  return (
    <div class="sidebar-foot">
      <button
        class="sidebar-user"
        type="button"
        aria-haspopup="menu"
        onClick={({ currentTarget }) => openOwnMenu(currentTarget, name)}
      >
        <AvatarWithPresence user_ids={[me]} size={32} />
        <span class="sidebar-user-text">
          <b>
            <bdi>{name}</bdi>
          </b>
          <Status />
        </span>
        <DoNotDisturbIndicator />
      </button>
      <a class="icon-btn" href={settings} aria-label={t("settings")} title={t("settings")}>
        <Icon name="settings" />
      </a>
    </div>
  );
}

function Status() {
  const { people, presence } = getState();
  subscribe(`status:${people.me}`);
  const status = presence.status.get(people.me) ?? {};
  const { status_text = "", emoji_name, emoji_code, reaction_type } = status;
  const isUnicode = reaction_type === "unicode_emoji" && emoji_code !== undefined;
  if (status_text === "" && !isUnicode) return null;
  return (
    <small dir="auto">
      {isUnicode && `${emojiGlyph(emoji_code, emoji_name)} `}
      {status_text}
    </small>
  );
}
