// Storage that the browser uses for this site.

/** How many bytes; undefined: the browser does not say. */
export async function keptBytes(): Promise<number | undefined> {
  const storage = (navigator as Partial<Navigator>).storage;
  return (await storage?.estimate?.())?.usage;
}
