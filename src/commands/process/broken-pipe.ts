// Keeps a command running when the reader of its output has ended, as `head` does.

export function ignoreBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.listenerCount("error") === 0) stream.on("error", () => {});
  }
}
