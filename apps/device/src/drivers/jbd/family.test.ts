import type { Attach } from '@heliograph/dev/serial';
import { describe, expect, it } from 'vitest';
import {
  closeLinesAfterTests,
  describeBatteryLine,
  portTo,
  readingOf,
  serverTo,
} from '../../../test/drivers/battery-line.ts';
import { capturesIn } from '../../../test/drivers/captures.ts';
import { recordedLine } from '../../../test/drivers/recorded-line.ts';
import { crc16Modbus } from '../../bus/crc16.ts';
import { NotRecognised } from '../driver.ts';
import { exchangesIn } from '../recorded-exchanges.ts';
import { encodeDdRequest } from './dd-frame.ts';
import { jbdFamily } from './family.ts';
import { encodeUpRequest, PACK_STATUS } from './up-frame.ts';

closeLinesAfterTests();

const EITHER = { unit: undefined, options: {} };
const UP = { unit: undefined, options: { protocol: 'up' } };
const family = jbdFamily({ ddMs: 400, upMs: 400 });

const recorded = (id: string) =>
  capturesIn(import.meta.dirname)
    .filter((capture) => capture.id === id)
    .flatMap(exchangesIn)
    .map(({ request, response }) => [request, response] as const);
const DD = recorded('jbd_4s_idle');
const PACK = recorded('jbd_up_16s_addr1');

describeBatteryLine('A JBD BMS with DD frames', {
  family,
  target: { unit: undefined, options: { protocol: 'dd' } },
  battery: recordedLine(DD),
  expected: {
    Voltage: 15.6,
    Current: 0,
    'State of charge': 100,
    Capacity: 5,
    'Cell voltage 1': 3.909,
    Temperature: 22.1,
    Alarms: 'None',
    'Charge MOSFET': 'On',
    'Model name': 'JBD-SP04S034-L4S-200A-B-U',
    'Firmware version': '8.0',
    'Production date': '2022-03-28',
    'Cell over voltage count': 122,
  },
  foreign: DD[1]?.[1] ?? new Uint8Array(),
  isRead: (request) => [0x03, 0x04, 0x05, 0xaa].some((code) => request.equals(encodeDdRequest(code))),
});

describeBatteryLine('A JBD BMS of the UP series', {
  family,
  target: UP,
  battery: recordedLine(PACK),
  expected: {
    Voltage: 53.17,
    Current: 0,
    'State of charge': 61,
    'Cell voltage 16': 3.322,
    Alarms: 'None',
    'Charge state': 'Idle',
    'Firmware version': '12.4',
    'Model name': 'JBD48100000',
  },
  foreign: answerOf(PACK[0]?.[1] ?? new Uint8Array(), 2),
  isRead: (request) => request.equals(encodeUpRequest(1, PACK_STATUS)),
});

/** The same answer from another unit. */
function answerOf(answer: Uint8Array, unit: number): Buffer {
  const bytes = Buffer.from(answer);
  bytes[0] = unit;
  bytes.writeUInt16LE(crc16Modbus(bytes.subarray(0, -2)), bytes.length - 2);
  return bytes;
}

describe.concurrent('jbdFamily', () => {
  it.each([
    ['with DD frames', DD, 15.6],
    ['of the UP series', PACK, 53.17],
  ])('a BMS %s is recognised without an option', async (_kind, exchanges, volts) => {
    const hardware = await family.open(await serverTo(recordedLine(exchanges), family), EITHER);
    expect(await readingOf(hardware)).toMatchObject({ Voltage: volts });
  });

  it.each([EITHER, { unit: undefined, options: { protocol: 'dd' } }])(
    'a sleeping BMS, which misses the first request, is recognised: %j',
    async (target) => {
      const awake = recordedLine(DD);
      const sleeping: Attach = (line) => {
        let detach: (() => void) | undefined;
        line.once('data', () => {
          detach = awake(line);
        });
        return () => detach?.();
      };
      const hardware = await family.open(portTo(sleeping, family), target);
      expect(await readingOf(hardware)).toMatchObject({ Voltage: 15.6 });
    },
  );

  it('a BMS without name and counts is read without them', async () => {
    const bus = await serverTo(recordedLine(DD.slice(0, 2)), family);
    const reading = await readingOf(await family.open(bus, EITHER));
    expect(reading).toMatchObject({ Voltage: 15.6, 'Cell voltage 1': 3.909 });
    expect(reading).not.toHaveProperty('Model name');
  });

  it('a Modbus device that refuses function 78 is not recognised', async () => {
    const refusal = Buffer.from('01f801', 'hex');
    const crc = Buffer.alloc(2);
    crc.writeUInt16LE(crc16Modbus(refusal));
    const device = recordedLine([[encodeUpRequest(1, PACK_STATUS), Buffer.concat([refusal, crc])]]);
    const refused = family.open(await serverTo(device, family), UP);
    await expect(refused).rejects.toThrow(NotRecognised);
    await expect(refused).rejects.toThrow('Modbus exception 1');
  });

  it('a BMS that reports an error is not recognised', async () => {
    const request = encodeDdRequest(0x03);
    const device = recordedLine([[request, Buffer.from('dd038000ff8077', 'hex')]]);
    await expect(family.open(await serverTo(device, family), EITHER)).rejects.toThrow(NotRecognised);
  });
});
