// What is mounted on Bun's router itself, past the app: where its plug-ins cost over 3 % more.

/** Method and path of a row, and how many times the CPU it takes by them (`bench/against.ts`). */
export const direct = {
  "GET /events": 1.07,
  // With one sender; what many send at once costs the same in either way.
  "POST /messages": 1.05,
};
