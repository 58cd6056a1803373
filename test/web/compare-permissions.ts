// Compares what the client offers with what the server permits, for all users.
import { afterAll, beforeAll, expect } from "bun:test";
import type { Snapshot } from "../../src/web/contract/snapshot.ts";
import { hydrate, type State } from "../../src/web/store/state.ts";
import { REGISTER } from "../../src/web/sync/versions.ts";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

export const PEOPLE = ["olga", "ada", "mo", "bo", "cy", "gus"] as const satisfies readonly Name[];

/** Offered or granted actions, by name. */
export type Rights = Record<string, boolean>;

/** A test server for all tests of a file. */
export class RightsComparison {
  testServer!: TestServer;
  private groups: Record<string, number> = {};
  private count = 0;

  static forTestFile(): RightsComparison {
    const offers = new RightsComparison();
    beforeAll(async () => {
      offers.testServer = await startTestServer();
      await offers.testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
      const { user_groups } = await offers.testServer.request("olga", "GET /user_groups");
      offers.groups = Object.fromEntries(user_groups.map(({ name, id }: Json) => [name, id]));
    });
    afterAll(() => offers.testServer?.close());
    return offers;
  }

  idOf = (name: Name): number => this.testServer.idOf(name);

  /** The id of a group of a role. */
  role = (name: string): number => this.groups[`role:${name}`]!;

  /** Returns an unused name. */
  uniqueName = (kind: string): string => `${kind} ${(this.count += 1)}`;

  snapshotOf = async (name: Name): Promise<Snapshot> =>
    (await this.testServer.request(name, "POST /register", { ...REGISTER })) as Snapshot;

  stateOf = async (name: Name): Promise<State> => hydrate(await this.snapshotOf(name));

  isAllowed = async (name: Name, line: string, params: Params = {}): Promise<boolean> =>
    (await this.testServer.send(name, line, params)).status === 200;
}

/** Compares the offered and the granted actions of each user, and lists every difference. */
export async function expectSameRights(
  ofOne: (name: Name) => Promise<[Rights, Rights]>,
): Promise<void> {
  const faults: string[] = [];
  for (const name of PEOPLE) {
    const [offeredRights, granted] = await ofOne(name);
    for (const [right, is] of Object.entries(granted)) {
      if (offeredRights[right] === is) continue;
      faults.push(`${name} ${is ? "is not offered" : "is offered and refused"}: ${right}`);
    }
  }
  expect(faults).toEqual([]);
}

/** A permission that only these users have. */
export const usersOnly = (...direct_members: number[]) => ({
  direct_members,
  direct_subgroups: [],
});
