// Files on their way to the server, each with its place held in the text until it is there.
import { signal } from "@preact/signals";
import { backOff, type World } from "../../api/ask.ts";
import { type Asking, Refused } from "../../api/http.ts";
import {
  beginUpload,
  giveUpUpload,
  PIECE_BYTES,
  uploadedBytes,
  uploadPiece,
} from "../../api/tus.ts";
import type { KeptFile } from "../../sync/kept.ts";
import type { Rows } from "../../sync/rows.ts";

export interface Upload {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  /** No answer of the server, or its file storage is unavailable. */
  readonly isWaiting: boolean;
  /** Why it cannot be. */
  readonly refused: Refusal | undefined;
}

export interface Refusal {
  readonly words: string;
  /** Deleting other files would make room. */
  readonly isOfRoom?: boolean;
}

/** Upload limits, and the messages for exceeding them. */
export interface Limits {
  whyNot(file: Blob): string | undefined;
  told(error: Refused): Refusal;
}

/** The placeholder in the text until the file is uploaded. */
export const placeholderOf = ({ name, key }: { name: string; key: string }): string =>
  `[${bare(name)}…](#uploading-${key})`;

/** The name as text of a link, without characters that end it, have a meaning or mention a user. */
const bare = (name: string): string =>
  name
    .replaceAll("[", "(")
    .replaceAll("]", ")")
    .replace(/[\\\s]+/g, " ")
    .replaceAll("`", "'")
    .replace(/\*|([$~])(?=\1)|<(?=time:)/g, "")
    .trim();

/** The line that held the place goes with it, where nothing comes instead. */
export function placeIn(text: string, placeholder: string, words: string): [number, number] {
  const start = text.indexOf(placeholder);
  const end = start + placeholder.length;
  const isLine = (start === 0 || text[start - 1] === "\n") && text[end] === "\n";
  return [start, words === "" && isLine ? end + 1 : end];
}

export function withWords(text: string, placeholder: string, words: string): string {
  const [start, end] = placeIn(text, placeholder, words);
  return text.slice(0, start) + words + text.slice(end);
}

