// Pictures at addresses that are fixed: the extra emoji, what is loading, the sign of the site.
import { markPicture } from "../../assets/mark.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import { openEndpoint } from "../../endpoint.ts";
import { EMOJI_PIXELS } from "./rules.ts";

const TURN = `<animateTransform attributeName="transform" type="rotate" dur="1s"
  repeatCount="indefinite" from="0 12 12" to="360 12 12"/>`;
const LOADING = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none"
  stroke="#000" stroke-width="2.5" stroke-linecap="round">
  <circle cx="12" cy="12" r="9" opacity=".2"/><path d="M12 3a9 9 0 0 1 9 9">${TURN}</path></svg>
`;

let extra: Uint8Array<ArrayBuffer> | undefined;

export const getExtraEmoji = openEndpoint({
  summary: "Show the extra emoji",
  tag: "Pictures",
  params: {},
  run: ownMark,
});

/** For who looks where such a sign has always been; the client has better ones. */
export const getFavicon = openEndpoint({
  summary: "Show the sign of the site",
  tag: "Pictures",
  params: {},
  run: ownMark,
  withoutRealm: ownMark,
});

function ownMark(): Response {
  return pictureOf(
    (extra ??= markPicture(EMOJI_PIXELS, { scale: 1.25, stroke: 2.4 })),
    "image/png",
  );
}

/** Stands where a thumbnail is not made yet. */
export const getLoadingPicture = openEndpoint({
  summary: "Show what stands where a thumbnail is not made yet",
  tag: "Pictures",
  params: {},
  run: () => pictureOf(LOADING, "image/svg+xml"),
});

function pictureOf(body: string | Uint8Array<ArrayBuffer>, type: string): Response {
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Cache-Control": `public, max-age=${DAY_SECONDS}`,
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  });
}
