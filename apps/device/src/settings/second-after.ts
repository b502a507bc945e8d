/** The first whole second that is not before a moment. @param atMs since the epoch @returns ISO 8601 */
export function secondAfter(atMs: number): string {
  return new Date(Math.ceil(atMs / 1000) * 1000).toISOString().replace('.000', '');
}