const PENDING = /\[[^\]\n]*\]\(#uploading-([\w.-]+)\)/g;

/** The uploads that a text waits for. */
export const pendingIn = (text: string): string[] =>
  [...text.matchAll(PENDING)].map(([, key]) => key!);

/** Message to other tabs: replaces a placeholder with the text. */
interface Ended {
  key: string;
  placeholder: string;
  words: string;
}

/** Tabs share what is kept: one of them sends a file, and the others hear what became of it. */
export class Uploads {
  /** In the order in which they were added. */
  readonly all = signal<ReadonlyMap<string, Upload>>(new Map());
  private readonly tabs = new BroadcastChannel("skein-uploads");
  private readonly stops = new Map<string, AbortController>();
  private line: Promise<void> = Promise.resolve();
  private count = 0;

  constructor(
    private readonly asking: Asking,
    private readonly rows: Rows<KeptFile>,
    private readonly world: World,
    private readonly limits: Limits,
    /** The placeholder becomes these words, wherever the text is. */
    private readonly done: (placeholder: string, words: string) => void,
  ) {
    this.tabs.addEventListener("message", ({ data }: MessageEvent<Ended>) => this.ended(data));
  }

  /** Resumes uploads that a reload interrupted. */
  async resume(): Promise<void> {
    const kept = await this.rows.all();
    for (const row of kept.sort((a, b) => a.made - b.made)) {
      if (!this.all.peek().has(row.key)) this.start(row);
    }
  }

  /** Gives the words that hold their places: a line for each that may be sent at all. */
  add(files: readonly File[]): string {
    return files.flatMap((file) => this.begun(file) ?? []).join("\n");
  }

  private begun(file: File): string | undefined {
    const made = this.world.now();
    const key = `${made.toString(36)}.${(this.count += 1)}`;
    const name = file.name || `file.${file.type.split("/")[1] ?? "bin"}`;
    const row: KeptFile = { key, file, name, path: undefined, made };
    const words = this.limits.whyNot(file);
    if (words !== undefined) {
      this.note({ ...this.upload(row), refused: { words } });
      return undefined;
    }
    void this.rows.put(row).catch(() => undefined);
    this.start(row);
    return placeholderOf(row);
  }

  cancel(key: string): void {
    const upload = this.all.peek().get(key);
    if (upload) this.end(upload, "");
  }

  private end(upload: { key: string; name: string }, words: string): void {
    const ended = { key: upload.key, placeholder: placeholderOf(upload), words };
    this.tabs.postMessage(ended);
    this.ended(ended);
  }

  private ended({ key, placeholder, words }: Ended): void {
    this.stops.get(key)?.abort();
    this.forget(key);
    this.done(placeholder, words);
  }

  /** Its place is not held any longer; why it is not there stays to be read. */
  private refuse(row: KeptFile, error: Refused): void {
    const upload = { ...this.upload(row), refused: this.limits.told(error) };
    this.end(row, "");
    this.note(upload);
  }

  /** Why files are not there has been seen. */
  forgetRefused(): void {
    const all = [...this.all.peek()];
    this.all.value = new Map(all.filter(([, { refused }]) => !refused));
  }

  /** Whether it is this browser that sends all of these. */
  async hasAll(keys: readonly string[]): Promise<boolean> {
    const others = keys.filter((key) => !this.all.peek().has(key));
    if (others.length === 0) return true;
    const kept = new Set((await this.rows.all()).map(({ key }) => key));
    return others.every((key) => kept.has(key));
  }

  private start(row: KeptFile): void {
    const stop = new AbortController();
    this.stops.set(row.key, stop);
    this.note(this.upload(row));
    // One after the other, so that files arrive in order.
    this.line = this.line.then(() => this.alone(row, stop.signal)).catch(() => undefined);
  }

  /** In one tab at a time, where the browser has locks. */
  private alone(row: KeptFile, signal: AbortSignal): Promise<void> {
    const run = () => this.run(row, signal);
    const locks = (navigator as Partial<Navigator>).locks;
    return locks ? locks.request(`skein-upload-${row.key}`, { signal }, run) : run();
  }

  private async run(row: KeptFile, signal: AbortSignal): Promise<void> {
    for (let tries = 1; !signal.aborted; tries++) {
      try {
        return await this.attempt(row, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Refused) {
          const isForgotten = error.status === GONE || error.status === MISSING;
          if (!isForgotten) return this.refuse(row, error);
          // Starts again from the beginning.
          row = { ...row, path: undefined };
          await this.rows.put(row).catch(() => undefined);
        }
        this.note({ ...this.upload(row), isWaiting: true });
        await new Promise<void>((wake) =>
          this.world.after(backOff(tries, this.world.random()), wake),
        );
      }
    }
  }

  private async attempt(row: KeptFile, signal: AbortSignal): Promise<void> {
    const { asking } = this;
    const kept = (await this.rows.all()).find(({ key }) => key === row.key) ?? row;
    // The disk's own copy, as the file itself may have gone meanwhile.
    const { file } = kept;
    const path = kept.path ?? (await beginUpload(asking, row.name, file));
    if (kept.path === undefined) await this.rows.put({ ...row, path });
    signal.addEventListener("abort", () => void giveUpUpload(asking, path).catch(() => undefined));
    let offset = kept.path === undefined ? 0 : await uploadedBytes(asking, path);
    for (;;) {
      this.note({ ...this.upload(row), sent: offset, isWaiting: false });
      const piece = file.slice(offset, offset + PIECE_BYTES);
      const answer = await uploadPiece(asking, path, offset, piece, signal);
      if (answer.uploaded) {
        const { filename, url } = answer.uploaded;
        this.stops.delete(row.key);
        return this.end(row, `[${bare(filename)}](${url})`);
      }
      offset = answer.offset;
    }
  }

  private upload({ key, name, file }: KeptFile): Upload {
    const known = this.all.peek().get(key);
    const begun = { key, name, size: file.size, sent: 0, isWaiting: false, refused: undefined };
    return known ?? begun;
  }

  private note(upload: Upload): void {
    this.all.value = new Map(this.all.peek()).set(upload.key, upload);
  }

  private forget(key: string): void {
    const left = new Map(this.all.peek());
    left.delete(key);
    this.all.value = left;
    this.stops.delete(key);
    void this.rows.delete(key);
  }
}

const MISSING = 404;
const GONE = 410;
