// Routes that are registered with Bun's router directly, because the plugins would cost more than
// 3 %.

/**
 * Method and path of each route, and its relative CPU time through the plugins. `bench/direct.ts`
 * measures it with two servers of one build, in turn.
 */
export const direct = {
  "GET /events": 1.07,
  // The factor with one sender. With many concurrent senders, both ways cost the same.
  "POST /messages": 1.05,
};
