// A user's own settings of a channel in one place: mute, pin, color and notifications.
import { COLORS } from "../../../features/channels/rules.ts";
import { keyed, known } from "../../live.ts";
import { IconButton } from "../../ui/button.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { setColor } from "../../ui/colored.tsx";
import type { Box } from "../../ui/box.ts";
import { Popover } from "../../ui/popover.tsx";
import { say, type Word } from "../../words/words.ts";
import { sendsMail } from "../notifications/mail.ts";
import { type Property, setProperty } from "./actions.ts";

const LAYER = "channel-panel";

export function openPanel(beside: Box, stream_id: number): void {
  openLayer(LAYER, <Panel beside={beside} stream_id={stream_id} />);
}

/** Each with the setting for all channels that applies otherwise. */
const TOLD: readonly (readonly [Property, Word, string])[] = [
  ["desktop_notifications", "settings-by-desktop", "enable_stream_desktop_notifications"],
  ["audible_notifications", "settings-by-sound", "enable_stream_audible_notifications"],
  ["push_notifications", "settings-by-push", "enable_stream_push_notifications"],
  ["email_notifications", "settings-by-email", "enable_stream_email_notifications"],
  ["wildcard_mentions_notify", "told-wildcards", "wildcard_mentions_notify"],
];

const told = () => TOLD.filter(([property]) => property !== "email_notifications" || sendsMail());

function Panel({ beside, stream_id }: { beside: Box; stream_id: number }) {
  keyed(`channel:${stream_id}`);
  const row = known()!.channels.channels.get(stream_id)?.row;
  if (!row) return null;
  return (
    <Popover id={LAYER} beside={beside} label={say("channel-settings")} class="channel-panel">
      <header>
        <h2>
          <bdi>{row.name}</bdi>
        </h2>
        <IconButton icon="x" size="s" label={say("close")} onClick={() => closeLayer(LAYER)} />
      </header>
      <OwnSettings stream_id={stream_id} />
    </Popover>
  );
}

/** Also a part of the channel's page. */
export function OwnSettings({ stream_id }: { stream_id: number }) {
  keyed(`channel:${stream_id}`, "settings");
  const { channels, settings } = known()!;
  const row = channels.channels.get(stream_id)?.row;
  if (!row) return null;
  return (
    <>
      <Switch stream_id={stream_id} property="pin_to_top" word="pinned" />
      <Switch stream_id={stream_id} property="is_muted" word="topic-muted" />
      <p class="cap" id="channel-color">
        {say("colour")}
      </p>
      <div class="swatches" role="radiogroup" aria-labelledby="channel-color">
        {COLORS.map((color, at) => (
          <button
            key={color}
            type="button"
            role="radio"
            aria-checked={row.color === color}
            aria-label={say("colour-of", { number: at + 1 })}
            data-c=""
            ref={(node) => setColor(node, color)}
            onClick={() => setProperty(stream_id, "color", color)}
          />
        ))}
      </div>
      <p class="cap">{say("tell-me")}</p>
      {told().map(([property, word, general]) => (
        <Notified
          key={property}
          word={word}
          own={row[property] as boolean | null | undefined}
          usual={settings.settings[general] === true}
          onChange={(value) => setProperty(stream_id, property, value)}
        />
      ))}
    </>
  );
}

interface NotifiedProps {
  word: Word;
  /** Null: follows the user's setting for all channels. */
  own: boolean | null | undefined;
  usual: boolean;
  onChange(value: boolean): void;
}

/** Without an own value, the control shows the default. */
function Notified({ word, own, usual, onChange }: NotifiedProps) {
  const isUsual = own === null || own === undefined;
  return (
    <label class="told">
      <span>{say(word)}</span>
      <span class="field">
        <select
          value={isUsual ? "usual" : own ? "on" : "off"}
          onChange={({ currentTarget }) => onChange(currentTarget.value === "on")}
        >
          {isUsual && (
            <option value="usual">{say("as-usual", { is: usual ? say("on") : say("off") })}</option>
          )}
          <option value="on">{say("on")}</option>
          <option value="off">{say("off")}</option>
        </select>
      </span>
    </label>
  );
}

interface Switched {
  stream_id: number;
  property: "pin_to_top" | "is_muted";
  word: Word;
}

function Switch({ stream_id, property, word }: Switched) {
  const row = known()!.channels.channels.get(stream_id)?.row;
  return (
    <label class="told">
      <span>{say(word)}</span>
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
