// A topic's name, with the sign of resolved topics instead of their prefix.
import { Icon } from "../../ui/icon.tsx";
import { t } from "../../words/words.ts";
import { topicName } from "../conversation/selectors.ts";
import { isResolved, unresolved } from "../topics/rules.ts";

export function TopicName({ topic, ...attributes }: { topic: string; class?: string }) {
  const isDone = isResolved(topic);
  return (
    <>
      {isDone && <Icon name="resolve" size={16} />}
      <bdi {...attributes}>{topicName(unresolved(topic))}</bdi>
      {isDone && <span class="vh">{t("resolved")}</span>}
    </>
  );
}
