// The style sheet of the server's pages, handed out under a name that says its contents.
import { openEndpoint, text } from "../../endpoint.ts";
import { pathNotFound } from "../../contract/errors/general.ts";
import style from "./style.txt" with { type: "text" };

const HASH_DIGITS = 16;
const hash = new Bun.CryptoHasher("sha256").update(style).digest("hex").slice(0, HASH_DIGITS);
const FILE = `pages-${hash}.css`;
export const STYLESHEET = `/static/${FILE}`;

const handOut = (file: string): Response => {
  if (file !== FILE) throw pathNotFound();
  return new Response(style, {
    headers: {
      "Content-Type": "text/css; charset=utf-8",
      "Cache-Control": "public, max-age=31536000, immutable",
    },
  });
};

export const getStylesheet = openEndpoint({
  summary: "The style sheet of the pages",
  tag: "Pages",
  params: { file: text },
  run: (_context, { file }) => handOut(file),
  withoutRealm: (_context, { file }) => handOut(file),
});
