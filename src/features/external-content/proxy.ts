// Images, videos and audio of other hosts, fetched at the first view and then cached.
import { join } from "node:path";
import { perRealm, type Realm } from "../../realm.ts";
import { Limiter } from "../../server/limit.ts";
import { typeOf } from "../files/images.ts";
import { Cache, type Content } from "./cache.ts";
import {
  bytesMaxOf,
  CACHE_BYTES_MAX,
  CACHE_FILES_MAX,
  DOWNLOADS_MAX,
  FAILURE_CACHE_SECONDS,
  FAULTS_MAX,
  HOST_DOWNLOADS_MAX,
  HOST_RATE,
  CACHE_SECONDS,
  MEDIA_BYTES_MAX,
  RATE,
  WAITING_MAX,
} from "./rules.ts";
import { FetchLimiter } from "./concurrency.ts";

/** The HTTP client for requests to other hosts. */
interface Downloads {
  download<T>(
    params: { url: string; types: null; bytes_max: number },
    read: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T>;
}

const clients = new WeakMap<Realm, Downloads>();

/** Must be called before content is requested. */
export function fetchWith(realm: Realm, client: Downloads): void {
  clients.set(realm, client);
}

export const externalMedia = perRealm((realm) => new ExternalMedia(realm));

const ANY_HOST = "";

class ExternalMedia {
  private readonly cache;
  private readonly limiter = new FetchLimiter({
    perHost: HOST_DOWNLOADS_MAX,
    total: DOWNLOADS_MAX,
    waiting: WAITING_MAX,
  });
  private readonly rates;
  /** Running requests by hash, and the time after which failed ones may be retried. */
  private readonly inFlight = new Map<string, Promise<void>>();
  private readonly faults = new Map<string, number>();

  constructor(private readonly realm: Realm) {
    const bounds = { bytes: CACHE_BYTES_MAX, files: CACHE_FILES_MAX };
    this.cache = new Cache(join(realm.config.data, "external"), bounds);
    const { clock } = realm;
    this.rates = { perHost: new Limiter(clock, HOST_RATE), total: new Limiter(clock, RATE) };
  }

  /** undefined: the content cannot be fetched. "busy": there are too many requests now. */
  async find(url: string): Promise<Content | "busy" | undefined> {
    const hash = new Bun.CryptoHasher("sha256").update(url).digest("hex");
    const content = await this.cached(hash);
    if (content) return content;
    if ((this.faults.get(hash) ?? 0) > this.realm.clock.now()) return undefined;
    const pending = this.inFlight.get(hash) ?? this.begin(hash, url);
    if (pending === undefined) return "busy";
    await pending;
    return this.cached(hash);
  }

  clear(): Promise<void> {
    return this.cache.clear();
  }

  private cached(hash: string): Promise<Content | undefined> {
    return this.cache.find(hash, this.realm.clock.now() - CACHE_SECONDS * 1000);
  }

  private begin(hash: string, url: string): Promise<void> | undefined {
    const host = URL.parse(url)?.hostname ?? ANY_HOST;
    const { perHost, total } = this.rates;
    if (!perHost.take(host).allowed || !total.take(ANY_HOST).allowed) return undefined;
    const pending = this.limiter.run(host, () => this.fetchContent(hash, url));
    if (pending === undefined) return undefined;
    const settledFetch = pending
      .catch(() => this.recordFailure(hash))
      .finally(() => this.inFlight.delete(hash));
    this.inFlight.set(hash, settledFetch);
    return settledFetch;
  }

  private fetchContent(hash: string, url: string): Promise<void> {
    const client = clients.get(this.realm);
    if (client === undefined) throw new Error("connections to other hosts are disabled");
    const params = { url, types: null, bytes_max: MEDIA_BYTES_MAX };
    return client.download(params, (bytes) => {
      return this.cache.store(hash, bytes, this.realm.clock.now(), checkedType);
    });
  }

  private recordFailure(hash: string): void {
    this.faults.delete(hash);
    this.faults.set(hash, this.realm.clock.now() + FAILURE_CACHE_SECONDS * 1000);
    if (this.faults.size <= FAULTS_MAX) return;
    for (const oldest of this.faults.keys()) {
      this.faults.delete(oldest);
      return;
    }
  }
}

class UnsupportedMedia extends Error {}

async function checkedType(bytes: Blob): Promise<string> {
  const content_type = await typeOf(bytes);
  const max = bytesMaxOf(content_type);
  if (max === undefined || bytes.size > max) throw new UnsupportedMedia(content_type);
  return content_type;
}
