import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { startRegisterServer } from '@heliograph/dev-env/modbus';
import { openPty } from '@heliograph/dev-env/serial';
import { systemClock } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { parseBusAddress } from '../bus/address.ts';
import { family as deye } from '../drivers/deye/index.ts';
import { SINGLE } from '../drivers/deye/testing/registers.ts';
import { bankOf } from '../drivers/deye/testing/rtu-inverter.ts';
import { PI17_FORMAT } from '../drivers/pi17/protocol.ts';
import { realAnswers as realPi17Answers } from '../drivers/pi17/testing/plugged-in.ts';
import { CHECKED_FORMAT } from '../drivers/pi18/protocol.ts';
import { realAnswers as realPi18Answers } from '../drivers/pi18/testing/plugged-in.ts';
import { escapedCheckBytes, plainCheckBytes } from '../drivers/voltronic/check-bytes.ts';
import { loadFamilies } from '../families/families.ts';
import { attemptsAt } from './attempts.ts';
import { connectionEntry } from './connection-entry.ts';
import { probeBus } from './probe-bus.ts';

/** An inverter with a serial number of its own. */
function inverterWith(serialDigits: number) {
  const contents = new Map(SINGLE);
  contents.set(7, serialDigits);
  return bankOf(contents);
}

/** In a frame of Modbus TCP. */
const UNIT_AT = 6;

/** The connection entries that a probe prints of a bus with inverters at these units. @param serials their last digits by unit, as a register */
async function entriesAt(serials: Readonly<Record<number, number>>) {
  const server = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    readRange: (unit, address, count) => {
      const digits = serials[unit];
      return digits === undefined ? undefined : inverterWith(digits).readRange(unit, address, count);
    },
    write: () => expect.fail('a probe writes nothing'),
  });
  const bus = `modbus-tcp://127.0.0.1:${server.port}`;
  const { findings } = await probeBus(attemptsAt(parseBusAddress(bus), [deye], undefined), systemClock);
  await server.stop();
  return findings.map((finding) => ({ ...connectionEntry(finding), bus: 'its bus' }));
}

it('each of two inverters on one bus is listed with its unit, as a configuration requires it', async () => {
  expect(await entriesAt({ 1: 0x3130, 2: 0x3131 })).toEqual([
    { driver: 'deye', bus: 'its bus', unit: 1 },
    { driver: 'deye', bus: 'its bus', unit: 2 },
  ]);
});

it('the only inverter on a bus is listed without its usual unit', async () => {
  expect(await entriesAt({ 1: 0x3130 })).toEqual([{ driver: 'deye', bus: 'its bus' }]);
});

it('an inverter that answers at two units is listed once, without a unit', async () => {
  expect(await entriesAt({ 1: 0x3130, 2: 0x3130 })).toEqual([{ driver: 'deye', bus: 'its bus' }]);
});

it('a unit that keeps silent is tried for two families, not for each', async () => {
  const families = [...(await loadFamilies()).values()];
  const requests: number[] = [];
  const server = createServer((socket) => {
    socket.on('data', (bytes: Buffer) => requests.push(bytes.readUInt8(UNIT_AT)));
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const attempts = attemptsAt(parseBusAddress(`modbus-tcp://127.0.0.1:${port}`), families, undefined);
  const soon = { answerMs: 20, silenceMs: 20, recognitionMs: 1_000 };
  const { findings, notes } = await probeBus(attempts, systemClock, soon);
  expect(findings).toEqual([]);
  expect(notes).toContain('sungrow: no answer');
  expect(requests.filter((unit) => unit === 1)).toHaveLength(2);
  server.close();
});

it('inverters of Voltronic are looked for before families whose requests they would keep in their line', async () => {
  const families = [...(await loadFamilies()).values()];
  const attempts = attemptsAt(parseBusAddress('serial:///dev/a'), families, undefined);
  expect(attempts.slice(0, 3).map(({ family }) => family.name)).toEqual(['pi17', 'pi18', 'pi30']);
});

const HID_REPORT_BYTES = 8;

/** The frames of the requests in what a program sends: over USB each report follows its number, and zeros fill it up. */
function requestsIn(bytes: Buffer, transport: 'serial' | 'hid'): readonly Buffer[] {
  const reports = Array.from({ length: Math.floor(bytes.length / (1 + HID_REPORT_BYTES)) }, (_, index) =>
    bytes.subarray(index * (1 + HID_REPORT_BYTES) + 1, (index + 1) * (1 + HID_REPORT_BYTES)),
  );
  const text = (transport === 'serial' ? bytes : Buffer.concat(reports)).toString('latin1');
  return text
    .split('\r')
    .slice(0, -1)
    .map((request) => Buffer.from(`${request.replaceAll('\0', '')}\r`, 'latin1'));
}

it.each([
  ['pi17', 'serial', PI17_FORMAT],
  ['pi18', 'serial', CHECKED_FORMAT],
  ['pi18', 'hid', CHECKED_FORMAT],
] as const)('an inverter of %s is found among all families over %s', async (name, transport, format) => {
  const families = [...(await loadFamilies()).values()];
  const answers: Readonly<Record<string, string | Buffer>> =
    name === 'pi17' ? realPi17Answers() : realPi18Answers();
  const frameOf = (text: string): Buffer => {
    const bytes = Buffer.from(text, 'latin1');
    const checkBytes = name === 'pi17' ? plainCheckBytes(bytes) : escapedCheckBytes(bytes);
    return Buffer.from([...bytes, ...checkBytes, 0x0d]);
  };
  const pty = openPty();
  let received = Buffer.alloc(0);
  let answered = 0;
  pty.line.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    const requests = requestsIn(received, transport);
    for (const request of requests.slice(answered)) {
      const command = Object.keys(answers).find((known) =>
        Buffer.from(format.queryFrame(known)).equals(request),
      );
      const answer = command === undefined ? undefined : answers[command];
      const frame =
        typeof answer === 'string'
          ? frameOf(`^D${String(answer.length + 3).padStart(3, '0')}${answer}`)
          : (answer ?? frameOf('^0'));
      const filling = transport === 'hid' ? (HID_REPORT_BYTES - (frame.length % HID_REPORT_BYTES)) % 8 : 0;
      pty.line.write(Buffer.concat([frame, Buffer.alloc(filling)]));
    }
    answered = requests.length;
  });
  const attempts = attemptsAt(parseBusAddress(`${transport}://${pty.path}`), families, undefined);
  const { findings } = await probeBus(attempts, systemClock);
  expect(findings.map(({ family }) => family.name)).toEqual([name]);
  pty.close();
});
