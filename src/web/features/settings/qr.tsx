// Displays a text as a QR code, black on white in every color scheme, for cameras.
import { encode } from "uqr";

export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = codeOf(text);
  return (
    <svg
      class="settings-qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}

function codeOf(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { border: 2 });
  const dots = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
  );
  return { path: dots.join(""), size };
}

/** Saves the QR code as an image with this width, for slides and printing. */
export function saveAsPicture(text: string, name: string, pixels: number): void {
  const { path, size } = codeOf(text);
  const canvas = document.createElement("canvas");
  const scale = Math.max(1, Math.floor(pixels / size));
  canvas.width = canvas.height = size * scale;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The browser draws no pictures.");
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  context.fillStyle = "#000000";
  context.fill(new Path2D(path));
  const link = document.createElement("a");
  link.href = canvas.toDataURL("image/png");
  link.download = name;
  link.click();
}
