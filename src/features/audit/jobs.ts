// Records changes by background jobs as made by a job.
import type { DueKinds, DueWork, Round } from "../../runner/runner.ts";
import { actAs } from "../../server/actor.ts";

export function jobsWithActor(kinds: DueKinds): DueKinds {
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, dueKind]) => {
      const run: DueWork = (realm, job) => actAs(actorOfJob(kind), () => dueKind.run(realm, job));
      return [kind, { ...dueKind, run }];
    }),
  );
}

export function roundsWithActor(rounds: readonly Round[]): Round[] {
  return rounds.map((round) => ({
    ...round,
    run: (realm) => actAs(actorOfJob(round.name), () => round.run(realm)),
  }));
}

const actorOfJob = (job: string) => ({ via: "job", where: { job } }) as const;
