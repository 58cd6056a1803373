// Plays a game: compares each action's result and events with the oracle.
import type { Name } from "../users.ts";
import * as channelActs from "./channel-acts.ts";
import { difference } from "./difference.ts";
import { ClientModel } from "./client-model.ts";
import { type Act, type Game, openGame, PEOPLE, type ExpectedEvent } from "./game.ts";
import { compareUser } from "./compare-user.ts";
import * as messageActs from "./message-acts.ts";
import { compareSpectator } from "./compare-spectator.ts";
import { isHere } from "./visibility.ts";
import { WideClients } from "./wide-clients.ts";

/** Longer than any limit on editing, moving and deleting. */
const LEAP_SECONDS = 700;
const LEAPS_ONE_IN = 40;

type Maker = (game: Game) => Act | undefined;

/** The frequency of each action, relative to the sum of all. */
const DECK: [Maker, number][] = [
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
  [channelActs.expel, 2],
  [channelActs.turn, 3],
  [channelActs.grant, 6],
  [channelActs.archive, 1],
  [channelActs.promote, 2],
  [channelActs.enrol, 2],
  [channelActs.govern, 2],
  [channelActs.open, 1],
  [channelActs.blind, 1],
  [channelActs.retire, 1],
];
const deck = DECK.flatMap(([maker, times]) => Array.from({ length: times }, () => maker));

/** Returns the numbers of allowed and rejected requests; throws at the first difference. */
export async function play(seed: number, steps: number) {
  const game = await openGame(seed);
  const ears = new Map<Name, ClientModel>();
  const story: string[] = [];
  const counts = { allowed: 0, refused: 0 };
  try {
    const wide = await WideClients.open(game);
    await follow(game, ears);
    for (let step = 0; step < steps; step++) {
      const wrong = await turn(game, ears, wide, story, counts);
      if (wrong.length === 0) continue;
      const received = story.map((line, index) => `${index + 1}. ${line}`).join("\n");
      throw new Error(`Seed ${seed}:\n${received}\n\nDifferences:\n${wrong.join("\n")}`);
    }
    return counts;
  } finally {
    await game.testServer.close();
  }
}

async function turn(
  game: Game,
  ears: Map<Name, ClientModel>,
  wide: WideClients,
  story: string[],
  counts: { allowed: number; refused: number },
): Promise<string[]> {
  if (game.roll(LEAPS_ONE_IN) === 0) {
    game.testServer.clock.pass(LEAP_SECONDS);
    game.world.era++;
    story.push(`${LEAP_SECONDS} seconds pass`);
  }
  const act = draw(game);
  if (act === undefined) return [];
  const { who: name, line, params, isAllowed } = act;
  const response = await game.testServer.send(name, line, params);
  const body = (await response.json()) as { msg: string };
  story.push(`${name}: ${line} ${JSON.stringify(params)} → ${response.ok ? "yes" : body.msg}`);
  const wrong = difference(`${name} is let`, response.ok, isAllowed);
  if (wrong.length > 0) return wrong;
  counts[response.ok ? "allowed" : "refused"]++;
  const received = response.ok ? (act.does(body) ?? []) : [];
  if (response.ok && act.afterwards) {
    await game.testServer.request(name, act.afterwards.line, act.afterwards.params);
  }
  await follow(game, ears);
  wrong.push(...(await listen(game, ears, received)), ...(await wide.check(game, received)));
  wrong.push(...(await compareUser(game, game.person())), ...(await compareSpectator(game)));
  return wrong;
}

/** Returns a random action, mostly an allowed one: rejected ones are frequent anyway. */
function draw(game: Game): Act | undefined {
  const maker = game.pick(deck);
  let act = maker(game);
  for (let repeated = 0; repeated < 3 && act?.isAllowed === false; repeated++) {
    if (game.roll(3) > 0) act = maker(game);
  }
  return act;
}

/** A user who is away has no client, and gets a new one on return. */
async function follow(game: Game, ears: Map<Name, ClientModel>): Promise<void> {
  for (const name of PEOPLE) {
    if (!isHere(game.world, name)) ears.delete(name);
    else if (!ears.has(name)) ears.set(name, await ClientModel.open(game, name));
  }
}

async function listen(
  game: Game,
  ears: Map<Name, ClientModel>,
  received: ExpectedEvent[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, ear] of ears) {
    const events = await ear.hear(game);
    const requiredReceivers = received
      .filter((item) => item.receivers.includes(name))
      .map(({ event }) => event);
    const possibleReceivers = received
      .filter((item) => item.possibleReceivers?.includes(name))
      .map(({ event }) => event);
    const sure = events.filter(
      (event) => requiredReceivers.includes(event) || !possibleReceivers.includes(event),
    );
    wrong.push(...difference(`${name} hears`, sure, requiredReceivers), ...ear.check(game));
  }
  return wrong;
}
