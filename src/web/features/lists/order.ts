// The order of names, as the language has it: a collator that is made once is many times quicker.

const collator = new Intl.Collator(undefined, { sensitivity: "base", numeric: true });

export const compareNames = (a: string, b: string): number => collator.compare(a, b);
