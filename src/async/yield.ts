// Lets the event loop run between the steps of long work.

/** Resolves after the callbacks that wait in the event loop. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
