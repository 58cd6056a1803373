// The status of a user with its emoji, which may be a custom one.
import { ownValue } from "../../../text/input/own-value.ts";
import { subscribe, getState } from "../../store/store.ts";
import { emojiGlyph, showsEmojiAsText } from "../emoji/selectors.ts";

export function StatusLine({ user_id }: { user_id: number }) {
  subscribe(`status:${user_id}`, "realm_emoji");
  const { presence, organization } = getState();
  const status = presence.status.get(user_id);
  if (!status?.emoji_name && !status?.status_text) return null;
  const { emoji_code = "", reaction_type, status_text } = status;
  const url = ownValue(organization.emoji, emoji_code)?.source_url;
  return (
    <p class="people-status" dir="auto">
      {status.emoji_name &&
        (reaction_type === "unicode_emoji" || showsEmojiAsText() ? (
          <span aria-hidden="true">{emojiGlyph(emoji_code, status.emoji_name)} </span>
        ) : (
          url && <img class="status-emoji" src={url} alt="" width={18} height={18} />
        ))}
      {status_text}
    </p>
  );
}
