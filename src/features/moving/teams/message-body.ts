// Converts the HTML of a Teams message and what is attached to it to Markdown.
import { escapeMarkdown } from "../../../text/html/escape-markdown.ts";
import { fenced } from "../../../text/markdown/make-fence.ts";
import { markdownOfHtml, type Special } from "../../../text/html/markdown.ts";
import { isFields } from "../../../text/untrusted-json.ts";
import { isTooDeep } from "../json-lines.ts";
import { joinTexts } from "../source/separate-blocks.ts";
import { linkOf } from "../source/mrkdwn.ts";
import { keyOfUser } from "../source/records-rules.ts";
import type { TeamsAttachment, TeamsMention, TeamsMessage } from "./shapes.ts";

const TEXTS_MAX = 50;
const NESTED_MAX = 8;
/** Longer than the fences of quotes and code blocks, which quotes may contain. */
const FENCE_LENGTH_MIN = 5;

/** Whether the export has the user with a key. */
type IsUser = (key: string) => boolean;

export function markdownOf(message: TeamsMessage, lost: string[], isUser: IsUser): string {
  const { Body, Attachments = [], Mentions = [] } = message;
  const content = Body?.Content ?? "";
  const isHtml = Body?.ContentType !== "text";
  const shownAttachments = new Set<string>();
  // The first of several with the same id counts.
  const mentions = new Map(Mentions.toReversed().map((mention) => [String(mention.Id), mention]));
  const attachments = new Map(
    Attachments.toReversed().map((attachment) => [attachment.Id, attachment]),
  );
  const special: Special = ({ name, attributes }) => {
    if (name === "at") return mentionOf(mentions, attributes["id"] ?? "");
    if (name === "emoji") return attributes["alt"] ?? "";
    if (name === "img") return pictureOf(attributes, lost);
    if (name === "customemoji") return customEmojiOf(attributes, lost);
    if (name !== "attachment") return undefined;
    const id = attributes["id"] ?? "";
    shownAttachments.add(id);
    const attachment = attachments.get(id);
    return attachment ? `\n${attachmentOf(attachment, lost, isUser)}\n` : "";
  };
  const text = isHtml ? withoutRepeats(markdownOfHtml(content, special)) : escapeMarkdown(content);
  const rest = Attachments.filter(({ Id }) => !shownAttachments.has(Id ?? ""));
  return joinTexts([text, ...rest.map((attachment) => attachmentOf(attachment, lost, isUser))]);
}

function mentionOf(mentions: ReadonlyMap<string, TeamsMention>, id: string): string {
  const mention = mentions.get(id);
  const { User, Conversation } = mention?.Mentioned ?? {};
  if (User?.Id) return `\u0001${keyOfUser(User.Id)}\u0001`;
  return Conversation ? "@**all**" : `@${mention?.MentionText ?? ""}`;
}

/** Joins the elements of a mention: Teams writes one for each word of a name. */
function withoutRepeats(text: string): string {
  const parts = text.split("\u0001");
  let output = parts[0] ?? "";
  for (let index = 1; index + 1 < parts.length; index += 2) {
    const [key = "", after = ""] = [parts[index], parts[index + 1]];
    const isRepeated = parts[index + 2] === key && after.trim() === "" && index + 3 < parts.length;
    output += isRepeated ? "" : `\u0001${key}\u0001${after}`;
  }
  return output;
}

