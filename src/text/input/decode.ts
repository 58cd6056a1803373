// Decodes text from untrusted bytes, and fails instead of inserting replacement characters.

const decoders = {
  "utf-8": new TextDecoder("utf-8", { fatal: true }),
  "utf-16le": new TextDecoder("utf-16le", { fatal: true }),
  "utf-16be": new TextDecoder("utf-16be", { fatal: true }),
};

/** Whether the bytes begin with the mark of UTF-8 or UTF-16. */
export function hasByteOrderMark(bytes: Uint8Array): boolean {
  const [first, second, third] = bytes;
  return encodingOf(bytes) !== "utf-8" || (first === 0xef && second === 0xbb && third === 0xbf);
}

const LINE_END = 10;

/** UTF-16 with a byte order mark, or UTF-8 with one or without; undefined if it is neither. */
export function decodedText(bytes: Uint8Array): string | undefined {
  try {
    return decoders[encodingOf(bytes)].decode(bytes);
  } catch {
    return undefined;
  }
}

function encodingOf([first, second]: Uint8Array): keyof typeof decoders {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** The first line, counted from 1, that is not UTF-8; the last one if all are. */
export function undecodableLine(bytes: Uint8Array): number {
  let line = 1;
  for (let from = 0; ; line++) {
    const end = bytes.indexOf(LINE_END, from);
    const isLast = end < 0;
    const part = bytes.subarray(from, isLast ? undefined : end);
    if (isLast || decodedText(part) === undefined) return line;
    from = end + 1;
  }
}
