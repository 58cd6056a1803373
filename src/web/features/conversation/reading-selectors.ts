// The names, colors and settings with which messages are rendered.
import { EXTRA_EMOJI_NAME, EXTRA_EMOJI_URL } from "../../../text/extra-emoji.ts";
import { ownValue } from "../../../text/input/own-value.ts";
import type { RenderContext } from "../../content/enrich.ts";
import type { Message } from "../../contract/message.ts";
import type { Sender } from "../../feed/avatar.ts";
import { getState } from "../../store/store.ts";
import { emojiGlyph } from "../emoji/selectors.ts";
import { isMemberOf } from "../groups/selectors.ts";
import { personOf } from "../people/state.ts";
import { peopleIn } from "./selectors.ts";

interface Lookups extends Omit<RenderContext, "me"> {
  emojiUrlOf(code: string): string | undefined;
  senderOf(message: Message): Sender;
  peopleIn(user_ids: readonly number[]): string;
}

export const nameLookups: Lookups = {
  nameOf: (user_id) => personOf(getState().people, user_id)?.full_name,
  groupNameOf: (group_id) => groupName(getState().groups.groups.get(group_id)?.name),
  isOwnGroup: (group_id) => isMemberOf(getState().groups, group_id, getState().people.me),
  colorOf: (stream_id) => getState().channels.channels.get(stream_id)?.row.color,
  emojiUrlOf: (code) =>
    code === EXTRA_EMOJI_NAME
      ? EXTRA_EMOJI_URL
      : ownValue(getState().organization.emoji, code)?.source_url,
  playgroundsOf: (language) =>
    playgrounds().filter((playground) => folded(playground.pygments_language) === folded(language)),
  setting: (name) => getState().settings.settings[name],
  senderOf,
  peopleIn,
};

/** The render context for content outside of the feed. */
export const contentContext: RenderContext & Lookups = {
  get me() {
    return getState().people.me;
  },
  ...nameLookups,
};

export const playgrounds = () => getState().organization.playgrounds;
const folded = (language: string) => language.toLowerCase();

function senderOf({ sender_id, sender_full_name }: Message): Sender {
  const { people, presence } = getState();
  const person = personOf(people, sender_id);
  const status = presence.status.get(sender_id);
  const code = status?.reaction_type === "unicode_emoji" ? status.emoji_code : undefined;
  return {
    user_id: sender_id,
    full_name: person?.full_name ?? sender_full_name,
    avatar_url: person?.avatar_url ?? null,
    is_bot: person?.is_bot ?? false,
    is_guest: (person?.is_guest ?? false) && showsGuestMarks(),
    status_emoji: code === undefined ? undefined : emojiGlyph(code, status?.emoji_name),
  };
}

export const showsGuestMarks = () =>
  getState().organization.fields["realm_enable_guest_user_indicator"] !== false;

/** System groups have names of their own in every language. */
function groupName(name: string | undefined): string | undefined {
  return name?.replace(/^role:/, "");
}
