// The row of a message: created once, then updated when the message or sender changes.
import { attempt } from "../content/catch-errors.ts";
import { isTall, withoutStackedMarks } from "../../text/input/combining-marks.ts";
import type { RenderContext } from "../content/enrich.ts";
import { loadSpoilerImages } from "../content/media.ts";
import { setChildren, element } from "../content/node.ts";
import { rendered, textOf } from "../content/render-content.ts";
import type { Message, Sending } from "../contract/message.ts";
import { formatMoment, formatTime } from "../words/dates.ts";
import { t } from "../words/words.ts";
import { avatarNode, type Sender } from "./avatar.ts";
import { reactionsNode } from "./reactions.ts";

/** The data with which rows are rendered. */
export interface RowContext extends RenderContext {
  senderOf(message: Message): Sender;
  /** The URL of the message in its conversation. */
  addressOf(message: Message): string;
  /** Marks own reactions and names the others. */
  peopleIn(user_ids: readonly number[]): string;
  /** The user has muted the sender and has not revealed this message. */
  isHidden(message: Message): boolean;
  /** The user can open the edit history of the message. */
  hasHistory(message: Message): boolean;
  /** Signs beside the time, or above the text if the row continues another. */
  signsOf(message: Message): readonly HTMLElement[];
  /** State of an unconfirmed edit. */
  pendingOf(message_id: number): Sending | undefined;
  /** Shows in a row whether its message is still unsent. */
  showSending(row: HTMLElement, sending: Sending | undefined): void;
  /** Content and topic with highlighted search terms, as HTML. */
  markedOf(message: Message): { content: string; subject: string } | undefined;
  /** Removes controls from a row or bar that the user may not use. */
  removeControls?(node: HTMLElement): void;
  /** A poll or a to-do list instead of the content. Undefined if the message is neither. */
  widgetOf(message: Message, context: RowContext): HTMLElement | undefined;
  /** The editor that replaces the content during editing. */
  editorOf(message_id: number): HTMLElement | undefined;
}

export function makeRow(message: Message, isFollowUp: boolean, context: RowContext): HTMLElement {
  const row = element("article", "msg");
  row.tabIndex = -1;
  row.setAttribute("aria-setsize", "-1");
  nameRow(row, message);
  fillRow(row, message, isFollowUp, context);
  return row;
}

/** A message gets another id when it is confirmed. */
export function nameRow(row: HTMLElement, { id }: Message): void {
  row.id = `m${id}`;
  row.dataset["id"] = `${id}`;
  row.setAttribute("aria-labelledby", `h${id}`);
}

/**
 * Renders a row again. Unchanged parts are not touched, so that selections survive; an open spoiler
 * stays open while its content is the same.
 */
export function fillRow(
  row: HTMLElement,
  message: Message,
  isFollowUp: boolean,
  context: RowContext,
): void {
  try {
    renderRow(row, message, isFollowUp, context);
  } catch (error) {
    reportError(error);
    renderPlainRow(row, message);
  }
}

/** Renders only the sender and the text, if rendering the row has failed. */
function renderPlainRow(row: HTMLElement, { id, sender_full_name, content }: Message): void {
  const head = element("header", "msg-head", element("span", "msg-name", bdi(sender_full_name)));
  head.id = `h${id}`;
  const text = element("div", "md", textOf(content));
  text.dir = "auto";
  row.replaceChildren(element("span"), element("div", "msg-body", head, text));
}

