// The attachments of a message: links to files, on lines of their own at the end of its text.
import { decodeUrlPart } from "../../../text/input/decode-url-part.ts";
import { isInFence } from "../editor/edit-rules.ts";

interface TextParts {
  readonly body: string;
  /** Markdown links, in their order; those of unfinished uploads are placeholders. */
  readonly links: readonly string[];
}

const LINK = /^!?\[([^\]\n]*)\]\((\/user_uploads\/[^\s()]+|#uploading-[\w.-]+)\)$/;
/** A line that directly follows one of these would belong to the same block. */
const BLOCK = /^\s*(?:>|[-*+] |\d{1,9}[.)] |\|)/;

/** Splits a message into text and attachments. Links in code blocks or next to words are text. */
export function partsOf(text: string): TextParts {
  const lines = text.trimEnd().split("\n");
  const links: string[] = [];
  let end = lines.length;
  for (let index = end - 1; index >= 0; index -= 1) {
    const line = (lines[index] ?? "").trimEnd();
    if (LINK.test(line)) {
      links.unshift(line);
      end = index;
    } else if (line !== "") break;
  }
  const body = lines.slice(0, end).join("\n");
  if (links.length === 0 || isInFence(`${body}\n`)) return { body: text, links: [] };
  const withoutNewline = body.endsWith("\n") ? body.slice(0, -1) : body;
  return { body: needsBlankLine(withoutNewline) ? withoutNewline : body, links };
}

/** The Markdown that is sent. */
export function joinParts({ body, links }: TextParts): string {
  if (links.length === 0) return body;
  const list = links.join("\n");
  if (body.trim() === "") return list;
  return body + (needsBlankLine(body) ? "\n\n" : "\n") + list;
}

const needsBlankLine = (body: string): boolean =>
  BLOCK.test(body.slice(body.lastIndexOf("\n") + 1));

/** Whether both are the same message, apart from the lines between its attachments. */
export const isSameText = (a: string, b: string): boolean =>
  a === b || joinParts(partsOf(a)) === joinParts(partsOf(b));

export interface Attachment {
  readonly name: string;
  /** Undefined while it is being uploaded. */
  readonly url: string | undefined;
  /** Key of the upload; undefined once the server has the file. */
  readonly key: string | undefined;
}

export function attachmentOf(link: string): Attachment {
  const [, words = "", target = ""] = LINK.exec(link) ?? [];
  const isUpload = target.startsWith(UPLOADING);
  return {
    name: isUpload ? words.replace(/…$/, "") : words || nameIn(target),
    url: isUpload ? undefined : target,
    key: isUpload ? target.slice(UPLOADING.length) : undefined,
  };
}

const UPLOADING = "#uploading-";

function nameIn(url: string): string {
  return decodeUrlPart(url.slice(url.lastIndexOf("/") + 1));
}

/** A line of text with the names of attachments instead of their links. */
export const withoutLinks = (text: string): string =>
  text.replace(
    /!?\[([^\]\n]{1,300})\]\((?:\/user_uploads\/|#uploading-)[^\s()]+\)/g,
    (_, name: string) => name,
  );
