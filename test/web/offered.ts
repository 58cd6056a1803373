// What a client offers beside what the server grants, asked of both for everybody of the cast.
import { afterAll, beforeAll, expect } from "bun:test";
import type { Snapshot } from "../../src/web/snapshot.ts";
import { hydrate, type State } from "../../src/web/state.ts";
import { REGISTER } from "../../src/web/sync/versions.ts";
import type { Name } from "../cast.ts";
import { type Json, openTown, type Params, type Town } from "../town.ts";

export const PEOPLE = ["olga", "ada", "mo", "bo", "cy", "gus"] as const satisfies readonly Name[];

/** By name, whether something is offered, or granted. */
export type Rights = Record<string, boolean>;

/** A town for all tests of a file. */
export class Offers {
  town!: Town;
  private groups: Record<string, number> = {};
  private count = 0;

  static ofFile(): Offers {
    const offers = new Offers();
    beforeAll(async () => {
      offers.town = await openTown();
      await offers.town.ask("olga", "PATCH /realm", { enable_spectator_access: true });
      const { user_groups } = await offers.town.ask("olga", "GET /user_groups");
      offers.groups = Object.fromEntries(user_groups.map(({ name, id }: Json) => [name, id]));
    });
    afterAll(() => offers.town?.close());
    return offers;
  }

  idOf = (name: Name): number => this.town.idOf(name);

  /** The id of a group of a role. */
  role = (name: string): number => this.groups[`role:${name}`]!;

  /** What nothing else is called. */
  fresh = (kind: string): string => `${kind} ${(this.count += 1)}`;

  snapshotOf = async (name: Name): Promise<Snapshot> =>
    (await this.town.ask(name, "POST /register", { ...REGISTER })) as Snapshot;

  stateOf = async (name: Name): Promise<State> => hydrate(await this.snapshotOf(name));

  isAllowed = async (name: Name, line: string, params: Params = {}): Promise<boolean> =>
    (await this.town.send(name, line, params)).status === 200;
}

/** A fault says whose it is. */
export async function agree(ofOne: (name: Name) => Promise<[Rights, Rights]>): Promise<void> {
  const faults: string[] = [];
  for (const name of PEOPLE) {
    const [offered, granted] = await ofOne(name);
    for (const [what, is] of Object.entries(granted)) {
      if (offered[what] === is) continue;
      faults.push(`${name} ${is ? "is not offered" : "is offered and refused"}: ${what}`);
    }
  }
  expect(faults).toEqual([]);
}

/** A right that these have, and nobody else. */
export const only = (...direct_members: number[]) => ({ direct_members, direct_subgroups: [] });
