// Holds one port, and switches to a new certificate without interrupting clients.
import type { Pair } from "./certificates.ts";

/** Time in which active clients are told to reconnect. */
const CLOSING_MS = 5_000;
/** Time for requests that continue with the previous certificate. */
const FORMER_PAIR_MS = 600_000;

interface Listener {
  readonly port: number | undefined;
  readonly url: URL;
  stop(now?: boolean): Promise<void>;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A failure to listen, with advice for the operator. */
export class PortRefused extends Error {}

/** `flag`: the option that selects another address. */
export function reached<T>({ host, port }: Address, flag: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const { code } = error as { code?: string };
    const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
    if (code === "EADDRINUSE") {
      throw new PortRefused(
        `${address} is in use by another program; choose another address with ${flag}`,
      );
    }
    if (code !== "EACCES") throw error;
    throw new PortRefused(
      `no permission to listen on ${address}: give the account CAP_NET_BIND_SERVICE, lower ` +
        `net.ipv4.ip_unprivileged_port_start, or choose another address with ${flag}`,
    );
  }
}

/** Opens another listener. The port may be shared with another listener of this process. */
export type Open = (port: number, tls: Pair | undefined) => Listener;

export class Listening {
  /** Called when a listener accepts no new connections. */
  onEnd: () => void = () => {};
  private current: Listener;
  private readonly previousListeners = new Set<Listener>();

  private constructor(
    private readonly open: Open,
    first: Listener,
    private readonly release: () => void,
  ) {
    this.current = first;
  }

  /** No other process may use the port, although listeners of this process share it over TLS. */
  static begin(open: Open, address: Address, tls: Pair | undefined): Listening {
    const openAt = (port: number) => reached(address, "--listen", () => open(port, tls));
    if (tls === undefined) return new Listening(open, openAt(address.port), () => {});
    const listener = reached(address, "--listen", () => holdPort(address));
    try {
      return new Listening(open, openAt(listener.port), listener.release);
    } catch (error) {
      listener.release();
      throw error;
    }
  }

  get url(): string {
    return this.current.url.origin;
  }

  /** New connections use the new certificate; running requests complete with the old one. */
  change(pair: Pair, isUrgent: boolean): void {
    const previous = this.current;
    this.current = this.open(previous.port!, pair);
    this.previousListeners.add(previous);
    if (isUrgent) return this.end(previous);
    // A client that sends its next request on a closing connection would lose it, so clients are
    // told before.
    setTimeout(() => this.end(previous), CLOSING_MS).unref();
  }

  /** Whether connections of this listener must close after the next response. */
  isLeaving(listener: object | null): boolean {
    return this.previousListeners.size > 0 && this.previousListeners.has(listener as Listener);
  }

  private end(previous: Listener): void {
    const stopTimer = setTimeout(() => void previous.stop(true), FORMER_PAIR_MS);
    stopTimer.unref();
    void previous.stop().finally(() => {
      clearTimeout(stopTimer);
      this.previousListeners.delete(previous);
    });
    this.onEnd();
  }

  /** Resolves when no request is in progress, or at once. */
  async stop(now = false): Promise<void> {
    await Promise.all(
      [this.current, ...this.previousListeners].map((listener) => listener.stop(now)),
    );
    if (now) this.release();
  }
}

/**
 * If the port were shared, a second process would silently receive half of the connections. So it
 * must be free at first, and an abstract socket of this process marks it as taken.
 */
function holdPort({ host, port }: Address): { port: number; release(): void } {
  const noHandlers = { data() {} };
  const listener = Bun.listen({ hostname: host, port, socket: noHandlers });
  const heldPort = listener.port;
  listener.stop(true);
  if (process.platform !== "linux") return { port: heldPort, release() {} };
  const name = Bun.listen({ unix: `\0skein:${host}:${heldPort}`, socket: noHandlers });
  return { port: heldPort, release: () => name.stop(true) };
}
