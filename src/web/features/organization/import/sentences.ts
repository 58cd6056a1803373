// Translates the sentences in reports, which the server writes in English.
import { signal } from "@preact/signals";
import { ownLanguage } from "../../../words/dates.ts";
import { baseOf } from "../../../words/words.ts";

interface LoadedSentences {
  readonly language: string;
  translate(text: string): string;
}

const ENGLISH = "en";
const english: LoadedSentences = { language: ENGLISH, translate: (text) => text };
const loaded = signal(english);
let loading = ENGLISH;

const current = () => baseOf(ownLanguage());

/** Resolves when `sentence` uses the language of the page, if its translations can be loaded. */
export async function loadSentences(): Promise<void> {
  const language = current();
  loading = language;
  const translations = language === ENGLISH ? english : await translationsIn(language);
  // The language may have changed meanwhile.
  if (loading === language) loaded.value = translations;
}

const translationsIn = (language: string): Promise<LoadedSentences> =>
  import("../../../../text/refusals/import-sentences.ts").then(
    ({ importSentenceIn }) => ({
      language,
      translate: (text: string) => importSentenceIn(language, text),
    }),
    () => ({ ...english, language }),
  );

/** The sentence in the user's language, as far as it is loaded. */
export function sentence(text: string): string {
  const { language, translate } = loaded.value;
  if (language !== current() && loading !== current()) void loadSentences();
  return translate(text);
}
