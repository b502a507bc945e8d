/** The fault in a status byte of an answer to 44H; 0 is none. */
const FAULT_LABELS: Readonly<Record<number, string>> = {
  1: 'below its lower limit',
  2: 'above its upper limit',
  240: 'faulty',
};

/**
 * @param what the measured value, such as `Cell 3`
 * @param status its status byte; undefined where the answer has none
 * @returns no label or one
 */
export function limitFaults(what: string, status: number | undefined): readonly string[] {
  if (status === undefined || status === 0) return [];
  return [`${what} ${FAULT_LABELS[status] ?? `in trouble (${status})`}`];
}
