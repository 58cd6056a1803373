// Metrics of the process: memory, CPU, descriptors and event-loop lag.
import { readFileSync, readdirSync } from "node:fs";
import { COMMIT, VERSION } from "../../contract/version.ts";
import { counter, type Family, gauge } from "./families.ts";

const CHECK_MS = 250;
const KIB = 1_024;

/** Private memory. Mapped pages of the database come and go as the kernel decides. */
const ANONYMOUS = /^RssAnon:\s+(\d+)/m;
const RESIDENT = /^VmRSS:\s+(\d+)/m;
const FILES = /^Max open files +(\d+)/m;

export class ProcessFacts {
  private readonly timer: Timer;
  private due = performance.now() + CHECK_MS;
  private lag_ms = 0;

  constructor() {
    this.timer = setInterval(() => {
      const now = performance.now();
      this.lag_ms = Math.max(this.lag_ms, now - this.due);
      this.due = now + CHECK_MS;
    }, CHECK_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  families(): Family[] {
    const { user, system } = process.cpuUsage();
    const lag_ms = Math.max(this.lag_ms, performance.now() - this.due, 0);
    this.lag_ms = 0;
    const built = { version: VERSION, commit: COMMIT, bun: Bun.version };
    return [
      gauge(
        "skein_loop_lag_seconds",
        "Longest delay of the event loop since the last scrape.",
        lag_ms / 1000,
      ),
      counter("process_cpu_seconds_total", "CPU time used.", (user + system) / 1_000_000),
      gauge(
        "process_start_time_seconds",
        "Start time of the process.",
        Date.now() / 1000 - process.uptime(),
      ),
      ...ofMachine(),
      {
        name: "skein_build_info",
        help: "Version of Skein.",
        type: "gauge",
        values: [{ value: 1, labels: built }],
      },
    ];
  }
}

/** Metrics that only some systems provide. */
function ofMachine(): Family[] {
  try {
    const status = readFileSync("/proc/self/status", "utf8");
    const limits = readFileSync("/proc/self/limits", "utf8");
    const bytes = (pattern: RegExp) => Number(pattern.exec(status)?.[1] ?? 0) * KIB;
    const files = readdirSync("/proc/self/fd").length;
    return [
      gauge(
        "process_resident_memory_bytes",
        "Memory in use, including mapped files.",
        bytes(RESIDENT),
      ),
      gauge("skein_anonymous_memory_bytes", "Private memory.", bytes(ANONYMOUS)),
      gauge("process_open_fds", "Open files and connections.", files),
      gauge(
        "process_max_fds",
        "Limit of open files and connections.",
        Number(FILES.exec(limits)?.[1] ?? 0),
      ),
    ];
  } catch {
    return [];
  }
}
