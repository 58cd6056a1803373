// The style sheets of the server's pages, served at URLs with a content hash.
import { openEndpoint, text } from "../../endpoint.ts";
import { pathNotFound } from "../../contract/errors/general.ts";
import openStyle from "./public.txt" with { type: "text" };
import doorStyle from "./style.txt" with { type: "text" };

const HASH_DIGITS = 16;

function fileOf(name: string, style: string): string {
  const hash = new Bun.CryptoHasher("sha256").update(style).digest("hex");
  return `${name}-${hash.slice(0, HASH_DIGITS)}.css`;
}

const PAGE_STYLESHEET = fileOf("pages", doorStyle);
const PUBLIC_PAGE_STYLESHEET = fileOf("public", openStyle);
const STYLES = new Map([
  [PAGE_STYLESHEET, doorStyle],
  [PUBLIC_PAGE_STYLESHEET, openStyle],
]);
export const STYLESHEET = `/static/${PAGE_STYLESHEET}`;
/** Style sheet of the public pages. */
export const PUBLIC_STYLESHEET = `/static/${PUBLIC_PAGE_STYLESHEET}`;

const stylesheetResponse = (file: string): Response => {
  const style = STYLES.get(file);
  if (style === undefined) throw pathNotFound();
  return new Response(style, {
    headers: {
      "Content-Type": "text/css; charset=utf-8",
      "Cache-Control": "public, max-age=31536000, immutable",
    },
  });
};

export const getStylesheet = openEndpoint({
  summary: "Get the style sheet of the server's pages",
  tag: "Pages",
  params: { file: text },
  run: (_context, { file }) => stylesheetResponse(file),
  withoutRealm: (_context, { file }) => stylesheetResponse(file),
});
