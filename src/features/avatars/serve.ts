// Serves uploaded avatars, organization icons and emoji to anyone who has the URL.
import { int, openEndpoint, text } from "../../endpoint.ts";
import { blobsOf } from "../files/blobs.ts";
import { picturePath } from "../realm/picture-wire.ts";

const YEAR_SECONDS = 31_536_000;
const FILE = /^(?:realm\/|emoji\/images\/)?[\w-]{1,64}\.(gif|png|webp)$/;

/** The URL changes with the image. URLs of avatars contain a secret. */
export const getPicture = openEndpoint({
  summary: "Get an uploaded avatar",
  tag: "Pictures",
  params: { realm_id: int, file: text },
  async run({ realm }, { file }) {
    const kind = FILE.exec(file)?.[1];
    const bytes = kind === undefined ? undefined : await blobsOf(realm).find(picturePath(file));
    if (!bytes) return new Response("Not found", { status: 404 });
    return new Response(await bytes.body(), {
      headers: {
        "Content-Type": `image/${kind}`,
        "Cache-Control": `public, max-age=${YEAR_SECONDS}, immutable`,
        "Content-Security-Policy": "default-src 'none'; sandbox",
      },
    });
  },
});
