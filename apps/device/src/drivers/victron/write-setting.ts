import type { MetricValue } from '@heliograph/metrics';
import { type OnSend, RejectedByHardware } from '../driver.ts';
import { exchanged } from '../exchanged.ts';
import { type ReadBackTime, type WriteSignal, writeVerified } from '../write-verified.ts';
import { encodeOrReject, type HexPort } from './hex-port.ts';
import { SERIAL_NUMBER_REGISTER } from './identity-registers.ts';
import { decodeValue } from './register-value.ts';
import { BATTERY_TYPE_REGISTER, type Register } from './registers.ts';
import { BATTERY_TYPE, USER_DEFINED } from './states.ts';

/**
 * Writes one setting and reads it back. A value that is in force already is not written, because settings are stored in
 * memory that wears.
 *
 * @param signal aborts when the caller no longer waits: a request that was not sent by then is never sent
 * @param onSend called right before the first byte of the write leaves
 * @param time of the read-backs; the system's when left out
 * @returns the value as the charger now reports it, which may be one that it chose itself
 * @throws WriteWithheld when another charger answers, or too little time is left
 * @throws RejectedByHardware when the charger refuses or keeps its old value
 * @throws LinkDown when nothing was written, WriteUnanswered when the outcome is unknown
 */
export async function writeSetting(
  port: HexPort,
  register: Register,
  value: number | string,
  {
    signal,
    onSend,
    serialNumber,
    time,
  }: {
    /** The charger's, as polls know it; undefined where no register has it. */
    readonly serialNumber?: MetricValue | undefined;
    readonly signal?: WriteSignal | undefined;
    readonly onSend?: OnSend | undefined;
    readonly time?: ReadBackTime | undefined;
  } = {},
): Promise<MetricValue> {
  const { name } = register.quantity;
  if (register.userDefined) await mustBeUserDefined(port, name);
  const old = await port.get(register);
  if (old === undefined)
    throw new RejectedByHardware(`the charger no longer tells its ${name}, so it was not written`, {
      reason: 'unreadable',
    });
  await requireSameUnit(port, serialNumber);
  if (old === value && signal?.isContested !== true) return old;
  // The value as the register holds it, rounded to its counts.
  const expected = decodeValue(register, encodeOrReject(register, value));
  const now = await writeVerified<MetricValue | undefined>({
    name,
    before: old,
    alreadyInForce: old === expected,
    isInForce: (state) => state === expected,
    isUnchanged: (state) => state === old,
    send: async (requireTime) => {
      await port.set(register, value, { signal, requireTime, onSend: () => onSend?.(old) });
      return undefined;
    },
    read: () => port.get(register),
    rejection: () =>
      new RejectedByHardware(`the charger kept ${name} at ${old} and did not take ${value}`, {
        reason: 'kept',
      }),
    signal,
    roundTripMs: port.roundTripMs,
    time,
  });
  return now ?? null;
}

/** A serial number that is refused for a moment stops no write. @throws WriteWithheld */
async function requireSameUnit(port: HexPort, serialNumber: MetricValue | undefined): Promise<void> {
  if (serialNumber === undefined) return;
  const now = (await port.getText(SERIAL_NUMBER_REGISTER)) ?? serialNumber;
  if (now !== serialNumber)
    throw exchanged(now, serialNumber, `the charger is now ${now}, not ${serialNumber}`);
}

/** With a battery type of its own the charger uses that type's voltages, whatever is written. */
async function mustBeUserDefined(port: HexPort, name: string): Promise<void> {
  const type = await port.get(BATTERY_TYPE_REGISTER);
  if (type === BATTERY_TYPE[USER_DEFINED]) return;
  const present = type === undefined ? 'it no longer tells that type' : `it is "${type}"`;
  throw new RejectedByHardware(
    `the charger takes ${name} only while its battery type is "${BATTERY_TYPE[USER_DEFINED]}", and ${present}`,
    { reason: 'read_only' },
  );
}
