// Polls and to-do lists, drawn as soon as what draws them is there; their room is kept until then.
import { element } from "../../content/node.ts";
import { touch } from "../../live.ts";
import { untilThere } from "../../scripts.ts";
import { learn } from "../../words/words.ts";
import type { Message } from "../messages/state.ts";

type Nodes = typeof import("./nodes.ts");
type Reading = Parameters<Nodes["widgetNode"]>[1];

let nodes: Nodes | undefined;
let coming: Promise<void> | undefined;
const waiting = new Set<number>();

/** Undefined where the message holds neither. */
export function widgetNode(message: Message, reading: Reading): HTMLElement | undefined {
  if (message.submessages.length === 0) return undefined;
  if (nodes) return nodes.widgetNode(message, reading);
  waiting.add(message.id);
  coming ??= load();
  const room = element("div", "poll");
  room.setAttribute("aria-busy", "true");
  return room;
}

async function load(): Promise<void> {
  const find = () => import("./nodes.ts");
  [nodes] = await Promise.all([untilThere(find), untilThere(learn)]);
  touch(new Set([...waiting].map((id) => `message:${id}`)));
  waiting.clear();
}
