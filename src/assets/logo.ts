// Renders the logo as pixels, where SVG is not supported.
import { type Color, png } from "../pictures/png.ts";
import { BACKGROUND, INK, MARK } from "./icons.ts";

/** The logo's coordinate system has this many units per side. */
const UNITS = 24;
/** Shades between background and line, for smooth edges. */
const SHADES = 15;
const POINTS_OF_CURVE = 24;

type Point = readonly [x: number, y: number];

interface LogoShape {
  /** Size relative to the background; 1 as in the client's icons. */
  scale: number;
  /** Line width in units of the drawing; small images need thicker lines. */
  stroke: number;
}

/** Returns a PNG of the logo on its background, with this many pixels per side. */
export function markPicture(side: number, { scale, stroke }: LogoShape): Uint8Array<ArrayBuffer> {
  const line = pointsOf(MARK);
  const unit = UNITS / side / scale;
  const middle = UNITS / 2;
  const pixels = new Uint8Array(side * side).map((_, index) => {
    const coordinateOf = (n: number) => middle + (n + 0.5 - side / 2) * unit;
    const [x, y] = [coordinateOf(index % side), coordinateOf(Math.floor(index / side))];
    let squared = Infinity;
    for (const [px, py] of line) squared = Math.min(squared, (px - x) ** 2 + (py - y) ** 2);
    const covered = (stroke / 2 - Math.sqrt(squared)) / unit + 0.5;
    return Math.round(Math.max(0, Math.min(1, covered)) * SHADES);
  });
  const [background, ink] = [colorOf(BACKGROUND), colorOf(INK)];
  const shades = Array.from({ length: SHADES + 1 }, (_, n): Color => {
    const [red, green, blue] = background.map((from, part) =>
      Math.round(from + ((ink[part]! - from) * n) / SHADES),
    ) as [number, number, number];
    return [red, green, blue];
  });
  return png(side, side, shades, pixels);
}

const colorOf = (hex: string): Color => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];

/** Returns points along a path of relative curves. */
function pointsOf(path: string): Point[] {
  const [, begin] = /^M([^cC]*)/.exec(path)!;
  let position = numbersIn(begin!) as unknown as Point;
  const points: Point[] = [];
  for (const [, kind, text] of path.matchAll(/([cC])([^cC]*)/g)) {
    const numbers = numbersIn(text!);
    for (let i = 0; i + 6 <= numbers.length; i += 6) {
      const from = kind === "c" ? position : ([0, 0] as const);
      const pointAt = (n: number): Point => [
        from[0] + numbers[i + n]!,
        from[1] + numbers[i + n + 1]!,
      ];
      const [point, control, end] = [pointAt(0), pointAt(2), pointAt(4)];
      for (let n = 0; n <= POINTS_OF_CURVE; n++) {
        points.push(onCurve([position, point, control, end], n / POINTS_OF_CURVE));
      }
      position = end;
    }
  }
  return points;
}

function onCurve(points: readonly [Point, Point, Point, Point], t: number): Point {
  const weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3];
  const coordinate = (axis: 0 | 1) =>
    points.reduce((sum, point, n) => sum + weights[n]! * point[axis], 0);
  return [coordinate(0), coordinate(1)];
}

const numbersIn = (text: string) => (text.match(/-?(?:\d+(?:\.\d+)?|\.\d+)/g) ?? []).map(Number);
