// Shows before a change of a channel which users would gain or lose access.
import { getState } from "../../../store/store.ts";
import { t } from "../../../words/words.ts";
import { personOf } from "../../people/state.ts";
import type { KnownChannel } from "../state.ts";
import {
  type AudienceSettings,
  type AudienceChange,
  changeBetween,
  audienceOf,
} from "./audience.ts";

const NAMES_MAX = 5;

export function AudienceChangeNote({
  change,
  isEarlierHidden = false,
}: {
  change: AudienceChange;
  /** New members cannot read older messages. */
  isEarlierHidden?: boolean;
}) {
  const { gained: gain, lostIds: lose, hidden: blind } = change;
  const isSame = gain.length + lose.length + blind.length === 0;
  return (
    <div class="shift" role="status">
      <ul>
        {isSame && <li>{t("audience-unchanged")}</li>}
        {gain.length > 0 && <li>{t("audience-gain-access", namesOf(gain))}</li>}
        {lose.length > 0 && <li>{t("audience-lose-access", namesOf(lose))}</li>}
        {blind.length > 0 && <li>{t("audience-lose-sight", namesOf(blind))}</li>}
        {isEarlierHidden && <li>{t("audience-history-hidden")}</li>}
      </ul>
    </div>
  );
}

function namesOf(ids: readonly number[]): { count: number; names: string } {
  const { people } = getState();
  const names = ids.slice(0, NAMES_MAX).map((id) => personOf(people, id)?.full_name ?? "");
  const more = ids.length - names.length;
  const list = more > 0 ? [...names, t("and-more", { count: more })] : names;
  const format = new Intl.ListFormat(document.documentElement.lang || "en");
  return { count: ids.length, names: format.format(list) };
}

/** Computes the change from the known members. It is exact once all members are loaded. */
export function audienceChangeOf(channel: KnownChannel, change: Partial<AudienceSettings>) {
  const subscribers = channel.subscribers ?? new Set<number>();
  const open: AudienceSettings = channel.row;
  const state = getState();
  const before = audienceOf(state, open, subscribers);
  return changeBetween(before, audienceOf(state, { ...open, ...change }, subscribers));
}
