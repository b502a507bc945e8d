/** CID2 of the requests that only read. The two that write (94H, 95H) switch a battery off and are left alone. */
export const COMMAND = {
  analog: 0x42,
  alarms: 0x44,
  systemParameters: 0x47,
  protocolVersion: 0x4f,
  manufacturer: 0x51,
  management: 0x92,
  serialNumber: 0x93,
  firmware: 0x96,
} as const;

export type Command = (typeof COMMAND)[keyof typeof COMMAND];

/** The master of the first group; its slaves follow, those of the next group are 0x10 higher. */
export const MASTER_ADDRESS = 2;

/** INFO of a request that all modules of the group are meant by; known to 42H and 44H. */
export const ALL_MODULES = 0xff;

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
