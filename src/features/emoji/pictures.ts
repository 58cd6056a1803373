// Pictures at addresses that are fixed: the extra emoji, what is loading, the sign of the site.
import { GROUND, INK, MARK } from "../../assets/icons.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import { openEndpoint } from "../../endpoint.ts";
import { type Color, png } from "../../pictures/png.ts";
import { EMOJI_PIXELS } from "./rules.ts";

/** The sides of what the mark is drawn in. */
const UNITS = 24;
const STROKE = 2.4;
const SCALE = 1.25;
/** Between ground and ink, so that edges are soft. */
const SHADES = 15;
const POINTS_OF_CURVE = 24;

type Point = readonly [x: number, y: number];

/** The mark as it stands in the client's own signs. */
function extraPicture(): Uint8Array<ArrayBuffer> {
  const line = pointsOf(MARK);
  const unit = UNITS / EMOJI_PIXELS / SCALE;
  const middle = UNITS / 2;
  const pixels = new Uint8Array(EMOJI_PIXELS * EMOJI_PIXELS).map((_, at) => {
    const place = (n: number) => middle + (n + 0.5 - EMOJI_PIXELS / 2) * unit;
    const [x, y] = [place(at % EMOJI_PIXELS), place(Math.floor(at / EMOJI_PIXELS))];
    const away = Math.min(...line.map(([px, py]) => Math.hypot(px - x, py - y)));
    const covered = (STROKE / 2 - away) / unit + 0.5;
    return Math.round(Math.max(0, Math.min(1, covered)) * SHADES);
  });
  const [ground, ink] = [colorOf(GROUND), colorOf(INK)];
  const shades = Array.from({ length: SHADES + 1 }, (_, n): Color => {
    const [red, green, blue] = ground.map((from, part) =>
      Math.round(from + ((ink[part]! - from) * n) / SHADES),
    ) as [number, number, number];
    return [red, green, blue];
  });
  return png(EMOJI_PIXELS, EMOJI_PIXELS, shades, pixels);
}

const colorOf = (hex: string): Color => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];

/** Points along a path that begins somewhere and goes on in curves, each from where it is. */
function pointsOf(path: string): Point[] {
  const [, begin] = /^M([^cC]*)/.exec(path)!;
  let at = numbersIn(begin!) as unknown as Point;
  const points: Point[] = [];
  for (const [, kind, text] of path.matchAll(/([cC])([^cC]*)/g)) {
    const numbers = numbersIn(text!);
    for (let i = 0; i + 6 <= numbers.length; i += 6) {
      const from = kind === "c" ? at : ([0, 0] as const);
      const to = (n: number): Point => [from[0] + numbers[i + n]!, from[1] + numbers[i + n + 1]!];
      const [one, two, end] = [to(0), to(2), to(4)];
      for (let n = 0; n <= POINTS_OF_CURVE; n++) {
        points.push(onCurve([at, one, two, end], n / POINTS_OF_CURVE));
      }
      at = end;
    }
  }
  return points;
}

function onCurve(points: readonly [Point, Point, Point, Point], t: number): Point {
  const weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3];
  const along = (axis: 0 | 1) =>
    points.reduce((sum, point, n) => sum + weights[n]! * point[axis], 0);
  return [along(0), along(1)];
}

const numbersIn = (text: string) => (text.match(/-?(?:\d+(?:\.\d+)?|\.\d+)/g) ?? []).map(Number);

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
  return pictureOf((extra ??= extraPicture()), "image/png");
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
