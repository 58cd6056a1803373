// A page of rows of the organization, with what belongs to it besides.
import type { ComponentType } from "preact";
import { OrganizationPictures } from "./icon-view.tsx";
import { OrganizationRows } from "./row-view.tsx";
import { ORGANIZATION_PAGES } from "./table.ts";
import { TryWelcome } from "./try-welcome.tsx";
import { KeptByChannels } from "./kept-view.tsx";

type Name = keyof typeof ORGANIZATION_PAGES;

/** Before the rows, and after them. */
const BESIDE: Partial<Record<Name, { before?: ComponentType; after?: ComponentType }>> = {
  profile: { before: OrganizationPictures },
  joining: { after: TryWelcome },
  retention: { after: KeptByChannels },
};

export function RowsPage({ page, at }: { page: Name; at?: string | undefined }) {
  const { before: Before, after: After } = BESIDE[page] ?? {};
  return (
    <>
      {Before && <Before />}
      <OrganizationRows sections={ORGANIZATION_PAGES[page]} at={at} />
      {After && <After />}
    </>
  );
}
