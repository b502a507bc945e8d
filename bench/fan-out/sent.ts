import { clockNow } from './clock.ts';

/** Message of the peers: one of the device's, with the time in it. */
export interface Sent {
  readonly message: string;
}

const CLOCK_VALUE = /(?<="topic":"inverter_1\/ac_output_power","value":)\d+/;

/** The message with the clock of now; as long as it was, but for a digit or two. */
export function sentNow(message: string): string {
  return message.replace(CLOCK_VALUE, String(clockNow()));
}
