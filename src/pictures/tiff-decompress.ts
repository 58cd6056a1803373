// Decompresses TIFF's LZW and PackBits.

const CLEAR_CODE = 256;
const END = 257;
const CODES_MAX = 4_096;
const BITS_MIN = 9;
const BITS_MAX = 12;

/** Fills `out` as far as the data reaches; ignores excess data. */
export function unpackLzw(packed: Uint8Array, out: Uint8Array): void {
  const prefix = new Uint16Array(CODES_MAX);
  const suffix = new Uint8Array(CODES_MAX).map((_, code) => code);
  const length = new Uint16Array(CODES_MAX).fill(1);
  let [bits, next, previous, offset] = [BITS_MIN, END + 1, -1, 0];
  for (const code of codesOf(packed, () => bits)) {
    if (code === END) return;
    if (code === CLEAR_CODE) {
      [bits, next, previous] = [BITS_MIN, END + 1, -1];
      continue;
    }
    const isKnown = code < CLEAR_CODE || (code > END && code < next);
    if (!isKnown && (previous < 0 || code !== next)) return;
    // A code that is just being defined stands for the previous one plus its own first byte.
    const decodedCode = isKnown ? code : previous;
    const end = offset + length[decodedCode]!;
    let first = decodedCode;
    for (let index = end - 1; index >= offset; index--) {
      if (index < out.length) out[index] = suffix[first]!;
      if (index > offset) first = prefix[first]!;
    }
    offset = end;
    if (!isKnown && offset < out.length) out[offset] = suffix[first]!;
    if (!isKnown) offset++;
    if (previous >= 0 && next < CODES_MAX) {
      prefix[next] = previous;
      suffix[next] = suffix[first]!;
      length[next] = length[previous]! + 1;
      next++;
    }
    previous = code;
    // TIFF increases the code width one code early.
    if (next + 1 >= 1 << bits && bits < BITS_MAX) bits++;
    if (offset >= out.length) return;
  }
}

function* codesOf(packed: Uint8Array, bits: () => number): Iterable<number> {
  let [heldBits, count] = [0, 0];
  for (const byte of packed) {
    heldBits = (heldBits << 8) | byte;
    count += 8;
    const width = bits();
    if (count < width) continue;
    count -= width;
    yield (heldBits >> count) & ((1 << width) - 1);
    heldBits &= (1 << count) - 1;
  }
}

/** Runs of one byte, and literal sequences. */
export function unpackRuns(packed: Uint8Array, out: Uint8Array): void {
  let offset = 0;
  for (let from = 0; from < packed.length && offset < out.length;) {
    const head = packed[from++]!;
    if (head === 128) continue;
    if (head < 128) {
      const literalBytes = packed.subarray(from, from + head + 1);
      out.set(literalBytes.subarray(0, out.length - offset), offset);
      from += head + 1;
      offset += head + 1;
    } else {
      out.fill(packed[from++] ?? 0, offset, offset + 257 - head);
      offset += 257 - head;
    }
  }
}
