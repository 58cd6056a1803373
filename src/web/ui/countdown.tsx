// A countdown, updated every second near the end and every minute before.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../words/words.ts";

const MINUTE_SECONDS = 60;
/** Below this, it counts seconds. */
const SHORT_SECONDS = 600;

interface CountdownProps {
  /** Seconds since 1970. */
  until: number;
  /** The text after the end. */
  overText: string;
}

/** Not announced to screen readers at each change. */
export function Countdown({ until, overText }: CountdownProps) {
  const remaining = useSignal(leftUntil(until));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      remaining.value = leftUntil(until);
      if (remaining.value <= 0) return;
      const isShort = remaining.value <= SHORT_SECONDS;
      const rest = isShort ? 1 : remaining.value % MINUTE_SECONDS || MINUTE_SECONDS;
      timer = setTimeout(tick, rest * 1000);
    };
    tick();
    return () => clearTimeout(timer);
  }, [until]);
  if (remaining.value <= 0) return <span role="status">{overText}</span>;
  const time = formatSpan(remaining.value, remaining.value <= SHORT_SECONDS);
  return <span role="timer">{t("time-left", { time })}</span>;
}

const leftUntil = (until: number) => Math.max(0, Math.ceil(until - Date.now() / 1000));

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** `4:32`, or the largest unit that fits: `3 hr`. Seconds. */
function formatSpan(seconds: number, isExact: boolean): string {
  if (isExact) return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
  const [unit, size] = UNITS.find(([, least]) => seconds >= least) ?? UNITS.at(-1)!;
  const form = { style: "unit", unit, unitDisplay: "short" } as const;
  return new Intl.NumberFormat(document.documentElement.lang || "en", form).format(
    Math.floor(seconds / size),
  );
}
