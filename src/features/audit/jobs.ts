// Records changes by background jobs as made by a job.
import type { DueKinds, DueWork, Round } from "../../runner/runner.ts";
import { actAs } from "../../server/actor.ts";

export function jobsWithActor(kinds: DueKinds): DueKinds {
  const withActor = (kind: string, work: DueWork): DueWork => {
    return (realm, job) => actAs(actorOfJob(kind), () => work(realm, job));
  };
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, work]) => {
      if (typeof work !== "object") return [kind, withActor(kind, work)];
      return [kind, { ...work, run: withActor(kind, work.run) }];
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