function pictureOf(attributes: Readonly<Record<string, string>>, losses: string[]): string {
  const { src = "", alt = "" } = attributes;
  if (/^https?:/.test(src) && !src.includes("/hostedContents/")) return linkOf(src, alt || "image");
  losses.push("A picture is not in the export.");
  const label = alt.replaceAll(/[`*_[\]\n]/g, "").trim();
  return label && label !== "image"
    ? `(picture, not available: ${label})`
    : "(picture, not available)";
}

function customEmojiOf({ alt = "" }: Readonly<Record<string, string>>, losses: string[]): string {
  losses.push("The picture of a custom emoji is not in the export: only its name is imported.");
  return alt === "" ? "" : `:${alt}:`;
}

function attachmentOf(attachment: TeamsAttachment, losses: string[], isUser: IsUser): string {
  const { ContentType = "", ContentUrl = "", Content, Name } = attachment;
  const content = jsonIn(Content);
  if (ContentType === "reference") {
    losses.push("A file is in SharePoint or OneDrive: only a link to it is imported.");
    return /^https?:/.test(ContentUrl) ? linkOf(ContentUrl, Name || "file") : (Name ?? "");
  }
  if (ContentType === "forwardedMessageReference") {
    const text = htmlIn(content["originalMessageContent"], losses);
    const { id } = userIn(content["originalMessageSender"]);
    // Mentions in quotes are silent.
    const isKnown = typeof id === "string" && isUser(keyOfUser(id)) && text !== "";
    const sender = isKnown ? `\u0001${keyOfUser(id)}\u0001:\n` : "";
    return quoted("Forwarded:", sender + text);
  }
  if (ContentType === "messageReference") {
    const { displayName: name } = userIn(content["messageSender"]);
    return quoted(
      typeof name === "string" ? `${name}:` : "",
      htmlIn(content["messagePreview"], losses),
    );
  }
  if (ContentType.endsWith("codesnippet")) {
    // A card without content is a placeholder for another one that is loading.
    if (Object.keys(content).length === 0) return "";
    losses.push("A code snippet is not in the export.");
    return "(code snippet, not available)";
  }
  const component = content["componentUrl"];
  if (typeof component === "string" && /^https?:/.test(component)) {
    losses.push("A Loop component is in SharePoint or OneDrive: only a link to it is imported.");
    return linkOf(component, Name || "Loop component");
  }
  if (!ContentType.includes("card")) {
    losses.push("An attachment is shown by its name only.");
    return /^https?:/.test(ContentUrl) ? linkOf(ContentUrl, Name || "attachment") : (Name ?? "");
  }
  losses.push("A card is shown by its texts only.");
  return quoted("", textsIn(content).join("\n") || (Name ?? ""));
}

function userIn(sender: unknown): Record<string, unknown> {
  return isFields(sender) && isFields(sender["user"]) ? sender["user"] : {};
}

const htmlIn = (html: unknown, losses: string[]) =>
  typeof html === "string"
    ? markdownOfHtml(html, ({ name, attributes }) => {
        return name === "img" ? pictureOf(attributes, losses) : undefined;
      })
    : "";

function quoted(title: string, text: string): string {
  if (text === "") return "";
  return [title, fenced("quote", text, FENCE_LENGTH_MIN)].filter(Boolean).join("\n");
}

function jsonIn(text: string | undefined): Record<string, unknown> {
  if (text === undefined || isTooDeep(text)) return {};
  try {
    const value = JSON.parse(text) as unknown;
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

/** Fields with text, in adaptive cards and in the older cards of connectors and bots. */
const TEXTS = ["title", "activityTitle", "subtitle", "activitySubtitle", "name", "text", "value"];
const NESTED = [
  ...["body", "items", "columns", "inlines", "rows", "cells", "facts", "card"],
  ...["sections", "actions", "potentialAction", "buttons"],
];

/** Collects the texts of a card, up to a maximum depth. */
function textsIn(value: unknown, depth = 0): string[] {
  if (depth > NESTED_MAX) return [];
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) {
    return value.flatMap((element) => textsIn(element, depth + 1)).slice(0, TEXTS_MAX);
  }
  if (!isFields(value)) return [];
  const own = TEXTS.map((name) => (Object.hasOwn(value, name) ? value[name] : undefined)).filter(
    (text): text is string => typeof text === "string" && text !== "",
  );
  const [label = ""] = own;
  const url = addressOf(value);
  const line = url !== undefined && label !== "" ? linkOf(url, label) : own.join(": ");
  const inner = NESTED.flatMap((name) => {
    return Object.hasOwn(value, name) ? textsIn(value[name], depth + 1) : [];
  });
  return [line, ...inner].filter((text) => text.trim() !== "").slice(0, TEXTS_MAX);
}

/** Returns the URL of an action of an adaptive card, of a connector card or of a bot. */
function addressOf({ url, targets, value }: Record<string, unknown>): string | undefined {
  const [target] = Array.isArray(targets) ? (targets as unknown[]) : [];
  const candidates = [url, isFields(target) ? target["uri"] : undefined, value];
  return candidates.find(
    (candidate): candidate is string => typeof candidate === "string" && /^https?:/.test(candidate),
  );
}
