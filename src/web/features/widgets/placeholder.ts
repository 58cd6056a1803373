// Reserves space for polls and to-do lists until their script is loaded.
import { element } from "../../content/node.ts";
import { invalidate } from "../../store/store.ts";
import { importOrReload } from "../../scripts.ts";
import { loadTexts } from "../../words/words.ts";
import type { Message } from "../../contract/message.ts";
import type { WidgetContext } from "./nodes.ts";

type Nodes = typeof import("./nodes.ts");

let nodes: Nodes | undefined;
let coming: Promise<void> | undefined;
const waiting = new Set<number>();

/** undefined if the message has neither. */
export function widgetNode(message: Message, reading: WidgetContext): HTMLElement | undefined {
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
  [nodes] = await Promise.all([importOrReload(find), importOrReload(loadTexts)]);
  invalidate([...waiting].map((id) => `message:${id}` as const));
  waiting.clear();
}
