// Cost of each narrow in a long and in a short history.
import { Load, type Server, startSkein } from "../processes.ts";
import { measureAlternately, ratioOf } from "../ratio.ts";
import { getRequest } from "../requests.ts";
import { lineAtMost, type Line } from "../row.ts";
import type { Dataset, Datasets } from "../datasets.ts";
import { mixedTopicAt } from "../mixed.ts";
import { Texts } from "../words.ts";

const MILLION = 1_000_000;
const TEN_THOUSAND = 10_000;
const SHAPE = { people: 16, channels: 10, subscribers: 10, mixed: 1, unread: 5_000 };
const ROUNDS = 7;
const FETCHES = 60;
const WARM_UP = 100;

/** Narrows of the first user, one term each. */
function narrowsOf({ people, channels }: Dataset, messages: number): Record<string, unknown> {
  const [, other, , third, , quiet] = people.map(({ user_id }) => user_id) as number[];
  const common = new Texts().words.find((word) => word.length > 6)!;
  return {
    everything: undefined,
    channel: channels[0],
    "channels:public": "public",
    topic: mixedTopicAt(3),
    sender: other,
    "sender:quiet": quiet,
    dm: [third],
    "dm-including": third,
    "group-pm-with": third,
    mentions: people[0]!.user_id,
    "is:dm": "dm",
    "is:unread": "unread",
    "is:starred": "starred",
    "is:alerted": "alerted",
    "is:mentioned": "mentioned",
    "is:followed": "followed",
    "is:muted": "muted",
    "is:resolved": "resolved",
    "has:link": "link",
    "has:image": "image",
    "has:reaction": "reaction",
    "in:home": "home",
    "in:all": "all",
    id: messages - 5,
    with: messages - 5,
    near: messages - 5,
    search: common,
  };
}

export async function narrows(datasets: Datasets): Promise<Line[]> {
  const smallDataset = await datasets.createShared({ ...SHAPE, messages: TEN_THOUSAND });
  const large = await datasets.createShared({ ...SHAPE, messages: MILLION });
  await using few = await startSkein(smallDataset.directory);
  await using largeServer = await startSkein(large.directory);
  using load = new Load();
  const [smallNarrows, largeNarrows] = [
    narrowsOf(smallDataset, TEN_THOUSAND),
    narrowsOf(large, MILLION),
  ];
  const fetch = async (
    dataset: Dataset,
    { port }: Server,
    name: string,
    operand: unknown,
    count: number,
  ) => {
    const operator = name.split(":")[0]!;
    const narrow = operand === undefined ? [] : [{ operator, operand }];
    const params = { anchor: "newest", num_before: 100, num_after: 0, narrow };
    return load.ask("send", {
      port,
      requests: [getRequest(dataset.people[0]!, "/messages", params)],
      count,
    });
  };
  const found = [];
  for (const name of Object.keys(smallNarrows)) {
    const fetchFromLarge = (count: number) =>
      fetch(large, largeServer, name, largeNarrows[name], count);
    const fetchFromSmall = (count: number) =>
      fetch(smallDataset, few, name, smallNarrows[name], count);
    await fetchFromLarge(WARM_UP);
    await fetchFromSmall(WARM_UP);
    const results = await measureAlternately(
      ROUNDS,
      () => fetchFromLarge(FETCHES),
      () => fetchFromSmall(FETCHES),
    );
    const ratio = ratioOf(results, ({ p50_ms }) => p50_ms);
    console.error(`${name}: ${ratio.ratio.toFixed(2)}`);
    found.push({ name, ratio });
  }
  found.sort((a, b) => b.ratio.ratio - a.ratio.ratio);
  const [worst] = found;
  const label = "newest 100 messages of any narrow with one operator, 1,000,000 stored over 10,000";
  return [
    lineAtMost({ label: `${label}, p50`, goal: 1.3, unit: `ms (${worst!.name})` }, worst!.ratio),
  ];
}
