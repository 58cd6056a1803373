// Translates error messages for users of other languages, as far as translations exist.
import { translations } from "./http.ts";

const sentences = () => import("../../text/refusals/refusals.ts");

translations.refusal = async (text) => {
  const [language = ""] = document.documentElement.lang.split("-");
  if (language === "" || language === "en") return text;
  return sentences().then(
    ({ refusalIn }) => refusalIn(language, text),
    () => text,
  );
};
