/** Prints whether a limit was met, and the measurement. @returns whether it was met */
export function reportLimit(isWithinLimit: boolean, text: string): boolean {
  console.log(`${isWithinLimit ? 'kept' : 'MISSED'}: ${text}`);
  return isWithinLimit;
}