function renderRow(
  row: HTMLElement,
  message: Message,
  isFollowUp: boolean,
  context: RowContext,
): void {
  const open = [...row.querySelectorAll<HTMLElement>("details[open]")].map(mediaSignature);
  const tools = row.querySelector(":scope > .msg-tools");
  const isHidden = context.isHidden(message);
  const sender = isHidden ? hiddenSender(message) : context.senderOf(message);
  const entries = [
    ...(isFollowUp ? followHead(message, sender, context) : [headNode(message, sender, context)]),
    ...(isHidden ? [hiddenNode()] : messageBodyNodes(message, sender, context)),
  ];
  for (const element of entries) {
    for (const node of element.querySelectorAll("details"))
      node.open = open.includes(mediaSignature(node));
    if (open.length > 0) loadSpoilerImages(element);
  }
  const avatar = isFollowUp ? element("span") : avatarNode(sender);
  // Collapsed messages have a button below.
  const isPlain = !("collapsed" in row.dataset || message.flags.includes("collapsed"));
  const known = isPlain && row.querySelector(":scope > .msg-body");
  const body = known || element("div", "msg-body");
  // The editor is not moved, because the user may be composing a character.
  replaceChanged(body, entries);
  replaceChanged(row, [avatar, body, ...(tools ? [tools] : [])]);
  setMarks(row, message, isFollowUp);
  mark(row, "tall", isTall(message.content) || isTall(sender.full_name));
  mark(row, "editing", context.editorOf(message.id) !== undefined);
  const sending = message.sending ?? context.pendingOf(message.id);
  if (sending || row.dataset["state"]) context.showSending(row, sending);
  for (const node of row.querySelectorAll("details:not([open])"))
    for (const player of playersIn(node)) player.pause();
  context.removeControls?.(row);
}

/** Replaces only the children that differ. */
function replaceChanged(parent: Element, nodes: Element[]): void {
  const current = [...parent.children];
  const next = nodes.map((node) => current.find((item) => item.isEqualNode(node)) ?? node);
  for (const node of next) if (!current.includes(node)) preservePlayers(parent, node);
  setChildren(parent, next);
}

/** The content of a spoiler: its HTML and its files. */
const mediaSignature = (node: HTMLElement) =>
  `${node.innerHTML.match(/>[^<]+|user_uploads\/\d[^"]*/g)}`;

const playersIn = (node: Element) => [...node.querySelectorAll<HTMLMediaElement>("audio, video")];

/** Media players stay in place, so that playback continues. */
function preservePlayers(row: Element, body: Element): void {
  const players = playersIn(body);
  for (const player of playersIn(row)) {
    const index = players.findIndex(({ src }) => src === player.src);
    if (index === -1 || player.error) continue;
    for (const other of players.splice(index, 1)) other.replaceWith(player);
  }
}

function messageBodyNodes(message: Message, sender: Sender, context: RowContext): HTMLElement[] {
  const editor = context.editorOf(message.id);
  const widget = attempt(
    () => context.widgetOf(message, context),
    () => undefined,
  );
  const element = editor ?? widget ?? contentNode(message, sender, context);
  const marks = editor ? [] : editedNode(message, context);
  // If the message ends with text, the mark of an edited message is in the last line.
  const isText = element.lastElementChild?.tagName === "P";
  if (marks.length > 0 && isText) element.dataset["marked"] = "";
  const reactions = attempt(
    () => reactionsNode(message, context),
    () => [],
  );
  return [element, ...marks, ...reactions];
}

/** Stands in for a muted sender. */
function hiddenSender({ sender_id }: Message): Sender {
  const full_name = t("muted-person");
  const unknown = { avatar_url: null, is_bot: false, is_guest: false, status_emoji: undefined };
  return { user_id: sender_id, full_name, ...unknown };
}

function hiddenNode(): HTMLElement {
  const button = element("button", "msg-hidden", t("show-muted"));
  button.type = "button";
  button.dataset["act"] = "show-muted";
  return button;
}

/** Updates flags and grouping without changing the row's content. */
export function setMarks(row: HTMLElement, message: Message, isFollowUp: boolean): void {
  const { flags } = message;
  const isMention = flags.some((flag) => flag.endsWith("mentioned"));
  mark(row, "follow", isFollowUp);
  mark(row, "unread", !flags.includes("read"));
  mark(row, "mention", isMention);
  mark(row, "starred", flags.includes("starred"));
  mark(row, "collapsed", flags.includes("collapsed"));
}

