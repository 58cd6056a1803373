// Metrics as plain numbers, collected when Prometheus asks.

/** A metric family as Prometheus defines it. Labels have few values and never identify users. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly values: readonly Value[];
}

interface Value {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** The metric's own name if the family has several, as in a histogram. */
  readonly metricName?: string;
}

export function gauge(name: string, help: string, value: number): Family {
  return { name, help, type: "gauge", values: [{ value, labels: {} }] };
}

export function counter(name: string, help: string, value: number): Family {
  return { name, help, type: "counter", values: [{ value, labels: {} }] };
}

/** A family with one label. */
export function labelled(
  type: "counter" | "gauge",
  name: string,
  help: string,
  label: string,
  counts: Iterable<readonly [string | number, number]>,
): Family {
  const values = [...counts].map(([labelValue, value]) => ({
    value,
    labels: { [label]: labelValue },
  }));
  return { name, help, type, values };
}

/** Counters by name. The number of names is small. */
export class Tally {
  private readonly counts = new Map<string, number>();

  add(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  [Symbol.iterator](): Iterator<[string, number]> {
    return this.counts.entries();
  }
}

/** Buckets start at 0.5 ms. Long polls take longer than the last one. */
export const REQUEST_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
export const POLL_BUCKETS = [0.1, 1, 5, 15, 30, 45, 60, 90];
export const SIZE_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** A histogram with cumulative buckets. */
export class Histogram {
  private readonly counts: number[];
  private sum = 0;
  private count = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.sum += value;
    this.count += 1;
    const { bounds, counts } = this;
    for (let index = 0; index < bounds.length; index++) {
      if (value > bounds[index]!) continue;
      counts[index]! += 1;
      return;
    }
  }

  family(name: string, help: string): Family {
    const none: Record<string, number> = {};
    let below = 0;
    const buckets = this.bounds.map((le, index) => {
      below += this.counts[index]!;
      return { metricName: `${name}_bucket`, labels: { le }, value: below };
    });
    const values: Value[] = [
      ...buckets,
      { metricName: `${name}_bucket`, labels: { le: "+Inf" }, value: this.count },
      { metricName: `${name}_sum`, labels: none, value: this.sum },
      { metricName: `${name}_count`, labels: none, value: this.count },
    ];
    return { name, help, type: "histogram", values };
  }
}
