// What the DNS says about who may send mail from a domain.
import { Resolver } from "node:dns/promises";

export interface MailRecords {
  /** "" where there is none; undefined: nobody answers. */
  readonly spf: string | undefined;
  readonly dmarc: string | undefined;
}

const ANSWER_MS = 3_000;
const NONE = new Set(["ENODATA", "ENOTFOUND"]);

export async function mailRecords(domain: string): Promise<MailRecords> {
  const resolver = new Resolver({ timeout: ANSWER_MS, tries: 1 });
  const beginning = async (name: string, start: string) => {
    try {
      const texts = await resolver.resolveTxt(name);
      return texts.map((parts) => parts.join("")).find((text) => text.startsWith(start)) ?? "";
    } catch (error) {
      return NONE.has((error as { code?: string }).code ?? "") ? "" : undefined;
    }
  };
  const [spf, dmarc] = await Promise.all([
    beginning(domain, "v=spf1"),
    beginning(`_dmarc.${domain}`, "v=DMARC1"),
  ]);
  return { spf, dmarc };
}
