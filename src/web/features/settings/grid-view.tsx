// Notification settings as a table of switches, with channels that have their own.
import { Fragment } from "preact";
import { setSubscription } from "../../api/message-calls.ts";
import { sync } from "../../sync/session.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { t } from "../../words/words.ts";
import type { Channel } from "../channels/state.ts";
import { itemAt } from "../../content/item-at.ts";
import { findOrThrow } from "../../content/find-or-throw.ts";
import { OWN_SETTINGS_SCOPE, type SettingsScope } from "./actions.ts";
import { runWithToast } from "../../ui/form/save-errors.ts";
import { ErrorNote } from "./setting-frame.tsx";
import { GRID, NOTIFICATION_METHODS, methodCount } from "./notifications.ts";
import { SavedIndicator } from "./row-view.tsx";

export function NotificationGrid({ scope = OWN_SETTINGS_SCOPE }: { scope?: SettingsScope }) {
  const columnCount = methodCount();
  return (
    <table class="settings-grid">
      <caption class="vh">{t("settings-notifications")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("settings-notify-about")}</th>
          {NOTIFICATION_METHODS.slice(0, columnCount).map(({ textKey }) => (
            <th key={textKey} scope="col">
              {t(textKey)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {GRID.map(({ textKey, names }) => (
          <tr key={textKey}>
            <th scope="row">
              {t(textKey)}
              {names.slice(0, columnCount).map((name) => (
                <Fragment key={name}>
                  <SavedIndicator name={name} scope={scope} />
                  <ErrorNote refusals={scope.refusals} name={name} />
                </Fragment>
              ))}
            </th>
            {names.slice(0, columnCount).map((name, index) => (
              <td key={name}>
                <label class="settings-cell">
                  <input
                    class="box"
                    type="checkbox"
                    id={`setting-${name}`}
                    aria-label={t("settings-cell", {
                      row: t(textKey),
                      column: t(itemAt(NOTIFICATION_METHODS, index).textKey),
                    })}
                    aria-describedby={`setting-${name}-refused`}
                    disabled={scope.isReadOnly}
                    checked={scope.valueOf(name) === true}
                    onChange={({ currentTarget }) => scope.change(name, currentTarget.checked)}
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
const ofAll = (index: number): boolean =>
  getState().settings.settings[itemAt(OF_ALL, index)] === true;
const OF_ALL = findOrThrow(GRID, ({ textKey }) => textKey === "settings-notify-channels").names;

/** The kinds of notifications for which a channel differs from the general settings. */
const waysOf = (row: Channel) =>
  NOTIFICATION_METHODS.filter(({ ofChannel }, index) => row[ofChannel] === !ofAll(index));

const ownOf = (row: Channel, isOn: boolean) =>
  waysOf(row).flatMap(({ ofChannel, textKey }) => (row[ofChannel] === isOn ? [t(textKey)] : []));

/** Channels whose settings differ from the general ones. */
export function ChannelExceptions() {
  subscribe("channels", "settings");
  const exceptions = [...getState().channels.channels.values()]
    .filter(({ membership }) => membership === "subscribed")
    .map(({ row }) => row)
    .filter((row) => waysOf(row).length > 0)
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const joinNames = (list: readonly string[]) => list.join(", ") || t("settings-nothing");
  return (
    <section>
      <h3>{t("settings-channel-exceptions")}</h3>
      <p class="settings-intro">
        {t(exceptions.length > 0 ? "settings-channel-exceptions-hint" : "settings-no-exceptions")}
      </p>
      <ul class="settings-list">
        {exceptions.map((row) => (
          <li key={row.stream_id}>
            <span>
              <bdi>#{row.name}</bdi>
              <small>
                {t("settings-channel-summary", {
                  on: joinNames(ownOf(row, true)),
                  off: joinNames(ownOf(row, false)),
                })}
              </small>
            </span>
            <Button
              aria-label={t("settings-channel-reset", { channel: row.name })}
              onClick={() => void resetChannel(row)}
            >
              {t("settings-reset")}
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
  return runWithToast(() => setSubscription(sync, { subscription_data }));
}
