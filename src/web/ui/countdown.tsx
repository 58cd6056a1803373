// Time that runs out, before one's eyes: by the second where it is short, else by the minute.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { say } from "../words/words.ts";

const MINUTE_SECONDS = 60;
/** Below this each second counts. */
const SHORT_SECONDS = 600;

interface Counted {
  /** Seconds since 1970. */
  until: number;
  /** The text after the end. */
  over: string;
}

/** Not announced at each change. */
export function Countdown({ until, over }: Counted) {
  const left = useSignal(leftUntil(until));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      left.value = leftUntil(until);
      if (left.value <= 0) return;
      const isShort = left.value <= SHORT_SECONDS;
      const rest = isShort ? 1 : left.value % MINUTE_SECONDS || MINUTE_SECONDS;
      timer = setTimeout(tick, rest * 1000);
    };
    tick();
    return () => clearTimeout(timer);
  }, [until]);
  if (left.value <= 0) return <span role="status">{over}</span>;
  const time = formatSpan(left.value, left.value <= SHORT_SECONDS);
  return <span role="timer">{say("time-left", { time })}</span>;
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
