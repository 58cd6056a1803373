// A user's own settings of a channel: mute, pin, color and notifications.
import { COLORS } from "../../../features/channels/rules.ts";
import { subscribe, getState } from "../../store/store.ts";
import { IconButton } from "../../ui/button.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { setColor } from "../../ui/colored.tsx";
import type { Box } from "../../ui/anchor-box.ts";
import { Popover } from "../../ui/popover.tsx";
import { t, type TextKey } from "../../words/words.ts";
import { sendsMail } from "../organization/selectors.ts";
import type { UserSettings } from "../settings/state.ts";
import { type Property, setProperty } from "./actions.ts";

const LAYER = "channel-panel";

export function openPanel(anchor: Box, stream_id: number): void {
  openLayer(LAYER, <Panel anchor={anchor} stream_id={stream_id} />);
}

type NotificationProperty = Exclude<Property, "is_muted" | "pin_to_top" | "color">;

/**
 * Notification settings of a channel, each with the general setting that applies if the channel has
 * no value of its own.
 */
const NOTIFICATIONS: readonly (readonly [NotificationProperty, TextKey, keyof UserSettings])[] = [
  ["desktop_notifications", "settings-by-desktop", "enable_stream_desktop_notifications"],
  ["audible_notifications", "settings-by-sound", "enable_stream_audible_notifications"],
  ["push_notifications", "settings-by-push", "enable_stream_push_notifications"],
  ["email_notifications", "settings-by-email", "enable_stream_email_notifications"],
  ["wildcard_mentions_notify", "wildcard-mentions", "wildcard_mentions_notify"],
];

const notificationRows = () =>
  NOTIFICATIONS.filter(([property]) => property !== "email_notifications" || sendsMail());

function Panel({ anchor, stream_id }: { anchor: Box; stream_id: number }) {
  subscribe(`channel:${stream_id}`);
  const row = getState().channels.channels.get(stream_id)?.row;
  if (!row) return null;
  return (
    <Popover id={LAYER} anchor={anchor} label={t("channel-settings")} class="channel-panel">
      <header>
        <h2>
          <bdi>{row.name}</bdi>
        </h2>
        <IconButton icon="x" size="s" label={t("close")} onClick={() => closeLayer(LAYER)} />
      </header>
      <OwnSettings stream_id={stream_id} />
    </Popover>
  );
}

/** Also displayed on the page of the channel. */
export function OwnSettings({ stream_id }: { stream_id: number }) {
  subscribe(`channel:${stream_id}`, "settings");
  const { channels, settings } = getState();
  const row = channels.channels.get(stream_id)?.row;
  if (!row) return null;
  return (
    <>
      <Switch stream_id={stream_id} property="pin_to_top" textKey="pinned" />
      <Switch stream_id={stream_id} property="is_muted" textKey="topic-muted" />
      <p class="cap" id="channel-color">
        {t("color")}
      </p>
      <div class="swatches" role="radiogroup" aria-labelledby="channel-color">
        {COLORS.map((color, index) => (
          <button
            key={color}
            type="button"
            role="radio"
            aria-checked={row.color === color}
            aria-label={t("color-of", { number: index + 1 })}
            data-c=""
            ref={(node) => setColor(node, color)}
            onClick={() => setProperty(stream_id, "color", color)}
          />
        ))}
      </div>
      <p class="cap">{t("notifications")}</p>
      {notificationRows().map(([property, word, general]) => (
        <NotificationSwitch
          key={property}
          textKey={word}
          ownValue={row[property]}
          defaultValue={settings.settings[general] === true}
          onChange={(value) => setProperty(stream_id, property, value)}
        />
      ))}
    </>
  );
}

interface NotifiedProps {
  textKey: TextKey;
  /** Null: follows the user's setting for all channels. */
  ownValue: boolean | null | undefined;
  defaultValue: boolean;
  onChange(value: boolean): void;
}

/** The control shows the default if the channel has no value of its own. */
function NotificationSwitch({ textKey, ownValue, defaultValue, onChange }: NotifiedProps) {
  const isUsual = ownValue === null || ownValue === undefined;
  return (
    <label class="option-row">
      <span>{t(textKey)}</span>
      <span class="field">
        <select
          value={isUsual ? "usual" : ownValue ? "on" : "off"}
          onChange={({ currentTarget }) => onChange(currentTarget.value === "on")}
        >
          {isUsual && (
            <option value="usual">
              {t("default-value", { is: defaultValue ? t("on") : t("off") })}
            </option>
          )}
          <option value="on">{t("on")}</option>
          <option value="off">{t("off")}</option>
        </select>
      </span>
    </label>
  );
}

interface SwitchProps {
  stream_id: number;
  property: "pin_to_top" | "is_muted";
  textKey: TextKey;
}

function Switch({ stream_id, property, textKey }: SwitchProps) {
  const row = getState().channels.channels.get(stream_id)?.row;
  return (
    <label class="option-row">
      <span>{t(textKey)}</span>
      <input
        class="switch"
        type="checkbox"
        role="switch"
        checked={row?.[property] === true}
        onChange={({ currentTarget }) => setProperty(stream_id, property, currentTarget.checked)}
      />
    </label>
  );
}
