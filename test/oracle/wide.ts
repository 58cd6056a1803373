// Clients that ask for what is said in all public channels, subscribed or not.
import type { Name } from "../cast.ts";
import type { Listener } from "../town.ts";
import { difference } from "./differ.ts";
import type { Game, Told } from "./game.ts";
import { channelOf, isGuest, isPrivate } from "./sight.ts";

const WIDE: readonly Name[] = ["mo", "bot"];
const CLIENT = {
  event_types: ["message"],
  all_public_streams: true,
  idle_queue_timeout: 604_800,
};

export class WideEars {
  private readonly listeners = new Map<Name, Listener>();

  static async open(game: Game): Promise<WideEars> {
    const ears = new WideEars();
    for (const who of WIDE) ears.listeners.set(who, await game.town.listen(who, CLIENT));
    return ears;
  }

  async check(game: Game, told: readonly Told[]): Promise<string[]> {
    const wrong: string[] = [];
    for (const [who, listener] of this.listeners) {
      const events = await listener.all();
      const heard = events.filter(({ message }) => game.names.has(message.sender_id));
      const ids = heard.map(({ message }) => message.id);
      const wanted = sentBy(told).filter((id) => this.hears(game, who, id));
      wrong.push(...difference(`${who}, listening widely, hears`, ids, wanted));
    }
    return wrong;
  }

  private hears({ world }: Game, who: Name, id: number): boolean {
    const said = world.said.get(id)!;
    const channel = channelOf(world, said);
    const isOpen = channel !== undefined && !isPrivate(channel) && !isGuest(world, who);
    return isOpen || said.rows.has(who);
  }
}

const sentBy = (told: readonly Told[]): number[] =>
  told.flatMap(({ event }) => event.match(/^message (\d+)$/)?.[1] ?? []).map(Number);
