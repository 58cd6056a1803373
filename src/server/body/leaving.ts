// Long answers as they leave: for as long as somebody takes them, and cut when nobody does.

const TAKEN_MS = 60_000;
const PIECE_BYTES = 16_384;

/** Answers that nothing else is to end, however long they take. */
const leaving = new WeakSet<Response>();

export function isLeaving(response: Response): boolean {
  return leaving.has(response);
}

/** An answer of bytes that are read as they are taken. */
export function leavingResponse(
  bytes: Blob | AsyncIterable<Uint8Array>,
  init: ResponseInit,
  taken_ms = TAKEN_MS,
): Response {
  const pieces = bytes instanceof Blob ? piecesOf(bytes) : bytes;
  const response = new Response(takenInTime(pieces, taken_ms), init);
  leaving.add(response);
  return response;
}

async function* piecesOf(bytes: Blob): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.size; at += PIECE_BYTES) {
    yield new Uint8Array(await bytes.slice(at, at + PIECE_BYTES).arrayBuffer());
  }
}

/** The next piece is asked for when the one before is on its way. */
function takenInTime(pieces: AsyncIterable<Uint8Array>, taken_ms: number) {
  const iterator = pieces[Symbol.asyncIterator]();
  let timer: Timer | undefined;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      clearTimeout(timer);
      const { done, value } = await iterator.next();
      if (done) return controller.close();
      controller.enqueue(value);
      timer = setTimeout(() => {
        controller.error(new Error("nobody takes it"));
        void iterator.return?.();
      }, taken_ms);
    },
    async cancel() {
      clearTimeout(timer);
      await iterator.return?.();
    },
  });
}
