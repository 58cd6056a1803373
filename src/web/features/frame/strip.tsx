// What is to be known of the connection: nothing while it holds, and no sooner than it matters.
import { signal, useSignalEffect } from "@preact/signals";
import { sync } from "../../here.ts";
import { asOf } from "../../api/as-of.ts";
import { Icon } from "../../ui/icon.tsx";
import { later } from "../../ui/lazy.tsx";
import { dayKey, formatMoment, formatTime } from "../../words/dates.ts";
import { say, type Word } from "../../words/words.ts";

/** A hiccup is nobody's business. */
const QUIET_MS = 3000;

const WORDS: Readonly<Record<string, Word>> = {
  starting: "connecting",
  unreached: "offline",
  "signed-out": "signed-out",
  another: "another-account",
};

const isDue = signal(false);

function offline(): string {
  const at = asOf.value / 1000;
  if (at === 0) return say("offline");
  const isToday = dayKey(at) === dayKey(Date.now() / 1000);
  return say("offline-as-of", { time: (isToday ? formatTime : formatMoment)(at) });
}

/** There is room for it where nothing is amiss. */
const ZoneOffer = later(async () => (await import("./zone.tsx")).ZoneOffer);

export function Strip() {
  useSignalEffect(() => {
    const { kind, since } = sync.standing.value;
    isDue.value = false;
    if (kind === "live") return undefined;
    // Whatever has become of the clock since.
    const wait = Math.min(QUIET_MS, Math.max(0, since + QUIET_MS - Date.now()));
    const timer = setTimeout(() => (isDue.value = true), wait);
    return () => clearTimeout(timer);
  });
  const word = WORDS[sync.standing.value.kind];
  if (!isDue.value || word === undefined) return <ZoneOffer />;
  return (
    <div class="strip" role="status">
      <Icon name="offline" size={18} />
      {word === "offline" ? offline() : say(word)}
      <button type="button" onClick={() => sync.hurry()}>
        {say("try-now")}
      </button>
    </div>
  );
}
