// Sends one large request as fast as the server takes it.

const CHUNK = new Uint8Array(1_048_576);

/** Returns the response text. @throws if the status is not 200 */
export function uploadTime(
  port: number,
  head: string,
  tail: string,
  bytes: number,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const parts = [Buffer.from(head), ...chunksOf(bytes), Buffer.from(tail)];
  let [part, offset, response] = [0, 0, ""];
  void Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: (socket) => push(socket),
      drain: (socket) => push(socket),
      data(socket, chunk) {
        response += chunk.toString("latin1");
        if (!response.includes("\r\n\r\n")) return;
        if (response.startsWith("HTTP/1.1 200")) resolve(response);
        else reject(new Error(response.slice(0, 1_000)));
        socket.end();
      },
      close: () => reject(new Error("the connection was closed")),
      error: (_, error) => reject(error),
    },
  }).catch(reject);
  return promise;

  function push(socket: { write(bytes: Uint8Array): number }) {
    while (part < parts.length) {
      offset += socket.write(parts[part]!.subarray(offset));
      if (offset < parts[part]!.length) return;
      [part, offset] = [part + 1, 0];
    }
  }
}

function chunksOf(bytes: number): Uint8Array[] {
  const fullChunks = Array<Uint8Array>(Math.floor(bytes / CHUNK.length)).fill(CHUNK);
  return [...fullChunks, CHUNK.subarray(0, bytes % CHUNK.length)];
}
