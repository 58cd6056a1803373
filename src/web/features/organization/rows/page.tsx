// A page of organization settings in rows, with additional content.
import type { ComponentType } from "preact";
import { OrganizationPictures } from "./icon-view.tsx";
import { OrganizationRows } from "./row-view.tsx";
import { ORGANIZATION_PAGES } from "./table.ts";
import { TryWelcome } from "./try-welcome.tsx";
import { KeptByChannels } from "./retention-view.tsx";

type OrganizationPage = keyof typeof ORGANIZATION_PAGES;

/** Content before and after the rows. */
const BESIDE: Partial<Record<OrganizationPage, { before?: ComponentType; after?: ComponentType }>> =
  {
    profile: { before: OrganizationPictures },
    joining: { after: TryWelcome },
    retention: { after: KeptByChannels },
  };

export function RowsPage({ page, at }: { page: OrganizationPage; at?: string | undefined }) {
  const { before: Before, after: After } = BESIDE[page] ?? {};
  return (
    <>
      {Before && <Before />}
      <OrganizationRows sections={ORGANIZATION_PAGES[page]} at={at} />
      {After && <After />}
    </>
  );
}
