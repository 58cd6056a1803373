// Settings of this device, stored if the browser allows it, else for this tab.
import { effect, type Signal, signal } from "@preact/signals";

/** `fits`: invalid values, for example of an earlier version, are ignored. */
export function deviceSetting<T>(
  name: string,
  first: T,
  fits: (value: unknown) => value is T,
): Signal<T> {
  const key = `skein:${name}`;
  const stored = signal(readStored(key, first, fits));
  let isFirst = true;
  effect(() => {
    const text = JSON.stringify(stored.value);
    if (!isFirst) writeStored(key, text);
    isFirst = false;
  });
  return stored;
}

/** A setting with a few possible values. The first one is the default. */
export function deviceChoice<T extends string>(name: string, all: readonly T[]): Signal<T> {
  return deviceSetting(name, all[0]!, (value): value is T => all.some((item) => item === value));
}

function readStored<T>(key: string, first: T, fits: (value: unknown) => value is T): T {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    return fits(value) ? value : first;
  } catch {
    return first;
  }
}

function writeStored(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Storage is blocked or full, so the value is lost with the tab.
  }
}

export const isNumber = (value: unknown): value is number => typeof value === "number";
export const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
export const isText = (value: unknown): value is string => typeof value === "string";
export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");
