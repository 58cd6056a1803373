// Reads metrics like Prometheus, with its own tool if installed.

export const promtool = Bun.which("promtool") ?? undefined;

export async function scrape(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`);
  if (response.status !== 200) throw new Error(`a scrape is answered ${response.status}`);
  return response.text();
}

export function familiesIn(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!);
}

/** The value of the series that has at least these labels. */
export function sampleOf(text: string, name: string, labels: Record<string, string>) {
  for (const line of text.split("\n")) {
    const [, metricName, written = "", value] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (metricName !== name) continue;
    const matchesLabels = Object.entries(labels).every(([key, condition]) =>
      written.includes(`${key}="${condition}"`),
    );
    if (matchesLabels) return Number(value);
  }
  return undefined;
}
