// Reads the output of another process, so that no wait depends on how it is split.

type Stream = ReadableStream<Uint8Array>;

export class Printed {
  private said = "";
  private isOver = false;
  private more = Promise.withResolvers<void>();
  private reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  private readonly text = new TextDecoder();

  /** It is read on whoever waits, so that the process never waits for its reader. */
  static from(stream: Stream): Printed {
    const printed = new Printed();
    void printed.read(stream);
    return printed;
  }

  /** All of it so far; the last line may be half. */
  get soFar(): string {
    return this.said;
  }

  /**
   * Looks at all the whole lines that there are, again whenever there are more, and gives the first
   * that it finds. A process that ends before is an error.
   */
  async until<T>(look: (lines: string) => T): Promise<NonNullable<T>> {
    for (;;) {
      const lines = this.said.slice(0, this.said.lastIndexOf("\n") + 1);
      const found = look(lines);
      if (found) return found;
      if (this.isOver) throw new Error(`it ended, and said no more than: ${this.said}`);
      await this.more.promise;
    }
  }

  /** Each line, also those that are printed later; what is half at the end is left out. */
  async *lines(): AsyncGenerator<string, void> {
    for (let from = 0; ;) {
      const end = this.said.indexOf("\n", from);
      if (end >= 0) {
        yield this.said.slice(from, end);
        from = end + 1;
      } else if (this.isOver) return;
      else await this.more.promise;
    }
  }

  /** All of it, when there is no more. */
  async whole(): Promise<string> {
    while (!this.isOver) await this.more.promise;
    return this.said;
  }

  /** From now on nobody reads what it prints. */
  async leave(): Promise<void> {
    await this.reader?.cancel();
  }

  hear(bytes: Uint8Array): void {
    this.said += this.text.decode(bytes, { stream: true });
    this.wake();
  }

  private async read(stream: Stream): Promise<void> {
    const reader = (this.reader = stream.getReader());
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        this.hear(next.value);
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

/** Where `skein serve` says that it listens. */
export function listeningUrl(printed: Printed): Promise<string> {
  return printed.until((lines) => /^Skein listens on (\S+)$/m.exec(lines)?.[1]);
}
