// Finds and replaces links in the Markdown of a message, except in code.
import { OpenFences } from "./open-fences.ts";

/** A channel of the archive, or a message or thread in it, to which a link leads. */
export interface LinkTarget {
  /** The id of a conversation, which the archive may lack. */
  readonly conversation: string;
  /** The key of a message in the conversation. */
  readonly message?: string;
  /** The `thread_ts` of a thread that is a topic here. */
  readonly thread?: string;
}

/** Returns the Markdown that replaces the link; undefined keeps it. `label`: text of the link. */
type Replace = (url: URL, label: string | undefined) => string | undefined;

const ADDRESS = String.raw`https?:\/\/[^\s<>()[\]"'\u0060]{1,2000}`;
/** Inline code, links with a text, and addresses. */
const PARTS = new RegExp(
  [
    String.raw`(?<!\u0060)(\u0060+)(?!\u0060)[^\n]{1,2000}?(?<!\u0060)\1(?!\u0060)`,
    String.raw`(?<![!\\])\[((?:[^[\]\\\n]|\\.){1,1000})\]\((${ADDRESS})\)`,
    `<(${ADDRESS})>`,
    // Not the address of a link whose text was not recognized.
    String.raw`(?<!\]\(|\]: )(${ADDRESS})`,
  ].join("|"),
  "g",
);
/** Characters that belong to the sentence if they are at the end of an address. */
const PUNCTUATION = ".,;:!?*_~|";

export function replaceLinks(text: string, replace: Replace): string {
  if (!text.includes("://")) return text;
  const fences = new OpenFences();
  const lines = text.split("\n").map((line) => {
    return fences.read(line) === "text" ? replaceInLine(line, replace) : line;
  });
  return lines.join("\n");
}

function replaceInLine(line: string, replace: Replace): string {
  if (!line.includes("://")) return line;
  return line.replaceAll(
    PARTS,
    (part: string, _code, label?: string, linked?: string, enclosed?: string, bare?: string) => {
      if (linked !== undefined) {
        // A label that is itself an address would still show the old address.
        const shown = label?.includes("://") ? undefined : label;
        return replaced(linked, shown, replace) ?? part;
      }
      if (enclosed !== undefined) return replaced(enclosed, undefined, replace) ?? part;
      if (bare === undefined) return part;
      let end = bare.length;
      while (PUNCTUATION.includes(bare[end - 1]!)) end--;
      const link = replaced(bare.slice(0, end), undefined, replace);
      return link === undefined ? part : link + bare.slice(end);
    },
  );
}

function replaced(address: string, label: string | undefined, replace: Replace) {
  const url = URL.parse(address);
  return url ? replace(url, label) : undefined;
}

/** Whether the text is the URL of a server, without a path, query or account. */
export const isServerUrl = (text: string) =>
  /^https?:\/\/[^/\s?#@\\]{1,255}\/?$/.test(text) && URL.canParse(text);

/** The path of the URL on the server, with a slash; undefined: the URL is of another server. */
export function pathOn(server: string | undefined, url: URL): string | undefined {
  const base = server === undefined ? null : URL.parse(server);
  if (base?.host !== url.host) return undefined;
  const folder = base.pathname.replace(/\/$/, "");
  return url.pathname.startsWith(`${folder}/`) ? url.pathname.slice(folder.length) : undefined;
}
