/** The version of the protocol that is requested. */
export const VERSION = 0x20;

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
