// Storage that the browser uses for this site.

/** Number of bytes; undefined if the browser does not say. */
export async function storageBytes(): Promise<number | undefined> {
  const { storage }: Partial<Navigator> = navigator;
  return (await storage?.estimate?.())?.usage;
}
