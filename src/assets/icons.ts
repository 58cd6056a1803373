// Draws the client's icons: favicons with a badge, and icons of the installed app.

export const BACKGROUND = "#0f6b62";
export const INK = "#fdfcfa";
const COUNT = "#a8480a";
/** The logo: a skein whose thread is wound twice. */
export const MARK = [
  "M17.5 6.2c-1.7-1.7-3.9-2.2-6.1-1.9C8.3 4.7 6.3 6.5 6.6 8.7c.6 4 10.6 2.7 11 6.9",
  ".2 2.3-2 4-5.1 4.2-2.3.1-4.5-.5-6.1-2.1",
].join("");

/** Favicon variants: plain, with a dot, or with a count. */
export const faviconNames = ["none", "dot", ..."123456789", "more"] as const;

export function iconFiles(): { name: string; text: string }[] {
  const favicons = faviconNames.map((name) => ({ name: `favicon-${name}`, text: favicon(name) }));
  return [
    ...favicons,
    { name: "app", text: drawing(plate(5.5) + mark(1)) },
    // Systems crop the icon to their own shape within the middle 80 %.
    { name: "app-maskable", text: drawing(plate(0) + mark(0.72)) },
  ];
}

function favicon(name: string): string {
  const base = plate(5.5) + mark(1);
  if (name === "none") return drawing(base);
  const dot = `<circle cx="17" cy="17" r="${name === "dot" ? 5 : 7}" fill="${COUNT}"/>`;
  if (name === "dot") return drawing(base + dot);
  const message = name === "more" ? "9+" : name;
  const size = message.length > 1 ? 9 : 11;
  const font = `font-family="system-ui,sans-serif" font-weight="700" font-size="${size}"`;
  const path = `x="17" y="${17 + size * 0.36}" text-anchor="middle"`;
  const text = `<text ${path} ${font} fill="#fff">${message}</text>`;
  return drawing(base + dot + text);
}

const plate = (radius: number) =>
  `<rect width="24" height="24" rx="${radius}" fill="${BACKGROUND}"/>`;

function mark(scale: number): string {
  const stroke = `fill="none" stroke="${INK}" stroke-width="2" stroke-linecap="round"`;
  const path =
    scale === 1 ? "" : ` transform="translate(12 12) scale(${scale}) translate(-12 -12)"`;
  return `<path ${stroke}${path} d="${MARK}"/>`;
}

function drawing(parts: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${parts}</svg>`;
}
