/** Says whether a limit was kept, and what was measured. @returns whether it was */
export function told(kept: boolean, text: string): boolean {
  console.log(`${kept ? 'kept' : 'MISSED'}: ${text}`);
  return kept;
}
