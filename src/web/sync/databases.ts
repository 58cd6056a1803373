/** Lets another tab upgrade or delete a database that this one has open. */
export function closeForUpgrade(_current: number, _blocked: number | null, event: Event): void {
  if (event.target instanceof IDBDatabase) event.target.close();
}
