// Shows the state of the connection if a problem lasts.
import { signal, useSignalEffect } from "@preact/signals";
import { sync } from "../../sync/session.ts";
import { lastResponseAt } from "../../api/last-response.ts";
import { Icon } from "../../ui/icon.tsx";
import { lazyAfterFirstView } from "../../ui/loading/lazy.tsx";
import { dayKey, formatMoment, formatTime } from "../../words/dates.ts";
import { t, type TextKey } from "../../words/words.ts";

/** Shorter interruptions are not reported. */
const QUIET_MS = 3000;

const isDue = signal(false);

function offlineText(): string {
  const lastSeconds = lastResponseAt.value / 1000;
  if (lastSeconds === 0) return t("connection-unreached");
  const isToday = dayKey(lastSeconds) === dayKey(Date.now() / 1000);
  return t("connection-as-of", { time: (isToday ? formatTime : formatMoment)(lastSeconds) });
}

/** Shown only if there is no problem. */
const ZoneOffer = lazyAfterFirstView(async () => (await import("./time-zone-offer.tsx")).ZoneOffer);

export function ConnectionBanner() {
  useSignalEffect(() => {
    const { kind, since } = sync.connection.value;
    isDue.value = false;
    if (kind === "live" || kind === "visiting") return undefined;
    // Limited, as the clock may have been changed.
    const wait = Math.min(QUIET_MS, Math.max(0, since + QUIET_MS - Date.now()));
    const timer = setTimeout(() => (isDue.value = true), wait);
    return () => clearTimeout(timer);
  });
  const { kind } = sync.connection.value;
  if (!isDue.value || kind === "live") return <ZoneOffer />;
  return (
    <div class="status-banner" role="status">
      <Icon name="offline" size={18} />
      <span>
        <b>{kind === "unreached" ? offlineText() : t(`connection-${kind}` as TextKey)}</b>{" "}
        {kind === "unreached" && t("connection-kept")}
      </span>
      <button type="button" onClick={() => sync.retryNow()}>
        {t("try-now")}
      </button>
    </div>
  );
}
