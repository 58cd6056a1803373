/** Reads and writes ar archives, the format of Debian packages. */

const MAGIC = "!<arch>\n";
const HEADER = 60;
const SIZE_AT = 48;

export function arOf(members: Readonly<Record<string, Uint8Array>>, time: number): Uint8Array {
  const parts = Object.entries(members).flatMap(([name, bytes]) => {
    const fields = [
      ...[name.padEnd(16), String(time).padEnd(12), "0".padEnd(6), "0".padEnd(6)],
      ...["100644".padEnd(8), String(bytes.length).padEnd(10), "`\n"],
    ];
    return [Buffer.from(fields.join("")), bytes, Buffer.alloc(bytes.length % 2, "\n")];
  });
  return Buffer.concat([Buffer.from(MAGIC), ...parts]);
}

export function membersOf(ar: Uint8Array): Map<string, Uint8Array> {
  const bytes = Buffer.from(ar.buffer, ar.byteOffset, ar.byteLength);
  if (!bytes.toString("latin1").startsWith(MAGIC)) throw new Error("this is no Debian package");
  const members = new Map<string, Uint8Array>();
  for (let offset = MAGIC.length; offset + HEADER <= bytes.length;) {
    const name = bytes
      .toString("latin1", offset, offset + 16)
      .trim()
      .replace(/\/$/, "");
    const size = Number(bytes.toString("latin1", offset + SIZE_AT, offset + SIZE_AT + 10));
    members.set(name, bytes.subarray(offset + HEADER, offset + HEADER + size));
    offset += HEADER + size + (size % 2);
  }
  return members;
}
