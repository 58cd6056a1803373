// Records changes by background jobs as made by a job.
import type { DueKinds, DueWork, Round } from "../../runner/runner.ts";
import { actAs } from "../../server/actor.ts";

export function actingJobs(kinds: DueKinds): DueKinds {
  const acting = (kind: string, work: DueWork): DueWork => {
    return (realm, job) => actAs(jobCalled(kind), () => work(realm, job));
  };
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, work]) => {
      if (typeof work !== "object") return [kind, acting(kind, work)];
      return [kind, { ...work, aside: acting(kind, work.waitingJobs) }];
    }),
  );
}

export function actingRounds(rounds: readonly Round[]): Round[] {
  return rounds.map((round) => ({
    ...round,
    run: (realm) => actAs(jobCalled(round.name), () => round.run(realm)),
  }));
}

const jobCalled = (job: string) => ({ via: "job", where: { job } }) as const;
