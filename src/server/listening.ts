// Holds one port, and goes on there with another certificate so that nobody who asks notices.
import type { Pair } from "./certificates.ts";

/** For those who ask all the time, to be told that they are to connect anew. */
const LEAVING_MS = 5_000;
/** For what still goes on over the certificate before. */
const FORMER_MS = 600_000;

export interface Listener {
  readonly port: number | undefined;
  readonly url: URL;
  stop(now?: boolean): Promise<void>;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What keeps us from listening somewhere, and what the operator can do about it. */
export class PortRefused extends Error {}

/** `flag`: by which another place is chosen. */
export function reached<T>({ host, port }: Address, flag: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "EADDRINUSE") {
      throw new PortRefused(`${host}:${port} is in use by another program; choose with ${flag}`);
    }
    if (code !== "EACCES") throw error;
    throw new PortRefused(
      `this account may not listen on ${host}:${port}: give it CAP_NET_BIND_SERVICE, lower ` +
        `net.ipv4.ip_unprivileged_port_start, or choose with ${flag}`,
    );
  }
}

/** Opens one more listener; the port may be shared with another one of this process. */
export type Open = (port: number, tls: Pair | undefined) => Listener;

export class Listening {
  /** Called when a listener has none but its last connections. */
  onEnd: () => void = () => {};
  private current: Listener;
  private readonly former = new Set<Listener>();

  private constructor(
    private readonly open: Open,
    first: Listener,
    private readonly release: () => void,
  ) {
    this.current = first;
  }

  /** Nobody else may have the port, though over TLS it is shared later. */
  static begin(open: Open, at: Address, tls: Pair | undefined): Listening {
    const openAt = (port: number) => reached(at, "--listen", () => open(port, tls));
    if (tls === undefined) return new Listening(open, openAt(at.port), () => {});
    const held = reached(at, "--listen", () => holdPort(at));
    try {
      return new Listening(open, openAt(held.port), held.release);
    } catch (error) {
      held.release();
      throw error;
    }
  }

  get url(): string {
    return this.current.url.origin;
  }

  /** New connections get the pair, and soon all do; what is under way ends as it began. */
  change(pair: Pair, isUrgent: boolean): void {
    const old = this.current;
    this.current = this.open(old.port!, pair);
    this.former.add(old);
    if (isUrgent) return this.end(old);
    // Who sends the next request over a connection that ends would lose it: each is told first.
    setTimeout(() => this.end(old), LEAVING_MS).unref();
  }

  /** Whether connections there are to end with the next answer. */
  isLeaving(listener: object | null): boolean {
    return this.former.size > 0 && this.former.has(listener as Listener);
  }

  private end(old: Listener): void {
    const late = setTimeout(() => void old.stop(true), FORMER_MS);
    late.unref();
    void old.stop().finally(() => {
      clearTimeout(late);
      this.former.delete(old);
    });
    this.onEnd();
  }

  /** Resolves when nothing is under way any more, or at once. */
  async stop(now = false): Promise<void> {
    await Promise.all([this.current, ...this.former].map((one) => one.stop(now)));
    if (now) this.release();
  }
}

/**
 * With a port that is shared, a second process would get half of the connections unseen. So it must
 * be free for one alone, and a name that goes with the process says that it is taken.
 */
function holdPort({ host, port }: Address): { port: number; release(): void } {
  const nothing = { data() {} };
  const taken = Bun.listen({ hostname: host, port, socket: nothing });
  const held = taken.port;
  taken.stop(true);
  if (process.platform !== "linux") return { port: held, release() {} };
  const name = Bun.listen({ unix: `\0skein:${host}:${held}`, socket: nothing });
  return { port: held, release: () => name.stop(true) };
}
