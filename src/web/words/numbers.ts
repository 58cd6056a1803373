// Numbers as the person's language writes them.

/** `10,004`, or `10.004`. */
export const formatCount = (count: number): string =>
  count.toLocaleString(document.documentElement.lang || "en");
