// A page of organization settings in rows, with additional content.
import type { ComponentType } from "preact";
import { OrganizationPictures } from "./icon-view.tsx";
import { OrganizationRows } from "./row-view.tsx";
import { ORGANIZATION_ROW_PAGES } from "./table.ts";
import { TestWelcomeMessage } from "./try-welcome.tsx";
import { ChannelRetention } from "./retention-view.tsx";

type OrganizationPage = keyof typeof ORGANIZATION_ROW_PAGES;

/** Content before and after the rows. */
const EXTRA_CONTENT: Partial<
  Record<OrganizationPage, { before?: ComponentType; after?: ComponentType }>
> = {
  profile: { before: OrganizationPictures },
  joining: { after: TestWelcomeMessage },
  retention: { after: ChannelRetention },
};

export function RowsPage({
  page,
  anchor,
}: {
  page: OrganizationPage;
  anchor?: string | undefined;
}) {
  const { before: Before, after: After } = EXTRA_CONTENT[page] ?? {};
  return (
    <>
      {Before && <Before />}
      <OrganizationRows sections={ORGANIZATION_ROW_PAGES[page]} anchor={anchor} />
      {After && <After />}
    </>
  );
}
