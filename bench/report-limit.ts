/** Says whether a limit was kept, and what was measured. @returns whether it was */
export function reportLimit(isWithinLimit: boolean, text: string): boolean {
  console.log(`${isWithinLimit ? 'kept' : 'MISSED'}: ${text}`);
  return isWithinLimit;
}
