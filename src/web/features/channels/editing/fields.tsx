// Form fields shared by the pages for creating and changing a channel.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import {
  CHANNEL_DESCRIPTION_LENGTH_MAX,
  CHANNEL_NAME_LENGTH_MAX,
  RETENTION_FOREVER,
  TOPICS_POLICIES,
} from "../../../../features/channels/rules.ts";
import { getState } from "../../../store/store.ts";
import { TextField, type TextInputProps, FieldError } from "../../../ui/form/text-field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { IconName } from "../../../content/icon-names.ts";
import { t, type TextKey } from "../../../words/words.ts";
import { KINDS, type KindName } from "../permissions.ts";

export function NameField({ icon, ...typed }: TextInputProps & { icon: IconName }) {
  const label = t("name");
  return <TextField {...typed} {...{ label, icon }} lengthMax={CHANNEL_NAME_LENGTH_MAX} required />;
}

export function DescriptionField(descriptionProps: TextInputProps) {
  const label = t("channel-description");
  return (
    <TextField {...descriptionProps} label={label} lengthMax={CHANNEL_DESCRIPTION_LENGTH_MAX} />
  );
}

interface KindFieldProps {
  value: KindName;
  onChoose: (name: KindName) => void;
  /** Why an option cannot be selected; undefined if it can. */
  reasonAgainst: (name: KindName) => string | undefined;
}

export function KindChoice({ value, onChoose, reasonAgainst }: KindFieldProps) {
  const id = useId();
  const { people } = getState();
  const count = [...people.active.values()].filter(({ is_bot, role }) => !is_bot && role !== 600);
  return (
    <fieldset class="form">
      <legend class="label">{t("who-can-see")}</legend>
      <div class="choices">
        {KINDS.map(({ name, icon }) => {
          const reason = name === value ? undefined : reasonAgainst(name);
          return (
            <label key={name} class="choice">
              <input
                class="radio"
                type="radio"
                name={id}
                checked={name === value}
                disabled={reason !== undefined}
                onChange={() => onChoose(name)}
              />
              <b>
                <Icon name={icon} size={16} />
                {t(`kind-${name}`)}
              </b>
              <small>{reason ?? t(`kind-${name}-means`, { count: count.length })}</small>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

interface ChosenFieldProps<T> {
  value: T;
  onChange: (value: T) => void;
  /** Why the value cannot be changed; undefined if it can. */
  why?: string | undefined;
  error: string | undefined;
  /** Content beside the label. */
  beside?: ComponentChildren;
}

export function FolderField({ value, ...rest }: ChosenFieldProps<number | null>) {
  const folders = [...getState().channels.folders.values()]
    .filter(({ is_archived, id }) => !is_archived || id === value)
    .sort((a, b) => a.order - b.order);
  return (
    <Select
      label={t("folder")}
      value={`${value ?? ""}`}
      options={[
        ["", t("in-no-folder")],
        ...folders.map(({ id, name }) => [`${id}`, name] as const),
      ]}
      {...rest}
      onChange={(text) => rest.onChange(text === "" ? null : Number(text))}
    />
  );
}

const POLICY_WORDS: Readonly<Record<(typeof TOPICS_POLICIES)[number], TextKey>> = {
  inherit: "organization-default",
  allow_empty_topic: "topics-allow",
  disable_empty_topic: "topics-disable",
  empty_topic_only: "topics-only",
};

/**
 * Selects whether messages need a topic. Users without the permission can still select the
 * organization's default.
 */
export function TopicsField({
  value,
  canChange,
  ...rest
}: ChosenFieldProps<string> & { canChange: boolean }) {
  const unnamed = String(getState().organization.fields["realm_empty_topic_display_name"] ?? "");
  const policies = TOPICS_POLICIES.filter(
    (policy) => canChange || policy === "inherit" || policy === value,
  );
  return (
    <Select
      label={t("topics")}
      value={value}
      options={policies.map((policy) => [policy, t(POLICY_WORDS[policy], { unnamed })] as const)}
      {...rest}
      why={canChange ? undefined : t("delete-policy-not-allowed")}
      isFixed={policies.length === 1}
    />
  );
}

/** Suggested numbers of days. If another client has set a different number, that is listed too. */
const RETENTION_DAYS = [7, 30, 90, 180, 365, 730];

export function RetentionField({ value, ...rest }: ChosenFieldProps<number | null>) {
  const days =
    value === null || value === RETENTION_FOREVER ? RETENTION_DAYS : [...RETENTION_DAYS, value];
  const options = [...new Set(days)]
    .sort((a, b) => a - b)
    .map((count) => [`${count}`, t("retention-days", { count })] as const);
  return (
    <Select
      label={t("retention-keep-for")}
      value={value === null ? "" : `${value}`}
      options={[
        ["", t("organization-default")],
        [`${RETENTION_FOREVER}`, t("retention-forever")],
        ...options,
      ]}
      {...rest}
      onChange={(text) => rest.onChange(text === "" ? null : Number(text))}
    />
  );
}

interface SelectFieldProps extends ChosenFieldProps<string> {
  label: string;
  options: readonly (readonly [string, string])[];
  isFixed?: boolean;
}

function Select(props: SelectFieldProps) {
  const { label, value, options, onChange, why, error, beside } = props;
  const id = useId();
  return (
    <div class="option-field">
      <div class="option-row">
        <FieldLabel {...{ id, label, why, beside }} />
        <span class="field">
          <select
            id={id}
            value={value}
            disabled={props.isFixed ?? why !== undefined}
            aria-describedby={`${id}-why ${id}-wrong`}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          >
            {options.map(([key, text]) => (
              <option key={key} value={key}>
                {text}
              </option>
            ))}
          </select>
        </span>
      </div>
      <FieldError id={`${id}-wrong`} text={error} />
    </div>
  );
}

interface Naming extends Pick<ChosenFieldProps<unknown>, "why" | "beside"> {
  id: string;
  label: string;
}

/** The chosen value, and why it cannot be changed. */
function FieldLabel({ id, label, why, beside }: Naming) {
  return (
    <div>
      <label for={id}>{label}</label> {beside}
      {why !== undefined && (
        <p class="hint" id={`${id}-why`}>
          {why}
        </p>
      )}
    </div>
  );
}

export function SwitchField(props: ChosenFieldProps<boolean> & { label: string }) {
  const { label, value, onChange, why, error, beside } = props;
  const id = useId();
  return (
    <div class="option-field">
      <div class="option-row">
        <FieldLabel {...{ id, label, why, beside }} />
        <input
          id={id}
          class="switch"
          type="checkbox"
          role="switch"
          checked={value}
          disabled={why !== undefined}
          aria-describedby={`${id}-why ${id}-wrong`}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      </div>
      <FieldError id={`${id}-wrong`} text={error} />
    </div>
  );
}
