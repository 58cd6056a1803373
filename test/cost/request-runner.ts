// Runs requests on several test servers in turn, since some delete objects that others need.
import { hashOfKey } from "../../src/server/caller/authenticate.ts";
import { openWorld, type World } from "../bad-input/fixture.ts";
import type { Name } from "../users.ts";
import type { Place } from "./requests.ts";

/**
 * Limit of objects per test server, so that objects of earlier requests do not slow others down.
 */
const PLACES_PER_WORLD = 2_000;

export class Requester {
  private world: World | undefined;
  private places = 0;

  /** Selects the next text parameter and kind of text. */
  async nextTick(): Promise<void> {
    this.places += 1;
    if (this.world && this.places % PLACES_PER_WORLD > 0 && isWell(this.world)) return;
    await this.close();
    this.world = await openWorld();
  }

  async ask(place: Place, text: string): Promise<void> {
    const response = await fetch(place.request(this.world!, text), { redirect: "manual" });
    await response.arrayBuffer();
  }

  async close(): Promise<void> {
    await this.world?.testServer.close();
  }
}

function isWell({ testServer }: World): boolean {
  const { read } = testServer.realm;
  const exists = (name: Name) =>
    read.users.get(testServer.idOf(name))?.is_active === true &&
    read.api_keys.findBy("hash", hashOfKey(testServer.keyOf(name))) !== undefined;
  return !read.deactivations.has(1) && exists("olga") && exists("bot");
}
