import { BATTERY } from '../battery-quantities.ts';
import type { DecodedUnit } from '../driver.ts';
import { type Entry, quantitiesOf, readingOf } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import { BadRecording, type Recording } from '../recording.ts';
import { pbEntries } from './pb-answer.ts';
import { acknowledgement, checkRecord, RECORD, RECORD_LENGTH, type RecordKind } from './pb-frame.ts';
import { uartEntries } from './uart-answer.ts';
import { answerData } from './uart-frame.ts';

export const UART_PROTOCOL = 'jk_bms_uart';
export const PB_PROTOCOL = 'jk_bms_pb_record';

const KIND_OFFSET = 4;
const UNIT_IDS = Array.from({ length: 16 }, (_, unit) => unit);

/** @throws BadRecording */
export function decode({ protocol, response, exchanges = [] }: Recording): readonly DecodedUnit[] {
  const answers = exchanges.map((exchange) => exchange.response_hex);
  if (response !== undefined || answers.length === 0) answers.unshift(response?.hex);
  const entries = answers.flatMap((hex) => entriesOf(bytesOf(hex), protocol));
  const model = entries.find(([quantity]) => quantity === BATTERY.modelName)?.[1];
  return [
    {
      kind: 'batteries',
      model: typeof model === 'string' ? model : null,
      quantities: quantitiesOf(entries),
      reading: readingOf(entries, 'exact'),
    },
  ];
}

function entriesOf(bytes: Uint8Array, protocol: string): readonly Entry[] {
  try {
    return protocol === UART_PROTOCOL ? uartEntries(answerData(bytes)) : recordEntries(bytes);
  } catch (error) {
    if (error instanceof BadFrame) throw new BadRecording(error.message, { cause: error });
    throw error;
  }
}

/** Over Bluetooth a record comes alone, over RS485 with its acknowledgement. */
function recordEntries(bytes: Uint8Array): readonly Entry[] {
  const kind = kindOf(bytes);
  const record = bytes.subarray(0, RECORD_LENGTH);
  checkRecord(record, kind);
  const rest = bytes.subarray(RECORD_LENGTH);
  const fits = UNIT_IDS.some((unit) => Buffer.from(acknowledgement(unit, kind)).equals(rest));
  if (rest.length > 0 && !fits) throw new BadFrame('what follows the record is not its acknowledgement');
  return pbEntries(record, kind);
}

function kindOf(bytes: Uint8Array): RecordKind {
  const kinds: readonly RecordKind[] = ['status', 'settings', 'info'];
  return kinds.find((kind) => RECORD[kind].kind === bytes[KIND_OFFSET]) ?? 'status';
}

function bytesOf(hex: string | undefined): Uint8Array {
  const digits = hex?.replace(/\s+/g, '') ?? '';
  if (digits === '') throw new BadRecording('the recording has no response in hexadecimal');
  if (!/^([0-9a-f]{2})+$/i.test(digits)) throw new BadRecording('the response is not hexadecimal');
  return Buffer.from(digits, 'hex');
}
