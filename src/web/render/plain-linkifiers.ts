// Replaces linkifiers: they match nothing until the server's rendering arrives.

export interface Linkified {
  start: number;
  end: number;
  url: string;
}

export function* linkified(): Generator<Linkified> {}
