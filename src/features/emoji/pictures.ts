// Images at fixed URLs: the extra emoji, the loading indicator and the favicon.
import { markPicture } from "../../assets/logo.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import { openEndpoint } from "../../endpoint.ts";
import { EMOJI_PIXELS } from "./rules.ts";

const ROTATION = `<animateTransform attributeName="transform" type="rotate" dur="1s"
  repeatCount="indefinite" from="0 12 12" to="360 12 12"/>`;
const SPINNER = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none"
  stroke="#000" stroke-width="2.5" stroke-linecap="round">
  <circle cx="12" cy="12" r="9" opacity=".2"/><path d="M12 3a9 9 0 0 1 9 9">${ROTATION}</path></svg>
`;

let extraPicture: Uint8Array<ArrayBuffer> | undefined;

export const getExtraEmoji = openEndpoint({
  summary: "Get the image of the built-in Zulip emoji",
  tag: "Pictures",
  params: {},
  run: ownLogo,
});

/**
 * Serves the icon to browsers that request the default path; the client's page links better icons.
 */
export const getFavicon = openEndpoint({
  summary: "Get the site's icon",
  tag: "Pictures",
  params: {},
  run: ownLogo,
  withoutRealm: ownLogo,
});

function ownLogo(): Response {
  return pictureOf(
    (extraPicture ??= markPicture(EMOJI_PIXELS, { scale: 1.25, stroke: 2.4 })),
    "image/png",
  );
}

/** Clients show this picture until a thumbnail exists. */
export const getLoadingPicture = openEndpoint({
  summary: "Get the placeholder of a missing thumbnail",
  tag: "Pictures",
  params: {},
  run: () => pictureOf(SPINNER, "image/svg+xml"),
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
