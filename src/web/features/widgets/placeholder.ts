// Reserves space for polls and to-do lists until their script is loaded.
import { element } from "../../content/node.ts";
import { invalidate } from "../../store/store.ts";
import { importOrReload } from "../../scripts.ts";
import { loadTexts } from "../../words/words.ts";
import type { Message } from "../../contract/message.ts";
import type { WidgetContext } from "./nodes.ts";

type Nodes = typeof import("./nodes.ts");

let nodes: Nodes | undefined;
let loading: Promise<void> | undefined;
const waitingIds = new Set<number>();

/** undefined if the message has neither. */
export function widgetNode(message: Message, context: WidgetContext): HTMLElement | undefined {
  if (message.submessages.length === 0) return undefined;
  if (nodes) return nodes.widgetNode(message, context);
  waitingIds.add(message.id);
  loading ??= loadWidgets();
  const room = element("div", "poll");
  room.setAttribute("aria-busy", "true");
  return room;
}

async function loadWidgets(): Promise<void> {
  const find = () => import("./nodes.ts");
  [nodes] = await Promise.all([importOrReload(find), importOrReload(loadTexts)]);
  invalidate([...waitingIds].map((id) => `message:${id}` as const));
  waitingIds.clear();
}
