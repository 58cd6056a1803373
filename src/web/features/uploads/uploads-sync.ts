// Uploads in progress, each with a placeholder in its text.
import { signal } from "@preact/signals";
import { backOff } from "../../api/request-queue.ts";
import { pause, type Runtime } from "../../api/runtime.ts";
import { type RequestContext } from "../../api/http.ts";
import { ApiError } from "../../contract/api-error.ts";
import {
  beginUpload,
  cancelUpload,
  PIECE_BYTES,
  uploadedBytes,
  uploadPiece,
} from "../../api/tus.ts";
import type { StoredFile } from "../../sync/personal-database.ts";
import type { Rows } from "../../sync/rows.ts";

export interface Upload {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  /** The server does not respond, or its file storage is unavailable. */
  readonly isWaiting: boolean;
  /** Why the upload failed. */
  readonly refused: Refusal | undefined;
  /** The text that it was rejected for. */
  readonly owner: string | undefined;
  readonly canRetry: boolean;
  readonly file: Blob;
}

interface Refusal {
  readonly words: string;
  /** Deleting other files would free enough quota. */
  readonly isQuotaFull?: boolean;
}

/** Upload limits, and the messages for exceeding them. */
export interface Limits {
  refusalReason(file: Blob): string | undefined;
  explain(error: ApiError): Refusal;
}

/** The placeholder in the text until the file is uploaded. */
const placeholderOf = ({ name, key }: { name: string; key: string }): string =>
  `[${withoutBrackets(name)}…](#uploading-${key})`;

/** The name as text of a link, without characters that end it, have a meaning or mention a user. */
const withoutBrackets = (name: string): string =>
  name
    .replaceAll("[", "(")
    .replaceAll("]", ")")
    .replace(/[\\\s]+/g, " ")
    .replaceAll("`", "'")
    .replace(/\*|([$~])(?=\1)|<(?=time:)/g, "")
    .trim();

/** Removes the placeholder, with its line if nothing replaces it. */
export function placeholderRange(
  text: string,
  placeholder: string,
  words: string,
): [number, number] {
  const start = text.indexOf(placeholder);
  const end = start + placeholder.length;
  const isLine = (start === 0 || text[start - 1] === "\n") && text[end] === "\n";
  return [start, words === "" && isLine ? end + 1 : end];
}

export function replacePlaceholder(text: string, placeholder: string, words: string): string {
  const [start, end] = placeholderRange(text, placeholder, words);
  return text.slice(0, start) + words + text.slice(end);
}

