// Invariants after a run: nothing is lost, sent twice or out of order, and all tabs agree.
import type { MutationRun } from "./play.ts";
import { REJECTED } from "./server.ts";

export function faultsOf(play: MutationRun): string[] {
  return [...play.faults, ...messageFaults(play), ...changeFaults(play), ...tabFaults(play)];
}

function messageFaults({ browser, written, loose }: MutationRun): string[] {
  const { stored } = browser.server;
  const unsure = [...browser.disk.outbox.values()].map(({ text }) => text);
  const faults: string[] = [];
  for (const texts of written) {
    for (const text of texts.filter((text) => !loose.has(text))) {
      const count = stored.filter((item) => item === text).length;
      const isStored = unsure.includes(text);
      if (isStored ? count > 1 : count !== 1) faults.push(`${text}: stored ${count} times`);
    }
    const sentTexts = stored.filter((item) => texts.includes(item) && !loose.has(item));
    const expected = texts.filter((text) => sentTexts.includes(text));
    if (`${sentTexts}` !== `${expected}`) faults.push(`order: ${sentTexts} instead of ${expected}`);
  }
  for (const { text, state } of browser.disk.outbox.values()) {
    if (state !== "refused" && state !== "unsure") faults.push(`${text} still ${state}`);
    if (state === "refused" && !text.includes(REJECTED)) faults.push(`${text} refused`);
  }
  return faults;
}

function changeFaults({ browser, contents, starred, liked, deleted }: MutationRun): string[] {
  const { messages } = browser.server;
  const faults: string[] = [];
  for (const [id, texts] of contents) {
    const message = messages.get(id);
    if (deleted.has(id) !== !message) faults.push(`${id}: deleted is ${!message}`);
    if (!message) continue;
    if (!texts.has(message.content)) faults.push(`${id}: ${message.content}, not ${[...texts]}`);
    const flags = [message.isStarred, message.isLiked];
    const expected = [starred.get(id) ?? false, liked.get(id) ?? false];
    if (`${flags}` !== `${expected}`) faults.push(`${id}: ${flags}, not ${expected}`);
  }
  for (const { change, state, method, path } of browser.disk.doings.values()) {
    if (state !== "refused") faults.push(`${method} ${path} still ${state}`);
    if (!change?.content?.includes(REJECTED)) faults.push(`${method} ${path} ${state}`);
  }
  return faults;
}

function tabFaults({ browser }: MutationRun): string[] {
  const expected = JSON.stringify([...browser.server.messages].sort(([a], [b]) => a - b));
  return browser.tabs.flatMap(({ state }, index) => {
    const there = JSON.stringify([...state].sort(([a], [b]) => a - b));
    return there === expected ? [] : [`tab ${index}: ${there} instead of ${expected}`];
  });
}
