import { AnswerReader } from '../answer-reader.ts';
import { decodeCommands } from '../ascii-frame/battery-command.ts';
import { decodedBattery } from '../battery-unit.ts';
import type { DecodedUnit } from '../driver.ts';
import { exchangesIn, parseRecorded } from '../recorded-exchanges.ts';
import type { Recording } from '../recording.ts';
import { bluetoothData } from './bluetooth-frame.ts';
import { COMMAND } from './commands.ts';
import { takeTelemetry } from './telemetry.ts';

export const RS485_PROTOCOL = 'seplos_v2_rs485';
export const BLUETOOTH_PROTOCOL = 'seplos_v2_ble';

/** @throws BadRecording */
export function decode(recording: Recording): readonly DecodedUnit[] {
  if (recording.protocol !== BLUETOOTH_PROTOCOL) return decodeCommands(recording, Object.values(COMMAND));
  // Behind the measured values stand alarms in a form of which too little is known.
  const entries = exchangesIn(recording).flatMap(({ response }) =>
    parseRecorded(() => takeTelemetry(new AnswerReader(bluetoothData(response)))),
  );
  return [decodedBattery(entries)];
}