const PENDING = /\[[^\]\n]*\]\(#uploading-([\w.-]+)\)/g;

/** The uploads that a text waits for. */
export const pendingIn = (text: string): string[] =>
  [...text.matchAll(PENDING)].map(([, key = ""]) => key);

/** The result that a placeholder is replaced with. */
interface Outcome {
  readonly placeholder: string;
  /** Empty if the file was removed or rejected. */
  readonly words: string;
  readonly refused?: Refusal & { readonly name: string };
}

/** Message to other tabs: replaces a placeholder with the text. */
interface EndedUpload {
  key: string;
  placeholder: string;
  words: string;
}

/** Tabs share the stored uploads: one of them sends a file, and the others learn the result. */
export class Uploads {
  /** In the order in which they were added. */
  readonly all = signal<ReadonlyMap<string, Upload>>(new Map());
  /** The file that most recently finished uploading. */
  readonly finished = signal<{ name: string; link: string } | undefined>(undefined);
  /** The files that this page uploaded, by URL: their pictures need no download. */
  readonly files = new Map<string, Blob>();
  private readonly tabs = new BroadcastChannel("skein-uploads");
  private readonly controllers = new Map<string, AbortController>();
  private line: Promise<void> = Promise.resolve();
  private count = 0;
  private online = new AbortController();

  constructor(
    private readonly requestContext: RequestContext,
    private readonly rows: Rows<StoredFile>,
    private readonly runtime: Runtime,
    private readonly limits: Limits,
    /** Replaces the placeholder in the text or draft that has it. Returns an open text's owner. */
    private readonly done: (outcome: Outcome) => string | undefined,
  ) {
    this.tabs.addEventListener("message", ({ data }: MessageEvent<EndedUpload>) =>
      this.finishUpload(data),
    );
  }

  /** Resumes uploads that a reload interrupted. */
  async resume(): Promise<void> {
    const stored = await this.rows.all();
    for (const row of stored.sort((a, b) => a.made - b.made)) {
      if (!this.all.peek().has(row.key)) this.start(row);
    }
  }

  /** Ends the pause before the next attempt. */
  onOnline(): void {
    this.online.abort();
    this.online = new AbortController();
  }

  /** Returns a placeholder for each file that may be sent at all. */
  add(files: readonly File[], owner: string): string[] {
    return files.flatMap((file) => this.startUpload(file, owner) ?? []);
  }

  /** Starts a rejected upload again, with a new placeholder. */
  retry(key: string): string[] {
    const upload = this.all.peek().get(key);
    if (!upload?.refused || upload.owner === undefined) return [];
    this.forget(key);
    const { name, file, owner } = upload;
    return this.add([new File([file], name, { type: file.type })], owner);
  }

  private startUpload(file: File, owner: string): string | undefined {
    const createdAt = this.runtime.now();
    const key = `${createdAt.toString(36)}.${(this.count += 1)}`;
    const name = file.name || `file.${file.type.split("/")[1] ?? "bin"}`;
    const row: StoredFile = { key, file, name, path: undefined, made: createdAt };
    const words = this.limits.refusalReason(file);
    if (words !== undefined) {
      this.recordUpload({ ...this.upload(row), refused: { words }, owner });
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

  private end(upload: { key: string; name: string }, words: string, refused?: Refusal) {
    const { key, name } = upload;
    const ended = { key, placeholder: placeholderOf(upload), words };
    this.tabs.postMessage(ended);
    return this.finishUpload(ended, refused && { ...refused, name });
  }

  private finishUpload({ key, placeholder, words }: EndedUpload, refused?: Outcome["refused"]) {
    this.controllers.get(key)?.abort();
    this.forget(key);
    return this.done({ placeholder, words, ...(refused && { refused }) });
  }

  /** Removes the placeholder; the error stays visible. */
  private refuse(row: StoredFile, error: ApiError): void {
    const refused = this.limits.explain(error);
    const upload = { ...this.upload(row), refused, canRetry: true };
    const owner = this.end(row, "", refused);
    if (owner !== undefined) this.recordUpload({ ...upload, owner });
  }

  /** The user has seen the errors of failed uploads. */
  forgetRefused(owner: string): void {
    const all = [...this.all.peek()];
    this.all.value = new Map(all.filter(([, upload]) => !upload.refused || upload.owner !== owner));
  }

  /** Whether all of these uploads are in this browser, in any of its tabs. */
  async hasAll(keys: readonly string[]): Promise<boolean> {
    const others = keys.filter((key) => !this.all.peek().has(key));
    if (others.length === 0) return true;
    const stored = new Set((await this.rows.all()).map(({ key }) => key));
    return others.every((key) => stored.has(key));
  }

  private start(row: StoredFile): void {
    const stop = new AbortController();
    this.controllers.set(row.key, stop);
    this.recordUpload(this.upload(row));
    // Uploads run in sequence, so that files arrive in order.
    this.line = this.line.then(() => this.sendWithLock(row, stop.signal)).catch(() => undefined);
  }

  /** Uploads in one tab at a time, if the browser supports locks. */
  private sendWithLock(row: StoredFile, signal: AbortSignal): Promise<void> {
    const run = () => this.run(row, signal);
    const { locks }: Partial<Navigator> = navigator;
    return locks ? locks.request(`skein-upload-${row.key}`, { signal }, run) : run();
  }

  private async run(row: StoredFile, signal: AbortSignal): Promise<void> {
    /** Addresses of the file on the server; there are several if one is forgotten there. */
    const paths = new Set<string>();
    const cancel = (path: string) => cancelUpload(this.requestContext, path).catch(() => undefined);
    signal.addEventListener("abort", () => void [...paths].map(cancel), { once: true });
    for (let tries = 1; !signal.aborted; tries++) {
      try {
        return await this.attempt(row, signal, paths);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ApiError) {
          const isForgotten = error.status === HTTP_GONE || error.status === MISSING;
          if (!isForgotten) return this.refuse(row, error);
          // Starts again from the beginning.
          row = { ...row, path: undefined };
          await this.rows.put(row).catch(() => undefined);
        }
        this.recordUpload({ ...this.upload(row), isWaiting: true });
        const end = AbortSignal.any([signal, this.online.signal]);
        await pause(this.runtime, backOff(tries, this.runtime.random()), end);
      }
    }
  }

  private async attempt(row: StoredFile, signal: AbortSignal, paths: Set<string>): Promise<void> {
    const { requestContext } = this;
    const stored = (await this.rows.all()).find(({ key }) => key === row.key) ?? row;
    // The stored copy, because the original file may be gone.
    const { file } = stored;
    const path = stored.path ?? (await beginUpload(requestContext, row.name, file));
    if (signal.aborted) return void cancelUpload(requestContext, path).catch(() => undefined);
    paths.add(path);
    if (stored.path === undefined) await this.rows.put({ ...row, path });
    let offset = stored.path === undefined ? 0 : await uploadedBytes(requestContext, path);
    for (;;) {
      this.recordUpload({ ...this.upload(row), sent: offset, isWaiting: false });
      const chunk = file.slice(offset, offset + PIECE_BYTES);
      const response = await uploadPiece(requestContext, path, offset, chunk, signal);
      if (response.uploaded) {
        const { filename, url } = response.uploaded;
        this.controllers.delete(row.key);
        const link = `[${withoutBrackets(filename)}](${url})`;
        this.cacheFile(url, file);
        this.end(row, link);
        this.finished.value = { name: filename, link };
        return;
      }
      offset = response.offset;
    }
  }

  private upload({ key, name, file }: StoredFile): Upload {
    const upload = this.all.peek().get(key);
    const added = { key, name, file, size: file.size, sent: 0, isWaiting: false };
    return upload ?? { ...added, refused: undefined, owner: undefined, canRetry: false };
  }

  private cacheFile(url: string, file: Blob): void {
    this.files.set(url, file);
    const [oldest] = this.files.keys();
    if (oldest !== undefined && this.files.size > FILES_MAX) this.files.delete(oldest);
  }

  private recordUpload(upload: Upload): void {
    this.all.value = new Map(this.all.peek()).set(upload.key, upload);
  }

  private forget(key: string): void {
    const remaining = new Map(this.all.peek());
    remaining.delete(key);
    this.all.value = remaining;
    this.controllers.delete(key);
    void this.rows.delete(key);
  }
}

/** More than the chips of a message. */
const FILES_MAX = 50;
const MISSING = 404;
const HTTP_GONE = 410;
