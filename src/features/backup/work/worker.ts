// Worker that processes backups one after the other, outside of the server's thread.
import { closeSync, openSync, readSync } from "node:fs";
import { bitmaps, tables } from "../../../schema/schema.ts";
import { copyPages } from "../../../store/copy/pages.ts";
import { openReading } from "../../../store/copy/read-only.ts";
import { walkRows } from "../../../store/copy/walk.ts";
import { rejectDamaged } from "../../../store/structure/reject-damaged.ts";
import { searchFaultsIn } from "../../search/verify.ts";
import { lowerPriority } from "./priority.ts";
import type {
  ObjectSource,
  MessageFromWorker,
  WorkerRequestName,
  WorkerRequests,
  MessageToWorker,
} from "./worker-messages.ts";
import { compressed, compressedFile, encrypted, Measure } from "./packing.ts";
import { referencedPaths } from "./file-paths.ts";
import { referencesIn } from "./references.ts";
import { BackupFailed, type Pieces } from "./target.ts";

declare const self: Worker;

// A start compiles code later than usual: see build.ts.
Bun.unsafe.setJITPolicy(1);

type CurrentRequest = {
  readonly [N in WorkerRequestName]: (
    input: WorkerRequests[N]["in"],
  ) => Promise<WorkerRequests[N]["out"]>;
};

const PIECE_BYTES = 1_048_576;
/** Maximum of chunks in flight. */
const CHUNKS_IN_FLIGHT_MAX = 8;
const schema = { tables, bitmaps };

const handlers: CurrentRequest = {
  async copy({ from, to }) {
    await copyPages(from, to, reportProgress);
    // Mapping a copy with damaged pages would crash the server's process.
    rejectDamaged(to);
    return null;
  },

  async walk({ path, deep }) {
    const walkResult = await walkRows(path, schema, reportProgress);
    if (!deep) return walkResult;
    const damage = [...walkResult.damage, ...(await referencesIn(path, reportProgress))];
    return { ...walkResult, damage };
  },

  async search({ path }) {
    const { tables, close } = openReading(path, schema);
    try {
      return await searchFaultsIn(tables, reportProgress);
    } finally {
      await close();
    }
  },

  async named({ path }) {
    const { tables, close } = openReading(path, schema);
    try {
      const realm = tables.realm.get(1);
      if (!realm) throw new BackupFailed("there is no organization yet");
      const { realm_uuid: organization, settings } = realm;
      return { organization, name: settings.name, places: [...referencedPaths(tables)] };
    } finally {
      await close();
    }
  },

  async measure(from) {
    const measure = new Measure();
    for await (const piece of piecesOf(from)) {
      measure.add(piece);
      await reportProgress();
    }
    return measure.result();
  },

  async pack({ is_compressed, recipients, ...from }) {
    const measure = new Measure();
    const packed = is_compressed
      ? compressedOf(from as ObjectSource)
      : piecesOf(from as ObjectSource);
    for await (const piece of await encrypted(packed, recipients)) {
      measure.add(piece);
      await sendPiece(piece);
    }
    return measure.result();
  },
};

lowerPriority();
self.onmessage = async ({ data }: MessageEvent<MessageToWorker>) => {
  if ("is_taken" in data) onChunkTaken();
  else if ("input_piece" in data) receiveChunk(data.input_piece);
  else {
    try {
      const work = handlers[data.order] as (input: unknown) => Promise<unknown>;
      send({ done: await work(data.input) });
    } catch (error) {
      const { name, message, code, syscall, path } = error as NodeJS.ErrnoException;
      const facts = {
        ...(code !== undefined && { code }),
        ...(syscall !== undefined && { syscall }),
        ...(path !== undefined && { path }),
      };
      send({ failed: { name, message, ...facts } });
    }
  }
};

function send(message: MessageFromWorker, transferables: Transferable[] = []): void {
  self.postMessage(message, transferables);
}

const PROGRESS_INTERVAL_MS = 250;
let failureMessage = 0;

/** The caller may have ended meanwhile. */
async function reportProgress(): Promise<void> {
  const now = performance.now();
  if (now - failureMessage < PROGRESS_INTERVAL_MS) return;
  failureMessage = now;
  send({ is_at_it: true });
}

let chunksInFlight = 0;
let resumeSending: (() => void) | undefined;

async function sendPiece(piece: Uint8Array): Promise<void> {
  if (piece.length === 0) return;
  const copied = piece.byteLength === piece.buffer.byteLength ? piece : piece.slice();
  send({ piece: copied }, [copied.buffer as ArrayBuffer]);
  chunksInFlight += 1;
  if (chunksInFlight >= CHUNKS_IN_FLIGHT_MAX)
    await new Promise<void>((resolve) => (resumeSending = resolve));
}

function onChunkTaken(): void {
  chunksInFlight -= 1;
  resumeSending?.();
  resumeSending = undefined;
}

let incomingChunks: ((piece: Uint8Array | null) => void) | undefined;

function receiveChunk(piece: Uint8Array | null): void {
  incomingChunks?.(piece);
}

async function* piecesOf({ path }: ObjectSource): Pieces {
  if (path !== undefined) return yield* fileIn(path);
  for (;;) {
    const piece = await new Promise<Uint8Array | null>((resolve) => {
      incomingChunks = resolve;
      send({ wants: true });
    });
    if (piece === null) return;
    yield piece;
  }
}

function compressedOf(from: ObjectSource): Pieces {
  return from.path === undefined ? compressed(piecesOf(from)) : compressedFile(from.path);
}

/** Each chunk has its own buffer, because it is transferred. */
async function* fileIn(path: string): Pieces {
  const file = openSync(path, "r");
  try {
    for (;;) {
      const bytes = Buffer.allocUnsafeSlow(PIECE_BYTES);
      const length = readSync(file, bytes);
      if (length === 0) return;
      yield bytes.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}
