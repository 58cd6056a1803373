// Entry of a test page: measures the contrast of each element with its background.

type Color = readonly [red: number, green: number, blue: number, alpha: number];

const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })!;

/** Parses any color that styles can name. */
function colorOf(style: string): Color {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = style;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}

const blend = ([r, g, b, alpha]: Color, [r2, g2, b2]: Color): Color => {
  const blendPart = (top: number, below: number) => top * alpha + below * (1 - alpha);
  return [blendPart(r, r2), blendPart(g, g2), blendPart(b, b2), 1];
};

function luminance([red, green, blue]: Color): number {
  const linear = (channel: number) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function contrast(color: Color, other: Color): number {
  const [dark, light] = [luminance(color), luminance(other)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

const WHITE: Color = [255, 255, 255, 1];

function backgroundOf(node: Element | null): Color {
  if (!node) return WHITE;
  const below = backgroundOf(node.parentElement);
  return blend(colorOf(getComputedStyle(node).backgroundColor), below);
}

/** Returns the contrast of the text or icon of each element that the selector matches. */
function contrastsOf(selector: string): { name: string; contrast: number }[] {
  return [...document.querySelectorAll<HTMLElement>(selector)].map((node) => {
    const opacity = Number(getComputedStyle(node).opacity);
    const pseudoElement = node.matches(".switch") ? "::after" : undefined;
    const style = getComputedStyle(node.querySelector(".i") ?? node, pseudoElement);
    const ground = backgroundOf(node);
    const [red, green, blue, alpha] = colorOf(pseudoElement ? style.backgroundColor : style.color);
    const foreground = blend([red, green, blue, alpha * opacity], ground);
    return { name: node.dataset["name"] ?? "", contrast: contrast(foreground, ground) };
  });
}

Object.assign(globalThis, { contrastsOf });
