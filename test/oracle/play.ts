// Plays a game: act after act, each held against the oracle before it, in its events and after it.
import type { Name } from "../cast.ts";
import * as channelActs from "./channel-acts.ts";
import { difference } from "./differ.ts";
import { Ear } from "./ear.ts";
import { type Act, type Game, openGame, PEOPLE, type Told } from "./game.ts";
import { look } from "./look.ts";
import * as messageActs from "./message-acts.ts";
import { lookFromOutside } from "./outside.ts";
import { isHere } from "./sight.ts";
import { WideEars } from "./wide.ts";

/** Longer than any limit on editing, moving and deleting. */
const LEAP_SECONDS = 700;
const LEAPS_ONE_IN = 40;

type Maker = (game: Game) => Act | undefined;

/** How often each is played, of all. */
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

/** How many requests were let through and how many refused; throws at the first difference. */
export async function play(seed: number, steps: number) {
  const game = await openGame(seed);
  const ears = new Map<Name, Ear>();
  const story: string[] = [];
  const counts = { allowed: 0, refused: 0 };
  try {
    const wide = await WideEars.open(game);
    await follow(game, ears);
    for (let step = 0; step < steps; step++) {
      const wrong = await turn(game, ears, wide, story, counts);
      if (wrong.length === 0) continue;
      const told = story.map((line, at) => `${at + 1}. ${line}`).join("\n");
      throw new Error(`Seed ${seed}:\n${told}\n\nDifferences:\n${wrong.join("\n")}`);
    }
    return counts;
  } finally {
    await game.testServer.close();
  }
}

async function turn(
  game: Game,
  ears: Map<Name, Ear>,
  wide: WideEars,
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
  const { who, line, params, isAllowed } = act;
  const answer = await game.testServer.send(who, line, params);
  const body = (await answer.json()) as { msg: string };
  story.push(`${who}: ${line} ${JSON.stringify(params)} → ${answer.ok ? "yes" : body.msg}`);
  const wrong = difference(`${who} is let`, answer.ok, isAllowed);
  if (wrong.length > 0) return wrong;
  counts[answer.ok ? "allowed" : "refused"]++;
  const told = answer.ok ? (act.does(body) ?? []) : [];
  if (answer.ok && act.afterwards) {
    await game.testServer.ask(who, act.afterwards.line, act.afterwards.params);
  }
  await follow(game, ears);
  wrong.push(...(await listen(game, ears, told)), ...(await wide.check(game, told)));
  wrong.push(...(await look(game, game.person())), ...(await lookFromOutside(game)));
  return wrong;
}

/** Mostly what is let through: of what is refused there is plenty. */
function draw(game: Game): Act | undefined {
  const maker = game.pick(deck);
  let act = maker(game);
  for (let again = 0; again < 3 && act?.isAllowed === false; again++) {
    if (game.roll(3) > 0) act = maker(game);
  }
  return act;
}

/** Who is away has no client, and a new one on coming back. */
async function follow(game: Game, ears: Map<Name, Ear>): Promise<void> {
  for (const who of PEOPLE) {
    if (!isHere(game.world, who)) ears.delete(who);
    else if (!ears.has(who)) ears.set(who, await Ear.open(game, who));
  }
}

async function listen(game: Game, ears: Map<Name, Ear>, told: Told[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const [who, ear] of ears) {
    const heard = await ear.hear(game);
    const must = told.filter((one) => one.must.includes(who)).map(({ event }) => event);
    const may = told.filter((one) => one.may?.includes(who)).map(({ event }) => event);
    const sure = heard.filter((event) => must.includes(event) || !may.includes(event));
    wrong.push(...difference(`${who} hears`, sure, must), ...ear.check(game));
  }
  return wrong;
}
