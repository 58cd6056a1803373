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

const DOORS = fileOf("pages", doorStyle);
const OPEN = fileOf("public", openStyle);
const STYLES = new Map([
  [DOORS, doorStyle],
  [OPEN, openStyle],
]);
export const STYLESHEET = `/static/${DOORS}`;
/** Style sheet of the public pages. */
export const PUBLIC_STYLESHEET = `/static/${OPEN}`;

const handOut = (file: string): Response => {
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
  run: (_context, { file }) => handOut(file),
  withoutRealm: (_context, { file }) => handOut(file),
});
