// Runs random actions: compares each action's result and events with the oracle.
import type { Name } from "../users.ts";
import * as channelActs from "./channel-acts.ts";
import { difference } from "./difference.ts";
import { ClientModel } from "./client-model.ts";
import {
  type Action,
  type Simulation,
  openSimulation,
  PEOPLE,
  type ExpectedEvent,
} from "./simulation.ts";
import { compareUser } from "./compare-user.ts";
import * as messageActs from "./message-acts.ts";
import { compareSpectator } from "./compare-spectator.ts";
import { isActive } from "./visibility.ts";
import { WideClients } from "./wide-clients.ts";

/** Longer than any limit on editing, moving and deleting. */
const CLOCK_JUMP_SECONDS = 700;
const CLOCK_JUMPS_ONE_IN = 40;

type ActionMaker = (sim: Simulation) => Action | undefined;

/** The frequency of each action, relative to the sum of all. */
const ACTION_WEIGHTS: [ActionMaker, number][] = [
  [messageActs.send, 12],
  [messageActs.write, 3],
  [messageActs.react, 5],
  [messageActs.edit, 5],
  [messageActs.remove, 2],
  [messageActs.clear, 1],
  [messageActs.move, 12],
  [messageActs.resolve, 3],
  [messageActs.mark, 2],
  [channelActs.make, 1],
  [channelActs.join, 3],
  [channelActs.invite, 6],
  [channelActs.leave, 3],
  [channelActs.removeSubscriber, 2],
  [channelActs.changeKind, 3],
  [channelActs.grant, 6],
  [channelActs.archive, 1],
  [channelActs.changeRole, 2],
  [channelActs.addToGroup, 2],
  [channelActs.changeRealmPermission, 2],
  [channelActs.open, 1],
  [channelActs.limitUserAccess, 1],
  [channelActs.deactivateUser, 1],
];
const makers = ACTION_WEIGHTS.flatMap(([maker, times]) =>
  Array.from({ length: times }, () => maker),
);

/** Returns the numbers of allowed and rejected requests; throws at the first difference. */
export async function runActions(seed: number, steps: number) {
  const sim = await openSimulation(seed);
  const clientModels = new Map<Name, ClientModel>();
  const log: string[] = [];
  const counts = { allowed: 0, refused: 0 };
  try {
    const wide = await WideClients.open(sim);
    await applyAllEvents(sim, clientModels);
    for (let step = 0; step < steps; step++) {
      const wrong = await runStep(sim, clientModels, wide, log, counts);
      if (wrong.length === 0) continue;
      const received = log.map((line, index) => `${index + 1}. ${line}`).join("\n");
      throw new Error(`Seed ${seed}:\n${received}\n\nDifferences:\n${wrong.join("\n")}`);
    }
    return counts;
  } finally {
    await sim.testServer.close();
  }
}

async function runStep(
  sim: Simulation,
  clientModels: Map<Name, ClientModel>,
  wide: WideClients,
  log: string[],
  counts: { allowed: number; refused: number },
): Promise<string[]> {
  if (sim.roll(CLOCK_JUMPS_ONE_IN) === 0) {
    sim.testServer.clock.passSeconds(CLOCK_JUMP_SECONDS);
    sim.model.era++;
    log.push(`${CLOCK_JUMP_SECONDS} seconds pass`);
  }
  const action = draw(sim);
  if (action === undefined) return [];
  const { who: name, line, params, isAllowed } = action;
  const response = await sim.testServer.send(name, line, params);
  const body = (await response.json()) as { msg: string };
  log.push(`${name}: ${line} ${JSON.stringify(params)} → ${response.ok ? "yes" : body.msg}`);
  const wrong = difference(`${name} is let`, response.ok, isAllowed);
  if (wrong.length > 0) return wrong;
  counts[response.ok ? "allowed" : "refused"]++;
  const received = response.ok ? (action.apply(body) ?? []) : [];
  if (response.ok && action.afterwards) {
    await sim.testServer.request(name, action.afterwards.line, action.afterwards.params);
  }
  await applyAllEvents(sim, clientModels);
  wrong.push(...(await listen(sim, clientModels, received)), ...(await wide.check(sim, received)));
  wrong.push(...(await compareUser(sim, sim.pickPerson())), ...(await compareSpectator(sim)));
  return wrong;
}

/** Returns a random action, mostly an allowed one: rejected ones are frequent anyway. */
function draw(sim: Simulation): Action | undefined {
  const maker = sim.pick(makers);
  let action = maker(sim);
  for (let repeated = 0; repeated < 3 && action?.isAllowed === false; repeated++) {
    if (sim.roll(3) > 0) action = maker(sim);
  }
  return action;
}

/** A user who is away has no client, and gets a new one on return. */
async function applyAllEvents(
  sim: Simulation,
  clientModels: Map<Name, ClientModel>,
): Promise<void> {
  for (const name of PEOPLE) {
    if (!isActive(sim.model, name)) clientModels.delete(name);
    else if (!clientModels.has(name)) clientModels.set(name, await ClientModel.open(sim, name));
  }
}

async function listen(
  sim: Simulation,
  clientModels: Map<Name, ClientModel>,
  received: ExpectedEvent[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, client] of clientModels) {
    const events = await client.applyEvents(sim);
    const requiredReceivers = received
      .filter((item) => item.receivers.includes(name))
      .map(({ event }) => event);
    const possibleReceivers = received
      .filter((item) => item.possibleReceivers?.includes(name))
      .map(({ event }) => event);
    const certainEvents = events.filter(
      (event) => requiredReceivers.includes(event) || !possibleReceivers.includes(event),
    );
    wrong.push(
      ...difference(`${name} hears`, certainEvents, requiredReceivers),
      ...client.check(sim),
    );
  }
  return wrong;
}
