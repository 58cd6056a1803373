// Converts TIFF samples to RGBA: grayscale, RGB, palette or CMYK.

const WHITE_IS_ZERO = 0;
const COLORED = 2;
const PALETTE = 3;
const CMYK = 5;

/** Writes a tile's samples to their position in the image. */
export function colorsOf(
  tiff: Tiff,
  samples: Uint8Array,
  left: number,
  top: number,
  pixels: Uint8Array,
): void {
  const { width, tile, photometric } = tiff;
  const stride = Math.ceil((tile.width * tiff.samples * tiff.bits) / 8);
  const rows = Math.floor(samples.length / stride);
  const columns = Math.min(tile.width, width - left);
  const sample = sampleOf(tiff, samples);
  const paint = painterOf(tiff, sample);
  const alpha = tiff.hasAlpha ? tiff.samples - 1 : -1;
  const isReversed = photometric === WHITE_IS_ZERO;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const to = ((top + row) * width + left + column) * 4;
      paint(row * stride, column, to, pixels, isReversed);
      pixels[to + 3] = alpha < 0 ? 255 : sample(row * stride, column, alpha);
    }
  }
}

type SampleOf = (row: number, column: number, index: number) => number;

/** Converts a sample to eight bits. */
function sampleOf({ bits, samples: count, isLittleEndian }: Tiff, samples: Uint8Array): SampleOf {
  if (bits === 1) {
    return (row, column) => ((samples[row + (column >> 3)]! >> (7 - (column & 7))) & 1) * 255;
  }
  if (bits === 8) return (row, column, index) => samples[row + column * count + index]!;
  const high = isLittleEndian ? 1 : 0;
  return (row, column, index) => samples[row + (column * count + index) * 2 + high]!;
}

type Paint = (
  row: number,
  column: number,
  to: number,
  pixels: Uint8Array,
  isReversed: boolean,
) => void;

function painterOf({ photometric, palette }: Tiff, sample: SampleOf): Paint {
  switch (photometric) {
    case COLORED:
      return (row, column, to, pixels) => {
        for (let i = 0; i < 3; i++) pixels[to + i] = sample(row, column, i);
      };
    case PALETTE:
      return (row, column, to, pixels) => {
        const color = sample(row, column, 0);
        for (let i = 0; i < 3; i++) pixels[to + i] = palette[color + i * 256]! >> 8;
      };
    case CMYK:
      return (row, column, to, pixels) => {
        const light = 255 - sample(row, column, 3);
        for (let i = 0; i < 3; i++) pixels[to + i] = ((255 - sample(row, column, i)) * light) / 255;
      };
    default:
      return (row, column, to, pixels, isReversed) => {
        const grey = sample(row, column, 0);
        pixels.fill(isReversed ? 255 - grey : grey, to, to + 3);
      };
  }
}

/** An image of rows of tiles; strips are tiles of the image's width. */
export interface Tiff {
  readonly bytes: Uint8Array;
  readonly isLittleEndian: boolean;
  readonly width: number;
  readonly height: number;
  readonly tile: { width: number; height: number };
  readonly offsets: readonly number[];
  readonly lengths: readonly number[];
  readonly compression: number;
  readonly predictor: number;
  readonly photometric: number;
  /** Bits per sample, and samples per pixel. */
  readonly bits: number;
  readonly samples: number;
  readonly hasAlpha: boolean;
  readonly palette: readonly number[];
}
