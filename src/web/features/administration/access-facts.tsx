// When and how a user signed in last, for administrators.
import { type AccountAccess, fetchAccess } from "../../api/administration-calls.ts";
import { sync } from "../../sync/session.ts";
import { subscribe, getState } from "../../store/store.ts";
import { useRequest } from "../../ui/loading/use-request.ts";
import { formatMoment } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import type { Person } from "../people/state.ts";
import { canManageAccount } from "./permissions.ts";

const lastOf = ({ last_sign_in }: AccountAccess): string =>
  last_sign_in === null ? t("sign-in-unknown") : formatMoment(last_sign_in);

export function AccessFacts({ access }: { access: AccountAccess }) {
  const { sessions, apps, has_second_factor } = access;
  return (
    <div class="profile">
      <dl>
        <dt>{t("last-sign-in")}</dt>
        <dd>{lastOf(access)}</dd>
        <dt>{t("signed-in-at")}</dt>
        <dd>{t("signed-in-counts", { sessions, apps })}</dd>
        <dt>{t("two-factor-state")}</dt>
        <dd>{t(has_second_factor ? "two-factor-on" : "two-factor-off")}</dd>
      </dl>
    </div>
  );
}

/** The last sign-in, for cards and profiles. Shows nothing to users who may not see it. */
export function LastSignIn({ person }: { person: Person }) {
  subscribe("users");
  const canManage = canManageAccount(getState(), person);
  const { user_id } = person;
  const access = useRequest(canManage ? user_id : undefined, (signal) =>
    fetchAccess(sync, { user_id }, { signal }),
  );
  return access ? (
    <p class="people-fact">{t("last-sign-in-at", { when: lastOf(access) })}</p>
  ) : null;
}
