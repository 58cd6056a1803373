// Draws the images of the sample organization: a sunrise, a chart and a map.
import { png, type Rgb } from "./png.ts";

const WIDTH = 1200;
const HEIGHT = 675;

/** Rows of trees that meet at the horizon, and a mast on the right. */
export function sunrisePicture(): Uint8Array {
  const horizon = HEIGHT * 0.52;
  const sun = { x: WIDTH * 0.36, y: HEIGHT * 0.47 };
  return png(WIDTH, HEIGHT, (x, y) => {
    const isOnMast = Math.abs(x - 985) < 4 && y > 150 && y < 560;
    const onArm = (Math.abs(y - 172) < 3 && Math.abs(x - 985) < 58) || inBox(x, y, 1030, 186, 13);
    if (isOnMast || onArm) return [38, 40, 48];
    const distance = Math.hypot(x - sun.x, (y - sun.y) * 1.15);
    const light = Math.exp(-distance / 230);
    const hill = horizon - 34 - 22 * Math.sin(x / 190 + 1) - 11 * Math.sin(x / 71);
    if (y < hill) return distance < 34 ? [255, 244, 214] : skyAt(y / horizon, light);
    if (y < horizon) return mix([86, 82, 108], [226, 152, 112], light * 1.2);
    return groundAt(x, y, horizon, light);
  });
}

function skyAt(height: number, light: number): Rgb {
  const sky = mix([58, 78, 124], [236, 178, 146], Math.pow(height, 1.4));
  return mix(sky, [255, 226, 168], light);
}

function groundAt(x: number, y: number, horizon: number, light: number): Rgb {
  const depth = (y - horizon) / (HEIGHT - horizon);
  const across = (x - WIDTH * 0.44) / (0.06 + depth);
  const row = Math.abs(((across / 210) % 1) + (across < 0 ? 1 : 0) - 0.5);
  const distance = 9 / (0.05 + depth);
  const crown = 0.16 + 0.07 * Math.sin(distance * 5) * Math.sin(distance * 1.7);
  const frost = mix([112, 124, 112], [214, 206, 196], 0.5 - 0.25 * depth);
  const lit = mix(frost, [248, 206, 156], light * 0.8);
  const shade = mix([48, 58, 50], [120, 92, 66], light);
  return row < crown ? mix(shade, lit, 0.12 + 0.25 * (row / crown)) : mix(lit, shade, depth * 0.25);
}

const PLOT = { left: 70, right: WIDTH - 40, top: 50, bottom: HEIGHT - 60 };
const HOURS = 12;
const WARMEST_CELSIUS = 7;
const COLDEST_CELSIUS = -3;
const FANS = { from: 6.95, to: 10.65 };

/** Air temperature and dew point from evening to morning, with the hours in which fans ran. */
export function nightPicture(): Uint8Array {
  return png(WIDTH, HEIGHT, (x, y) => {
    if (!inPlot(x, y)) return [252, 251, 248];
    const hour = ((x - PLOT.left) / (PLOT.right - PLOT.left)) * HOURS;
    const air = proximity(y, yOfDegrees(airAt(hour)), 2.4);
    const dew = proximity(y, yOfDegrees(dewAt(hour)), 1.8);
    const freezing = proximity(y, yOfDegrees(0), 1);
    const isFanned = hour > FANS.from && hour < FANS.to;
    const background: Rgb = isFanned ? [228, 240, 237] : [252, 251, 248];
    const grid = isOnGrid(x, y) ? mix(background, [224, 220, 212], 1) : background;
    const cold = mix(grid, [140, 134, 123], freezing * 0.8);
    return mix(mix(cold, [74, 120, 190], dew), [15, 107, 98], air);
  });
}

const airAt = (hour: number) => {
  const fall =
    6.2 -
    1.25 * hour +
    0.034 * hour * hour +
    0.09 * Math.sin(hour * 4.1) +
    0.05 * Math.sin(hour * 9.3);
  const fans = hour > FANS.from ? 1.5 * (1 - Math.exp((FANS.from - hour) * 1.7)) : 0;
  const sun = hour > 10.5 ? 1.9 * (hour - 10.5) ** 1.3 : 0;
  return fall + fans + sun;
};
const dewAt = (hour: number) => 0.9 - 0.28 * hour + 0.09 * Math.sin(hour * 3) + 0.4;

function yOfDegrees(degrees: number): number {
  const share = (WARMEST_CELSIUS - degrees) / (WARMEST_CELSIUS - COLDEST_CELSIUS);
  return PLOT.top + share * (PLOT.bottom - PLOT.top);
}

const inPlot = (x: number, y: number) =>
  x >= PLOT.left && x <= PLOT.right && y >= PLOT.top && y <= PLOT.bottom;

function isOnGrid(x: number, y: number): boolean {
  const hour_pixels = (PLOT.right - PLOT.left) / HOURS;
  const degree_pixels = (PLOT.bottom - PLOT.top) / (WARMEST_CELSIUS - COLDEST_CELSIUS);
  return (x - PLOT.left) % hour_pixels < 1 || (y - PLOT.top) % degree_pixels < 1;
}

const CELL = 15;

/** Cold air over a hollow, in squares of three meters; a ring marks the mast. */
export function mapPicture(): Uint8Array {
  const mast = { x: 735, y: 390 };
  return png(WIDTH, HEIGHT, (x, y) => {
    const ring = Math.hypot(x - mast.x, y - mast.y);
    if (ring > 17 && ring < 22) return [255, 255, 255];
    const [column, line] = [Math.floor(x / CELL), Math.floor(y / CELL)];
    const hollow = Math.exp(-(((column - 49) / 7) ** 2) - ((line - 26) / 5) ** 2);
    const slope = 0.32 + 0.011 * line - 0.004 * column;
    const grain =
      0.03 * Math.sin(column * 2.1 + line * 3.7) + 0.03 * Math.sin(column * line * 0.31);
    const trees = column % 5 === 2 ? -0.07 : 0;
    const isEdge = x % CELL === 0 || y % CELL === 0;
    const warmColor = heat(0.92 - slope - 0.62 * hollow + grain + trees);
    return isEdge ? mix(warmColor, [30, 20, 50], 0.12) : warmColor;
  });
}

const HEAT: readonly Rgb[] = [
  [28, 16, 68],
  [79, 18, 123],
  [152, 44, 110],
  [214, 82, 70],
  [247, 148, 40],
  [250, 226, 120],
];

function heat(share: number): Rgb {
  const index = Math.max(0, Math.min(0.999, share)) * (HEAT.length - 1);
  const step = Math.floor(index);
  return mix(HEAT[step]!, HEAT[step + 1]!, index - step);
}

const inBox = (x: number, y: number, left: number, top: number, size: number) =>
  x >= left && x < left + size && y >= top && y < top + size * 1.6;

/** Returns 1 on a line, falling to 0 beside it. */
const proximity = (y: number, line: number, width: number) =>
  Math.max(0, Math.min(1, width + 0.5 - Math.abs(y - line)));

function mix([r, g, b]: Rgb, other: Rgb, share: number): Rgb {
  const part = Math.max(0, Math.min(1, share));
  return [r + (other[0] - r) * part, g + (other[1] - g) * part, b + (other[2] - b) * part];
}
