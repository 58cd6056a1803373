// Adapts a message's HTML to the reader: current names, local times, loaded media.
import type { SettingName } from "../../features/settings/rules.ts";
import { withoutStackedMarks } from "../../text/input/combining-marks.ts";
import { parseUrl } from "../../text/input/parse-url.ts";
import { formatMoment, formatZoned } from "../words/dates.ts";
import { t } from "../words/words.ts";
import { enrichCode } from "./code.ts";
import { enrichMedia } from "./media.ts";
import { element, icon } from "./node.ts";

/** The data that the content is displayed with. */
export interface RenderContext {
  me: number;
  /** The user's current name. */
  nameOf(user_id: number): string | undefined;
  groupNameOf(group_id: number): string | undefined;
  isOwnGroup(group_id: number): boolean;
  colorOf(stream_id: number): string | undefined;
  /** Playgrounds for code of the language. */
  playgroundsOf(language: string): readonly { id: number; name: string }[];
  /** Value of a setting of the reader. */
  setting(name: SettingName): unknown;
}

export function enrich(content: DocumentFragment, context: RenderContext): DocumentFragment {
  for (const node of all(content, ".user-mention, .user-group-mention, .topic-mention")) {
    enrichMention(node, context);
  }
  for (const node of all(content, "time")) enrichTime(node);
  const isSpelled = context.setting("emojiset") === "text";
  for (const node of all(content, ".emoji")) enrichEmoji(node, isSpelled);
  for (const node of all(content, ".katex")) enrichMath(node);
  for (const node of all(content, ".spoiler-block")) enrichSpoiler(node);
  for (const node of all(content, "table")) wrap(node, "tbl");
  enrichCode(content, context);
  enrichMedia(content, context.setting("web_animate_image_previews") !== "always");
  for (const node of content.querySelectorAll<HTMLAnchorElement>("a")) enrichLink(node, context);
  return content;
}

/** A list that does not change while nodes are moved. */
const all = (root: DocumentFragment, selector: string) => [
  ...root.querySelectorAll<HTMLElement>(selector),
];

function enrichMention(node: HTMLElement, context: RenderContext): void {
  const isSilent = node.classList.contains("silent");
  const { userId, userGroupId } = node.dataset;
  const name =
    userGroupId === undefined
      ? context.nameOf(Number(userId))
      : context.groupNameOf(Number(userGroupId));
  if (name !== undefined) {
    node.textContent = (isSilent ? "" : "@") + withoutStackedMarks(name);
  }
  const isMine =
    userGroupId === undefined
      ? userId === "*" || userId === undefined || Number(userId) === context.me
      : context.isOwnGroup(Number(userGroupId));
  node.className = "mention";
  node.dir = "auto";
  if (isMine && !isSilent) node.dataset["me"] = "";
  if (userId !== undefined && userId !== "*") setRowAction(node, "card", userId);
}

/** Sets the action that a click runs. The feed looks it up by name. */
function setRowAction(node: HTMLElement, action: string, value: string): void {
  node.dataset["act"] = action;
  node.dataset["on"] = value;
}

function enrichTime(node: HTMLElement): void {
  const time = Date.parse(node.getAttribute("datetime") ?? "");
  if (Number.isNaN(time)) return;
  node.title = t("time-as-written", { text: node.textContent ?? "" });
  node.className = "moment";
  node.replaceChildren(icon("clock", 16), formatMoment(time / 1000));
  node.setAttribute("aria-label", formatZoned(time / 1000));
}

/**
 * Displays an emoji as the system's glyph instead of an image, or as its name if the user prefers
 * text.
 */
function enrichEmoji(node: HTMLElement, isSpelled: boolean): void {
  if (isSpelled) return node.replaceWith(node.textContent || node.getAttribute("alt") || "");
  const code = /(?:^|\s)emoji-([0-9a-f]+(?:-[0-9a-f]+)*)(?:\s|$)/.exec(node.className)?.[1];
  if (code === undefined) return;
  const name = node.title;
  node.textContent = glyphOf(code);
  node.className = "emoji";
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", name);
}

/**
 * Returns an emoji from its code points in hexadecimal, joined by dashes. Always a glyph, even if
 * the user prefers text.
 */
export function glyphOf(code: string): string {
  const points = code.split("-").map((hex) => Number.parseInt(hex, 16));
  const text = String.fromCodePoint(...points.filter((point) => point <= 0x10ffff));
  const [point = 0, ...others] = points;
  return others.length === 0 && point < 0x1f000 ? `${text}\ufe0f` : text;
}

/** Number of characters that fit in a line on a phone. */
const LINE_COLUMNS = 30;

/**
 * Browsers render MathML themselves; the HTML half needs inline styles, which the page forbids.
 * Browsers do not wrap formulas, so a long one scrolls.
 */
function enrichMath(node: HTMLElement): void {
  const math = node.querySelector("math");
  if (!math) return;
  const source = math.querySelector("annotation");
  if (source) math.setAttribute("aria-label", source.textContent ?? "");
  source?.remove();
  node.replaceWith(math);
  if ((math.textContent ?? "").length > LINE_COLUMNS) wrap(math, "math");
}

function enrichSpoiler(node: HTMLElement): void {
  const [header, content] = [...node.children];
  if (!header || !content) return;
  const summary = element("summary");
  const title = element("span", "spoiler-title", ...header.childNodes);
  if ((title.textContent ?? "").trim() === "") title.textContent = t("spoiler");
  summary.append(icon("right", 16), title);
  const details = element("details", "spoiler");
  details.append(summary, element("div", "", ...content.childNodes));
  node.replaceWith(details);
}

function wrap(node: Element, name: string): void {
  const wrapper = element("div", name);
  node.replaceWith(wrapper);
  wrapper.append(node);
  wrapper.tabIndex = 0;
}

/** A path with nothing but the id of a message. */
const SHORT_LINK = /^\/m\/(\d+)\/?$/;

/** Links to this organization are navigations; others open in a new tab without a referrer. */
function enrichLink(node: HTMLAnchorElement, context: RenderContext): void {
  const url = parseUrl(node.getAttribute("href") ?? "", document.baseURI);
  // The server links anything that looks like a URL, such as `http://192.168.1.256/`.
  if (url === undefined) return node.removeAttribute("href");
  if (url.origin !== location.origin) {
    node.target = "_blank";
    node.rel = "noopener noreferrer";
    return;
  }
  const short = SHORT_LINK.exec(url.pathname)?.[1];
  if (short !== undefined) setRowAction(node, "open-message", short);
  const isView = (url.pathname === "/" && url.hash !== "") || short !== undefined;
  const path = url.pathname + url.search + url.hash;
  node.setAttribute("href", isView && short === undefined ? url.hash : path);
  if (!isView) node.target = "_blank";
  const { streamId } = node.dataset;
  if (streamId === undefined) return;
  node.className = "topic-link";
  const color = context.colorOf(Number(streamId));
  if (color !== undefined) {
    node.dataset["c"] = "";
    node.style.setProperty("--c", color);
  }
}
