// Reads the output of another process, so that no wait depends on how it is split.

type Stream = ReadableStream<Uint8Array>;

export class ProcessOutput {
  private text = "";
  private isOver = false;
  private more = Promise.withResolvers<void>();
  private reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  private readonly decoder = new TextDecoder();

  /** Reads the stream at once, whether or not a test waits, so that the process never blocks. */
  static from(stream: Stream): ProcessOutput {
    const printed = new ProcessOutput();
    void printed.read(stream);
    return printed;
  }

  /** All output so far; the last line may be incomplete. */
  get textSoFar(): string {
    return this.text;
  }

  /**
   * Calls `match` with all complete lines, again after each new output, and returns its first
   * result. Throws if the process ends before.
   */
  async untilMatch<T>(match: (lines: string) => T): Promise<NonNullable<T>> {
    for (;;) {
      const lines = this.text.slice(0, this.text.lastIndexOf("\n") + 1);
      const result = match(lines);
      if (result) return result;
      if (this.isOver) throw new Error(`it ended, and said no more than: ${this.text}`);
      await this.more.promise;
    }
  }

  /** Yields each complete line, including later ones; an incomplete last line is omitted. */
  async *lines(): AsyncGenerator<string, void> {
    for (let from = 0; ;) {
      const end = this.text.indexOf("\n", from);
      if (end >= 0) {
        yield this.text.slice(from, end);
        from = end + 1;
      } else if (this.isOver) return;
      else await this.more.promise;
    }
  }

  /** Resolves to all output when the stream ends. */
  async readWhole(): Promise<string> {
    while (!this.isOver) await this.more.promise;
    return this.text;
  }

  /** Stops reading the output. */
  async stopReading(): Promise<void> {
    await this.reader?.cancel();
  }

  append(bytes: Uint8Array): void {
    this.text += this.decoder.decode(bytes, { stream: true });
    this.wake();
  }

  private async read(stream: Stream): Promise<void> {
    const reader = (this.reader = stream.getReader());
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        this.append(next.value);
      }
    } finally {
      this.isOver = true;
      this.wake();
    }
  }

  private wake(): void {
    const { more } = this;
    this.more = Promise.withResolvers();
    more.resolve();
  }
}

/** Returns the URL that `skein serve` prints. */
export function listeningUrl(printed: ProcessOutput): Promise<string> {
  return printed.untilMatch((lines) => /^Skein listens on (\S+)$/m.exec(lines)?.[1]);
}
