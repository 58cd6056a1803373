// Runs work in a separate worker, which ends when its caller has finished.
import type { Realm } from "../../../realm.ts";
import type { SearchFaults } from "../../search/verify.ts";
import type { Walked } from "../../../store/copy/walk.ts";
import type {
  FailedWork,
  ObjectSource,
  MessageFromWorker,
  MeasuredObject,
  NamedObject,
  WorkerRequestName,
  WorkerRequests,
  PackOptions,
} from "./worker-messages.ts";
import { withPath } from "../../../store/system/system-errors.ts";
import type { StoredObject } from "./packing.ts";
import { BackupFailed, type Pieces, type Target } from "./target.ts";

declare const SKEIN_BACKUPS: string;
/** The executable has other paths. */
const WORKER = typeof SKEIN_BACKUPS === "string" ? SKEIN_BACKUPS : "./worker.ts";

/** Content to send: a file on this machine, or a stream from elsewhere. */
export type Bytes = { readonly path: string } | { readonly pieces: Pieces };

/** Processes requests one after the other. `check` is called repeatedly and may throw. */
export class BackupWorker implements Disposable {
  private readonly worker = new Worker(new URL(WORKER, import.meta.url).href);

  constructor(private readonly check: () => void = () => {}) {}

  /** Used until the server stops. */
  static of({ hub }: Pick<Realm, "hub">): BackupWorker {
    return new BackupWorker(() => {
      if (hub.isStopping) throw new BackupFailed("the server is stopping");
    });
  }

  async copy(from: string, to: string): Promise<void> {
    try {
      await this.order("copy", { from, to }, undefined, () => {});
    } catch (error) {
      throw withPath(error, to);
    }
  }

  /** `deep`: also checks references between rows. */
  walk(path: string, deep = false): Promise<Walked> {
    return this.order("walk", { path, deep }, undefined, () => {});
  }

  search(path: string): Promise<SearchFaults> {
    return this.order("search", { path }, undefined, () => {});
  }

  named(path: string): Promise<NamedObject> {
    return this.order("named", { path }, undefined, () => {});
  }

  measure(bytes: Bytes): Promise<MeasuredObject> {
    return this.order("measure", fromOf(bytes), piecesIn(bytes), () => {});
  }

  async put(
    target: Target,
    name: string,
    bytes: Bytes,
    packing: PackOptions,
  ): Promise<StoredObject> {
    const channel = new ChunkChannel(() => this.worker.postMessage({ is_taken: true }));
    const params = { ...fromOf(bytes), ...packing };
    const packed = this.order("pack", params, piecesIn(bytes), (piece) => channel.enter(piece));
    packed.then(
      () => channel.end(),
      (error: Error) => channel.end(error),
    );
    await target.put(name, channel.pieces());
    return { name, ...(await packed) };
  }

  [Symbol.dispose](): void {
    this.worker.terminate();
  }

  private async order<N extends WorkerRequestName>(
    order: N,
    input: WorkerRequests[N]["in"],
    pieces: AsyncIterator<Uint8Array> | undefined,
    onPiece: (piece: Uint8Array) => void,
  ): Promise<WorkerRequests[N]["out"]> {
    const { worker } = this;
    return new Promise<WorkerRequests[N]["out"]>((resolve, reject) => {
      const receive = async (message: MessageFromWorker) => {
        this.check();
        if ("done" in message) resolve(message.done as WorkerRequests[N]["out"]);
        else if ("failed" in message) reject(errorOf(message.failed));
        else if ("piece" in message) onPiece(message.piece);
        else if ("wants" in message) {
          const { value = null } = (await pieces!.next()) as { value?: Uint8Array };
          worker.postMessage({ input_piece: value });
        }
      };
      worker.onmessage = ({ data }: MessageEvent<MessageFromWorker>) =>
        void receive(data).catch(reject);
      worker.onerror = ({ message }) => reject(new Error(`error in the backup worker: ${message}`));
      worker.postMessage({ order, input });
    });
  }
}

function fromOf(bytes: Bytes): ObjectSource {
  return "path" in bytes ? { path: bytes.path } : {};
}

function piecesIn(bytes: Bytes): AsyncIterator<Uint8Array> | undefined {
  return "pieces" in bytes ? bytes.pieces[Symbol.asyncIterator]() : undefined;
}

function errorOf({ name, message, ...facts }: FailedWork): Error {
  if (name === "BackupFailed") return new BackupFailed(message);
  if (name === "DatabaseDamaged") return Object.assign(new BackupFailed(message), { name });
  return Object.assign(new Error(message), { name, ...facts });
}

/** Passes chunks from a producer to a consumer. */
class ChunkChannel {
  private readonly queue: Uint8Array[] = [];
  private isOver = false;
  private error: Error | undefined;
  private wake = (): void => {};

  constructor(private readonly onTaken: () => void) {}

  enter(piece: Uint8Array): void {
    this.queue.push(piece);
    this.wake();
  }

  end(error?: Error): void {
    this.isOver = true;
    this.error = error;
    this.wake();
  }

  async *pieces(): Pieces {
    for (;;) {
      const piece = this.queue.shift();
      if (piece !== undefined) {
        yield piece;
        this.onTaken();
      } else if (this.error) throw this.error;
      else if (this.isOver) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
