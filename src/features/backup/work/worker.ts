// Worker that does the long work of backups outside of the server's thread, in order.
import { closeSync, openSync, readSync } from "node:fs";
import { bitmaps, tables } from "../../../schema/schema.ts";
import { copyPages } from "../../../store/copy/pages.ts";
import { openReading } from "../../../store/copy/reading.ts";
import { walkRows } from "../../../store/copy/walk.ts";
import { refuseDamaged } from "../../../store/structure/sound.ts";
import { searchFaultsIn } from "../../search/verify.ts";
import { yieldToOthers } from "./nice.ts";
import type { From, FromWorker, OrderName, Orders, ToWorker } from "./orders.ts";
import { compressed, compressedFile, encrypted, Measure } from "./packing.ts";
import { placesIn } from "./places.ts";
import { referencesIn } from "./references.ts";
import { BackupFailed, type Pieces } from "./target.ts";

declare const self: Worker;

type Doing = { readonly [N in OrderName]: (input: Orders[N]["in"]) => Promise<Orders[N]["out"]> };

const PIECE_BYTES = 1_048_576;
/** Maximum of chunks in flight. */
const AHEAD_MAX = 8;
const schema = { tables, bitmaps };

const doing: Doing = {
  async copy({ from, to }) {
    await copyPages(from, to, atIt);
    // A copy whose pages are damaged would end the server's process when it is mapped.
    refuseDamaged(to);
    return null;
  },

  async walk({ path, deep }) {
    const walked = await walkRows(path, schema, atIt);
    if (!deep) return walked;
    const damage = [...walked.damage, ...(await referencesIn(path, atIt))];
    return { ...walked, damage };
  },

  async search({ path }) {
    const { tables, close } = openReading(path, schema);
    try {
      return await searchFaultsIn(tables, atIt);
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
      return { organization, name: settings.name, places: [...placesIn(tables)] };
    } finally {
      await close();
    }
  },

  async measure(from) {
    const measure = new Measure();
    for await (const piece of piecesOf(from)) {
      measure.add(piece);
      await atIt();
    }
    return measure.taken();
  },

  async pack({ is_compressed, recipients, ...from }) {
    const measure = new Measure();
    const packed = is_compressed ? compressedOf(from as From) : piecesOf(from as From);
    for await (const piece of await encrypted(packed, recipients)) {
      measure.add(piece);
      await give(piece);
    }
    return measure.taken();
  },
};

yieldToOthers();
self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if ("is_taken" in data) taken();
  else if ("input_piece" in data) arrived(data.input_piece);
  else {
    try {
      const work = doing[data.order] as (input: unknown) => Promise<unknown>;
      say({ done: await work(data.input) });
    } catch (error) {
      const { name, message } = error as Error;
      say({ failed: { name, message } });
    }
  }
};

function say(told: FromWorker, handed: Transferable[] = []): void {
  self.postMessage(told, handed);
}

const AT_IT_MS = 250;
let said = 0;

/** The caller may have gone meanwhile. */
async function atIt(): Promise<void> {
  const now = performance.now();
  if (now - said < AT_IT_MS) return;
  said = now;
  say({ is_at_it: true });
}

let ahead = 0;
let room: (() => void) | undefined;

async function give(piece: Uint8Array): Promise<void> {
  if (piece.length === 0) return;
  const own = piece.byteLength === piece.buffer.byteLength ? piece : piece.slice();
  say({ piece: own }, [own.buffer as ArrayBuffer]);
  ahead += 1;
  if (ahead >= AHEAD_MAX) await new Promise<void>((resolve) => (room = resolve));
}

function taken(): void {
  ahead -= 1;
  room?.();
  room = undefined;
}

let arriving: ((piece: Uint8Array | null) => void) | undefined;

function arrived(piece: Uint8Array | null): void {
  arriving?.(piece);
}

async function* piecesOf({ path }: From): Pieces {
  if (path !== undefined) return yield* fileIn(path);
  for (;;) {
    const piece = await new Promise<Uint8Array | null>((resolve) => {
      arriving = resolve;
      say({ wants: true });
    });
    if (piece === null) return;
    yield piece;
  }
}

function compressedOf(from: From): Pieces {
  return from.path === undefined ? compressed(piecesOf(from)) : compressedFile(from.path);
}

/** Each piece has bytes of its own, as it is given away. */
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