export function mark(node: HTMLElement, name: string, isSet: boolean): void {
  if (isSet === name in node.dataset) return;
  if (isSet) node.dataset[name] = "";
  else delete node.dataset[name];
}

function headNode(message: Message, sender: Sender, context: RowContext): HTMLElement {
  const head = element("header", "msg-head");
  head.id = `h${message.id}`;
  const name = element("button", "msg-name", bdi(sender.full_name));
  name.type = "button";
  name.dataset["act"] = "card";
  name.dataset["on"] = `${sender.user_id}`;
  head.append(name);
  if (sender.is_bot) head.append(element("span", "tag", t("bot")));
  if (sender.is_guest) head.append(element("span", "tag", t("guest")));
  if (sender.status_emoji !== undefined) {
    const emoji = element("span", "emoji", sender.status_emoji);
    emoji.setAttribute("aria-hidden", "true");
    head.append(emoji);
  }
  head.append(timeNode(message, context), ...context.signsOf(message));
  return head;
}

/** Hidden text for screen readers; the name is visible above, and the time at the side. */
function followHead(message: Message, sender: Sender, context: RowContext): HTMLElement[] {
  const { full_name } = sender;
  const label = element("span", "vh", `${full_name} ${formatTime(message.timestamp)}`);
  label.id = `h${message.id}`;
  return [label, timeNode(message, context), ...context.signsOf(message)];
}

function timeNode(message: Message, context: RowContext): HTMLElement {
  const time = element("a", "msg-time", formatTime(message.timestamp));
  time.href = context.addressOf(message);
  time.title = formatMoment(message.timestamp);
  time.tabIndex = -1;
  return time;
}

function editedNode(message: Message, context: RowContext): HTMLElement[] {
  const { last_edit_timestamp, last_moved_timestamp } = message;
  const marks: string[][] = [];
  if (last_edit_timestamp) marks.push([t("edited"), formatMoment(last_edit_timestamp)]);
  if (last_moved_timestamp) marks.push([t("moved"), formatMoment(last_moved_timestamp)]);
  if (marks.length === 0) return [];
  const text = marks.map(([word]) => word).join(", ");
  const node = element(context.hasHistory(message) ? "button" : "span", "msg-mark", `(${text})`);
  if (node instanceof HTMLButtonElement) node.type = "button";
  node.dataset["act"] = "history";
  node.title = marks.map((mark) => mark.join(" ")).join("\n");
  return [node];
}

const ME = /^\/me\s/;

function contentNode(message: Message, sender: Sender, context: RowContext): HTMLElement {
  const html = context.markedOf(message)?.content ?? message.content;
  const content = rendered(html, context);
  if (message.is_me_message) asMeMessage(content, sender);
  const node = element("div", "md");
  node.dir = "auto";
  node.append(content);
  if (isEmojiOnly(node)) node.dataset["large"] = "";
  return node;
}

/** Shows `/me waves` as an action of the sender. */
function asMeMessage(content: DocumentFragment, { full_name }: Sender): void {
  const first = content.querySelector("p")?.firstChild;
  if (first?.nodeType !== Node.TEXT_NODE) return;
  first.textContent = (first.textContent ?? "").replace(ME, "");
  first.before(element("em", "me-message", full_name), " ");
}

function isEmojiOnly(node: HTMLElement): boolean {
  const paragraph = node.children.length === 1 ? node.firstElementChild : null;
  if (paragraph?.tagName !== "P" || paragraph.children.length === 0) return false;
  return [...paragraph.childNodes].every((child) =>
    child instanceof Element ? child.classList.contains("emoji") : !child.textContent?.trim(),
  );
}

function bdi(text: string): HTMLElement {
  return element("bdi", "", withoutStackedMarks(text));
}
