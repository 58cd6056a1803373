// The list of emoji that clients load, at a URL that changes with its content.
import { emojiData } from "../../text/emoji.ts";

interface EmojiFile {
  readonly text: string;
  readonly compressed: Uint8Array<ArrayBuffer>;
  readonly version: string;
}

const VERSION_LENGTH = 12;

let file: EmojiFile | undefined;

/** Created on first use; the executable embeds it. */
export function emojiFile(): EmojiFile {
  return (file ??= makeFile());
}

export function emojiDataUrl(realm_url: string): string {
  return `${realm_url}/static/emoji.json?version=${emojiFile().version}`;
}

function makeFile(): EmojiFile {
  const text = JSON.stringify(emojiData());
  const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  const compressed = Bun.gzipSync(text, { level: 9 });
  return { text, compressed, version: hash.slice(0, VERSION_LENGTH) };
}
