// Sends long responses while the client reads them, and aborts those that it does not read.

const STALLED_MS = 60_000;
const PIECE_BYTES = 16_384;

/** Responses that no other timeout may end. */
const streamed = new WeakSet<Response>();

export function isStreamed(response: Response): boolean {
  return streamed.has(response);
}

/** A response whose bytes are read as the client receives them. */
export function streamedResponse(
  bytes: Blob | AsyncIterable<Uint8Array>,
  init: ResponseInit,
  taken_ms = STALLED_MS,
): Response {
  const pieces = bytes instanceof Blob ? piecesOf(bytes) : bytes;
  const response = new Response(withTimeout(pieces, taken_ms), init);
  streamed.add(response);
  return response;
}

async function* piecesOf(bytes: Blob): AsyncIterable<Uint8Array> {
  for (let index = 0; index < bytes.size; index += PIECE_BYTES) {
    yield new Uint8Array(await bytes.slice(index, index + PIECE_BYTES).arrayBuffer());
  }
}

/** Requests the next piece after the previous one was sent. */
function withTimeout(pieces: AsyncIterable<Uint8Array>, taken_ms: number) {
  const iterator = pieces[Symbol.asyncIterator]();
  let timer: Timer | undefined;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      clearTimeout(timer);
      const { done, value } = await iterator.next();
      if (done) return controller.close();
      controller.enqueue(value);
      timer = setTimeout(() => {
        controller.error(new Error("the client does not read the response"));
        void iterator.return?.();
      }, taken_ms);
    },
    async cancel() {
      clearTimeout(timer);
      await iterator.return?.();
    },
  });
}
