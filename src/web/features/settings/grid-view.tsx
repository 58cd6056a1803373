// Notification settings as a table of switches, with channels that have their own.
import { Fragment } from "preact";
import { setSubscription } from "../../api/deed-calls.ts";
import { sync } from "../../here.ts";
import { keyed, now } from "../../live.ts";
import { Button } from "../../ui/button.tsx";
import { say } from "../../words/words.ts";
import type { Channel } from "../channels/state.ts";
import { OWN, type Place } from "./actions.ts";
import { attempt } from "./form.tsx";
import { RefusedNote } from "./frame.tsx";
import { GRID, WAYS, waysHere } from "./notifications.ts";
import { Beside } from "./row-view.tsx";

export function NotificationGrid({ place = OWN }: { place?: Place }) {
  const ways = waysHere();
  return (
    <table class="settings-grid">
      <caption class="vh">{say("settings-notifications")}</caption>
      <thead>
        <tr>
          <th scope="col">{say("settings-what-happens")}</th>
          {WAYS.slice(0, ways).map(({ words }) => (
            <th key={words} scope="col">
              {say(words)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {GRID.map(({ words, names }) => (
          <tr key={words}>
            <th scope="row">
              {say(words)}
              {names.slice(0, ways).map((name) => (
                <Fragment key={name}>
                  <Beside name={name} place={place} />
                  <RefusedNote refusals={place.refusals} name={name} />
                </Fragment>
              ))}
            </th>
            {names.slice(0, ways).map((name, at) => (
              <td key={name}>
                <label class="settings-cell">
                  <input
                    class="box"
                    type="checkbox"
                    id={`setting-${name}`}
                    aria-label={say("settings-cell", {
                      row: say(words),
                      column: say(WAYS[at]!.words),
                    })}
                    aria-describedby={`setting-${name}-refused`}
                    disabled={place.isOff}
                    checked={place.valueOf(name) === true}
                    onChange={({ currentTarget }) => place.change(name, currentTarget.checked)}
                  />
                </label>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The setting for all channels, which applies to channels without their own. */
const ofAll = (at: number): boolean => now().settings.settings[OF_ALL[at]!] === true;
const OF_ALL = GRID.find(({ words }) => words === "settings-told-channels")!.names;

/** The ways by which one is told of a channel otherwise than of all. */
const waysOf = (row: Channel) => WAYS.filter(({ ofChannel }, at) => row[ofChannel] === !ofAll(at));

const ownOf = (row: Channel, is: boolean) =>
  waysOf(row).flatMap(({ ofChannel, words }) => (row[ofChannel] === is ? [say(words)] : []));

/** Channels of which one is told otherwise than of all. */
export function ChannelExceptions() {
  keyed("channels", "settings");
  const exceptions = [...now().channels.channels.values()]
    .filter(({ standing }) => standing === "subscribed")
    .map(({ row }) => row)
    .filter((row) => waysOf(row).length > 0)
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const said = (list: readonly string[]) => list.join(", ") || say("settings-nothing");
  return (
    <section>
      <h3>{say("settings-channel-exceptions")}</h3>
      <p class="settings-intro">
        {say(exceptions.length > 0 ? "settings-channel-exceptions-hint" : "settings-no-exceptions")}
      </p>
      <ul class="settings-list">
        {exceptions.map((row) => (
          <li key={row.stream_id}>
            <span>
              <bdi>#{row.name}</bdi>
              <small>
                {say("settings-channel-says", {
                  on: said(ownOf(row, true)),
                  off: said(ownOf(row, false)),
                })}
              </small>
            </span>
            <Button
              aria-label={say("settings-channel-reset", { channel: row.name })}
              onClick={() => void resetChannel(row)}
            >
              {say("settings-as-all")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function resetChannel(row: Channel): Promise<boolean> {
  const { stream_id } = row;
  const subscription_data = waysOf(row).map(({ ofChannel: property }) => {
    return { stream_id, property, value: row[property] !== true };
  });
  return attempt(() => setSubscription(sync, { subscription_data }));
}
