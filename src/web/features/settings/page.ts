// A page of the settings or of the organization.
import type { ComponentType } from "preact";
import type { IconName } from "../../content/icon-names.ts";
import type { Word } from "../../words/words.ts";

export interface SettingsPart {
  readonly name: string;
  /** Names of the part in URLs of other clients of the protocol. */
  readonly also?: readonly string[];
  readonly words: Word;
  /** Describes the content in the first sentence. Searches match it. */
  readonly about: Word;
  readonly icon: IconName;
  /** Whether the user sees the page. If absent, everyone does. */
  readonly sees?: () => boolean;
  /** `at`: the element of the page in the URL. */
  readonly Body: ComponentType<{ at?: string | undefined }>;
}
