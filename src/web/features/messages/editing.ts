// Changing the text of a message in its row.
import { editMessage, fetchMessage } from "../../api/calls.ts";
import { element } from "../../content/node.ts";
import { desk, sync } from "../../here.ts";
import { now, touch } from "../../live.ts";
import { optimistic, showRefusal } from "../../optimistic.ts";
import { contentOf, loadRenderer } from "../../render/loading.ts";
import type { Deed } from "../../snapshot.ts";
import type { Doing } from "../../sync/doings.ts";
import { formatTime } from "../../words/dates.ts";
import { say } from "../../words/words.ts";
import { current } from "../conversation/current.ts";
import { editors } from "../conversation/drawing.ts";
import { editableUntil } from "./permits.ts";
import { sha256 } from "./sha256.ts";
import type { Message } from "./state.ts";

/** What one writes in: the composer's own field, or any other that can be asked for its text. */
export interface Field {
  node: HTMLElement;
  focus(): void;
  text(): string;
}

/** Makes a field with a text; the composer's, once it is there. */
export type MakeField = (text: string, label: string) => Field;
let makeField: MakeField = plainField;

export function editWith(make: MakeField): void {
  makeField = make;
}

/** Fetches the Markdown, and puts a field with it in the message's row. */
export async function editInPlace(message: Message): Promise<void> {
  const { id } = message;
  if (editors.has(id)) return;
  const unsent = desk.peek()?.doings.textOf(id);
  const text = unsent?.change?.content;
  // What waits to be sent is written on; of what was refused one sees the newest first.
  if (unsent?.state === "waiting") return open(message, { text: text!, ...shaOf(unsent) });
  try {
    // Who waits for a text wants to know that it does not come.
    const { raw_content } = await fetchMessage(sync, { message_id: id }, { again: false });
    const prev_content_sha256 = await sha256(raw_content);
    open(message, { text: text ?? raw_content, before: raw_content, prev_content_sha256 });
  } catch (error) {
    showRefusal(error);
  }
}

const shaOf = ({ params }: Doing) => ({
  prev_content_sha256: params["prev_content_sha256"] as string | undefined,
});

interface Opened {
  text: string;
  /** As the server has it; undefined where that is not known. */
  before?: string;
  prev_content_sha256: string | undefined;
}

function open(message: Message, { text, before, prev_content_sha256 }: Opened): void {
  const { id } = message;
  loadRenderer();
  const field = makeField(text, say("edit-text"));
  const form = element(
    "form",
    "messages-edit",
    field.node,
    footOf(message, () => close(id)),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const content = field.text();
    if (content !== before) save(message, { content, prev_content_sha256 });
    close(id);
  });
  form.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") close(id);
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  editors.set(id, form);
  touch(new Set([`message:${id}`]));
  field.focus();
}

function plainField(text: string, label: string): Field {
  const node = element("textarea");
  node.value = text;
  node.setAttribute("aria-label", label);
  return { node, focus: () => node.focus(), text: () => node.value };
}

function footOf(message: Message, cancel: () => void): HTMLElement {
  const save = element("button", "btn", say("save"));
  save.type = "submit";
  save.dataset["kind"] = "primary";
  const back = element("button", "btn", say("cancel"));
  back.type = "button";
  back.dataset["kind"] = "quiet";
  back.addEventListener("click", cancel);
  const foot = element("p", "messages-edit-foot");
  const until = editableUntil(now(), message);
  if (until !== undefined) {
    foot.append(element("small", "", say("editable-until", { time: formatTime(until) })));
  }
  foot.append(back, save);
  return foot;
}

/** The row shows what was there, and has the focus again. */
function close(id: number): void {
  editors.delete(id);
  touch(new Set([`message:${id}`]));
  const feed = current.peek()?.shownFeed();
  const row = feed?.rowOf(id);
  if (row) feed!.roving.focus(row);
}

interface Edited {
  content: string;
  prev_content_sha256: string | undefined;
}

/** Seen at once as the server will render it; what is refused is kept for the person to decide. */
function save(message: Message, edited: Edited): void {
  const { id: message_id, stream_id, flags } = message;
  const { doings } = desk.peek()!;
  const earlier = doings.textOf(message_id);
  if (earlier) void doings.replaced(earlier.key);
  const rendered = contentOf(edited.content, now());
  const foretold = {
    type: "update_message" as const,
    user_id: now().people.me,
    message_id,
    message_ids: [message_id],
    ...(stream_id !== undefined && { stream_id }),
    rendering_only: false,
    flags,
    content: edited.content,
    orig_content: "",
    rendered_content: rendered.html,
    is_me_message: rendered.is_me_message,
    edit_timestamp: Math.floor(Date.now() / 1000),
  } as unknown as Deed;
  const { content, is_me_message } = message;
  const before = { ...foretold, rendered_content: content, is_me_message } as unknown as Deed;
  const inverse = earlier?.inverse ?? [before];
  const change = { message_id, content: edited.content };
  void optimistic(editMessage.asked({ message_id, ...edited }), [foretold], inverse, { change });
}
