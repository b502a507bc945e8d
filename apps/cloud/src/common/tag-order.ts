/** As the collation `natural_order` of the database. */
const TAG_ORDER = new Intl.Collator('en', { numeric: true });

/** Tags in the order of names: former releases stored them as they were typed. */
export function inTagOrder(tags: readonly string[]): string[] {
  return tags.toSorted(TAG_ORDER.compare);
}
