import { decodedBattery } from '../battery-unit.ts';
import type { DecodedUnit } from '../driver.ts';
import type { Entry } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import { type ByteExchange, exchangesIn, parseRecorded } from '../recorded-exchanges.ts';
import type { Recording } from '../recording.ts';
import { COMMAND } from './dd-commands.ts';
import { ddData, requestedCommand } from './dd-frame.ts';
import { encodeUpRequest, PACK_STATUS, upData } from './up-frame.ts';
import { parsePackStatus } from './up-status.ts';

export const DD_PROTOCOL = 'jbd_dd';
export const UP_PROTOCOL = 'jbd_up_78';

/** @throws BadRecording */
export function decode(recording: Recording): readonly DecodedUnit[] {
  const exchanges = exchangesIn(recording);
  if (recording.protocol !== UP_PROTOCOL)
    return [decodedBattery(exchanges.flatMap((exchange) => parseRecorded(() => ddEntries(exchange))))];
  // Each pack of a bus is a battery.
  const byUnit = Map.groupBy(exchanges, ({ request }) => request[0] ?? 0);
  return [...byUnit.values()].map((ofUnit) =>
    decodedBattery(ofUnit.flatMap((exchange) => parseRecorded(() => upEntries(exchange)))),
  );
}

function ddEntries({ request, response }: ByteExchange): readonly Entry[] {
  const code = requestedCommand(request);
  const command = Object.values(COMMAND).find((known) => known.code === code);
  if (command === undefined) throw new BadFrame(`the request is of an unknown kind (${code.toString(16)})`);
  return command.parse(ddData(response, code));
}

function upEntries({ request, response }: ByteExchange): readonly Entry[] {
  const [unit = 0] = request;
  if (Buffer.compare(request, encodeUpRequest(unit, PACK_STATUS)) !== 0)
    throw new BadFrame('the request is not one for the values of a pack');
  return parsePackStatus(upData(response, unit, PACK_STATUS));
}
