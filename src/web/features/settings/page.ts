// A page of the settings or of the organization.
import type { ComponentType } from "preact";
import type { IconName } from "../../content/icon-names.ts";
import type { TextKey } from "../../words/words.ts";

export interface SettingsPageEntry {
  readonly name: string;
  /** Names of the part in URLs of other clients of the protocol. */
  readonly also?: readonly string[];
  readonly textKey: TextKey;
  /** Describes the content in the first sentence. Searches match it. */
  readonly about: TextKey;
  readonly icon: IconName;
  /** Whether the user sees the page. If absent, everyone does. */
  readonly isVisible?: () => boolean;
  /** `anchor`: the element of the page in the URL. */
  readonly Body: ComponentType<{ anchor?: string | undefined }>;
}
