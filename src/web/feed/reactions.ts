// The reactions under a message: a button each, pressed where one joined.
import { glyphOf } from "../content/enrich.ts";
import { element, icon } from "../content/node.ts";
import type { Message, Reaction } from "../features/messages/state.ts";
import { say } from "../words/words.ts";

/** What reactions are drawn by. */
interface Reading {
  me: number;
  peopleIn(user_ids: readonly number[]): string;
  emojiUrlOf?(code: string): string | undefined;
}

/** Gives nothing where nobody has reacted. */
export function reactionsNode(message: Message, reading: Reading): HTMLElement[] {
  const groups = Map.groupBy(
    message.reactions,
    ({ reaction_type, emoji_code }) => `${reaction_type}/${emoji_code}`,
  );
  if (groups.size === 0) return [];
  const node = element("div", "react");
  for (const reactions of groups.values()) node.append(reactionNode(reactions, reading));
  const add = element("button", "", icon("smile", 16));
  add.type = "button";
  add.dataset["add"] = "";
  add.dataset["act"] = "react";
  add.setAttribute("aria-label", say("add-reaction"));
  node.append(add);
  return [node];
}

function reactionNode(reactions: readonly Reaction[], reading: Reading): HTMLElement {
  const [{ emoji_name, emoji_code, reaction_type }] = reactions as [Reaction];
  const ids = reactions.map(({ user_id }) => user_id);
  const name = emoji_name.replaceAll("_", " ");
  const button = element("button", "", emojiNode(reactions[0]!, reading), ` ${ids.length}`);
  button.type = "button";
  button.dataset["act"] = "toggle-reaction";
  button.dataset["on"] = JSON.stringify({ emoji_name, emoji_code, reaction_type });
  button.setAttribute("aria-pressed", `${ids.includes(reading.me)}`);
  button.setAttribute("aria-label", say("reaction", { name, count: ids.length }));
  button.title = say("reacted-by", { people: reading.peopleIn(ids), name });
  return button;
}

function emojiNode({ emoji_code, reaction_type }: Reaction, reading: Reading): Node {
  if (reaction_type === "unicode_emoji") {
    return element("span", "emoji", glyphOf(emoji_code));
  }
  const picture = element("img", "emoji");
  const url = reading.emojiUrlOf?.(emoji_code);
  if (url !== undefined) picture.src = url;
  picture.alt = "";
  return picture;
}
