// Runs requests on several test servers in turn, since some delete objects that others need.
import { hashOfSecret } from "../../src/server/caller/secrets.ts";
import { openWorld, type RequestFixture } from "../bad-input/fixture.ts";
import type { Name } from "../users.ts";
import type { ParameterLocation } from "./requests.ts";

/**
 * Limit of objects per test server, so that objects of earlier requests do not slow others down.
 */
const LOCATIONS_PER_SERVER = 2_000;

export class Requester {
  private fixture: RequestFixture | undefined;
  private places = 0;

  /** Selects the next text parameter and kind of text. */
  async nextTick(): Promise<void> {
    this.places += 1;
    if (this.fixture && this.places % LOCATIONS_PER_SERVER > 0 && isResponding(this.fixture))
      return;
    await this.close();
    this.fixture = await openWorld();
  }

  async ask(location: ParameterLocation, text: string): Promise<void> {
    const response = await fetch(location.request(this.fixture!, text), { redirect: "manual" });
    await response.arrayBuffer();
  }

  async close(): Promise<void> {
    await this.fixture?.testServer.close();
  }
}

function isResponding({ testServer }: RequestFixture): boolean {
  const { read } = testServer.realm;
  const exists = (name: Name) =>
    read.users.get(testServer.idOf(name))?.is_active === true &&
    read.api_keys.findBy("hash", hashOfSecret(testServer.keyOf(name))) !== undefined;
  return !read.deactivations.has(1) && exists("olga") && exists("bot");
}
