/** The return code of an answer that is no refusal. */
export const NORMAL = 0;

const REFUSALS: Readonly<Record<number, string>> = {
  1: 'the battery does not speak this version of the protocol',
  2: 'the battery received a wrong checksum',
  3: 'the battery received a wrong checksum of the length',
  4: 'the battery does not know this command',
  5: 'the battery does not take the command in this form',
  6: 'the battery does not take what the command asks for',
  144: 'no battery has this address',
  145: 'the master cannot reach this battery',
};

/** @param code the return code of an answer, other than 0 */
export function refusalText(code: number): string {
  const number = code.toString(16).toUpperCase().padStart(2, '0');
  return `${REFUSALS[code] ?? 'the battery refuses'} (return code ${number})`;
}
