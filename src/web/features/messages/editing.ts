// Changing the text of a message in its row.
import { editMessage, fetchMessage } from "../../api/calls.ts";
import { Refused } from "../../api/http.ts";
import { element } from "../../content/node.ts";
import { sync } from "../../here.ts";
import { now, touch } from "../../live.ts";
import { showRefusal } from "../../optimistic.ts";
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
  try {
    const { raw_content } = await fetchMessage(sync, { message_id: id });
    open(message, raw_content, await sha256(raw_content));
  } catch (error) {
    showRefusal(error);
  }
}

function open(message: Message, before: string, prev_content_sha256: string | undefined): void {
  const { id } = message;
  const field = makeField(before, say("edit-text"));
  const form = element(
    "form",
    "messages-edit",
    field.node,
    footOf(message, () => close(id)),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const content = field.text();
    if (content === before) close(id);
    else void save(id, form, { content, prev_content_sha256 });
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
  const trouble = element("small", "messages-edit-trouble");
  trouble.setAttribute("role", "alert");
  foot.append(trouble, back, save);
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

/** What was written stays in the field until the server has taken it. */
async function save(message_id: number, form: HTMLFormElement, edited: Edited): Promise<void> {
  const trouble = form.querySelector(".messages-edit-trouble")!;
  trouble.textContent = "";
  form.setAttribute("aria-busy", "true");
  try {
    await editMessage(sync, { message_id, ...edited });
    close(message_id);
  } catch (error) {
    const isConflict = error instanceof Refused && error.code === "EXPECTATION_MISMATCH";
    if (isConflict) trouble.textContent = say("edit-conflict");
    else trouble.textContent = error instanceof Refused ? error.words : say("not-reached");
  } finally {
    form.removeAttribute("aria-busy");
  }
}
