// The reactions below a message: a button for each, pressed if the user has reacted.
import type { SettingName } from "../../features/settings/rules.ts";
import { glyphOf } from "../content/enrich.ts";
import { element, icon } from "../content/node.ts";
import type { Message, Reaction } from "../contract/message.ts";
import { t } from "../words/words.ts";

/** The data with which reactions are rendered. */
interface ReactionContext extends EmojiContext {
  me: number;
  peopleIn(user_ids: readonly number[]): string;
}

export interface EmojiContext {
  emojiUrlOf?(code: string): string | undefined;
  setting(name: SettingName): unknown;
}

/** With more reactions on a message, numbers replace names. */
const NAMES_SHOWN_MAX = 3;

/** Returns nothing if there are no reactions. */
export function reactionsNode(message: Message, context: ReactionContext): HTMLElement[] {
  const groups = Map.groupBy(
    message.reactions,
    ({ reaction_type, emoji_code }) => `${reaction_type}/${emoji_code}`,
  );
  if (groups.size === 0) return [];
  const node = element("div", "react");
  const isNamed =
    context.setting("display_emoji_reaction_users") === true &&
    message.reactions.length <= NAMES_SHOWN_MAX;
  for (const reactions of groups.values()) node.append(reactionNode(reactions, isNamed, context));
  const add = element("button", "", icon("smile", 16));
  add.type = "button";
  add.dataset["add"] = "";
  add.dataset["act"] = "react";
  add.setAttribute("aria-label", t("add-reaction"));
  node.append(add);
  return [node];
}

function reactionNode(
  reactions: readonly Reaction[],
  isNamed: boolean,
  context: ReactionContext,
): HTMLElement {
  const first = reactions[0]!;
  const { emoji_name, emoji_code, reaction_type } = first;
  const ids = reactions.map(({ user_id }) => user_id);
  const name = emoji_name.replaceAll("_", " ");
  const people = context.peopleIn(ids);
  const authors = t("reacted-by", { people, name });
  const suffix = ` ${isNamed ? people : ids.length}`;
  const button = element("button", "", emojiNode(first, context), suffix);
  button.type = "button";
  button.dataset["act"] = "toggle-reaction";
  button.dataset["on"] = JSON.stringify({ emoji_name, emoji_code, reaction_type });
  button.setAttribute("aria-pressed", `${ids.includes(context.me)}`);
  const label = isNamed ? authors : t("reaction", { name, count: ids.length });
  // Text reactions need no label.
  if (!isSpelled(context)) button.setAttribute("aria-label", label);
  button.title = authors;
  return button;
}

const isSpelled = (context: EmojiContext) => context.setting("emojiset") === "text";

export function emojiNode(reaction: Omit<Reaction, "user_id">, context: EmojiContext): Node {
  const { emoji_name, emoji_code, reaction_type } = reaction;
  if (isSpelled(context)) return element("span", "", `:${emoji_name}:`);
  if (reaction_type === "unicode_emoji") {
    return element("span", "emoji", glyphOf(emoji_code));
  }
  const picture = element("img", "emoji");
  const url = context.emojiUrlOf?.(emoji_code);
  if (url !== undefined) picture.src = url;
  picture.alt = "";
  return picture;
}
