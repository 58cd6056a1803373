// The avatar beside a message, like that of `ui/avatar.tsx`, for rows rendered without a framework.
import { element, icon } from "../content/node.ts";
import { initialsOf, isGenerated, setHue, patternOf } from "../ui/avatar.tsx";

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 36;

export function avatarNode(sender: Sender): HTMLElement {
  const node = element("button", "av");
  node.type = "button";
  node.tabIndex = -1;
  node.setAttribute("aria-hidden", "true");
  node.dataset["act"] = "card";
  node.dataset["on"] = `${sender.user_id}`;
  if (sender.is_bot) node.dataset["bot"] = "";
  if (sender.avatar_url && !isGenerated(sender.avatar_url)) {
    const picture = element("img");
    picture.src = sender.avatar_url;
    picture.alt = "";
    picture.width = SIZE;
    picture.height = SIZE;
    picture.loading = "lazy";
    node.append(picture);
    return node;
  }
  setHue(node, sender.user_id);
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 36 36");
  const thread = document.createElementNS(SVG, "path");
  thread.setAttribute("d", patternOf(sender.user_id));
  drawing.append(thread);
  const { is_bot, full_name } = sender;
  node.append(drawing, is_bot ? icon("bot", 18) : element("span", "", initialsOf(full_name)));
  return node;
}

/** The current data of the sender. */
export interface Sender {
  user_id: number;
  full_name: string;
  avatar_url: string | null;
  is_bot: boolean;
  is_guest: boolean;
  status_emoji: string | undefined;
}
