import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { inPieces } from '@heliograph/dev/in-pieces';
import { startRegisterServer } from '@heliograph/dev/modbus';
import { openPty } from '@heliograph/dev/serial';
import { systemClock } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { SINGLE } from '../../../test/drivers/deye/registers.ts';
import { bankOf } from '../../../test/drivers/deye/rtu-inverter.ts';
import { realAnswers as realPi17Answers } from '../../../test/drivers/pi17/plugged-in.ts';
import { realAnswers as realPi18Answers } from '../../../test/drivers/pi18/plugged-in.ts';
import { PATIENCE } from '../../../test/running.ts';
import { parseBusAddress } from '../../bus/address.ts';
import { family as deye } from '../../drivers/deye/index.ts';
import { loadFamilies } from '../../drivers/families/families.ts';
import { PI17_FORMAT } from '../../drivers/pi17/protocol.ts';
import { CHECKED_FORMAT } from '../../drivers/pi18/protocol.ts';
import { encodeBlock } from '../../drivers/victron/text-block.ts';
import { escapedCheckBytes, plainCheckBytes } from '../../drivers/voltronic/check-bytes.ts';
import { attemptsAt } from './attempts.ts';
import { connectionEntry } from './connection-entry.ts';
import { PROBE_TIMES, probeBus } from './probe-bus.ts';

/** An inverter with a serial number of its own. */
function inverterWith(serialDigits: number) {
  const contents = new Map(SINGLE);
  contents.set(7, serialDigits);
  return bankOf(contents);
}

/** In a frame of Modbus TCP. */
const UNIT_AT = 6;
/** A request for registers has so many. */
const REQUEST_BYTES = 12;

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

const HURRIED = {
  answerMs: 20,
  silenceMs: 20,
  recognitionMs: 1_000,
  knock: { silenceMs: 20, answerMs: 20, lateMs: 20, unaskedMs: 20 },
};

/** Bytes that come unasked are waited for, however busy the machine is. */
const LISTENING = { ...HURRIED, recognitionMs: 20_000, knock: { ...HURRIED.knock, unaskedMs: 20_000 } };

async function host(receive: (bytes: Buffer, socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('data', (bytes: Buffer) => receive(bytes, socket));
    socket.on('error', () => undefined);
  });
  inPieces(server).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, close: () => server.close() };
}

/** The units that requests are to; a busy host reads several in one piece. */
const unitsIn = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length / REQUEST_BYTES }, (_, index) =>
    bytes.readUInt8(index * REQUEST_BYTES + UNIT_AT),
  );

const allFamilies = [...(await loadFamilies()).values()];

it('a unit that keeps silent is tried for two families, not for each', async () => {
  const requests: number[] = [];
  const silent = await host((bytes) => requests.push(...unitsIn(bytes)));
  const address = parseBusAddress(`modbus-tcp://127.0.0.1:${silent.port}`);
  const { findings, notes } = await probeBus(
    attemptsAt(address, allFamilies, undefined),
    systemClock,
    HURRIED,
  );
  expect(findings).toEqual([]);
  expect(notes).toContain('sungrow: no answer');
  await expect.poll(() => requests.filter((unit) => unit === 1), PATIENCE).toHaveLength(2);
  silent.close();
});

/** How long a probe of all families waits at most where nothing ever comes in, by the requests that it made there. */
async function patienceWhereAllIsSilentMs(transport: string): Promise<number> {
  const pty = openPty();
  let requests = 0;
  const silent = await host(() => (requests += 1));
  pty.line.on('data', () => (requests += 1));
  const isPort = transport === 'serial' || transport === 'modbus-rtu';
  const place = isPort ? pty.path : `127.0.0.1:${silent.port}`;
  const attempts = attemptsAt(parseBusAddress(`${transport}://${place}`), allFamilies, undefined);
  const { findings, notes } = await probeBus(attempts, systemClock, HURRIED);
  expect([findings, notes.filter((note) => !note.endsWith(': no answer'))]).toEqual([[], []]);
  silent.close();
  pty.close();
  const { knock, silenceMs } = PROBE_TIMES;
  // Two requests to one unit wait for a late answer to the first one.
  return (requests + 1) * knock.silenceMs + silenceMs;
}

it.each([
  ['serial', 6_000],
  ['serial-tcp', 6_000],
  ['modbus-rtu', 6_000],
  ['modbus-rtu-tcp', 5_000],
  ['modbus-tcp', 5_000],
] as const)(
  'a probe of %s on which nothing answers has patience for less than %i ms',
  async (transport, mostMs) => {
    expect(await patienceWhereAllIsSilentMs(transport)).toBeLessThan(mostMs);
  },
);

it('an inverter is found that answers only when the next unit was asked already', async () => {
  const held: (() => void)[] = [];
  let isSlow = true;
  const slow = await host((bytes, socket) => {
    const unit = bytes.readUInt8(UNIT_AT);
    for (const answer of held.splice(0)) answer();
    isSlow &&= unit === 1;
    if (unit !== 1) return;
    const [first, count] = [bytes.readUInt16BE(UNIT_AT + 2), bytes.readUInt16BE(UNIT_AT + 4)];
    const values = inverterWith(0x3130).readRange(unit, first, count) ?? [];
    const content = Buffer.from(values.flatMap((value) => [value >> 8, value & 0xff]));
    const pdu = values.length === 0 ? Buffer.from([0x83, 2]) : Buffer.from([3, content.length, ...content]);
    const answer = Buffer.from([...bytes.subarray(0, UNIT_AT + 1), ...pdu]);
    answer.writeUInt16BE(1 + pdu.length, UNIT_AT - 2);
    if (isSlow) held.push(() => socket.write(answer));
    else socket.write(answer);
  });
  const families = allFamilies.filter(({ name }) => name === 'deye' || name === 'sunspec');
  const attempts = attemptsAt(parseBusAddress(`modbus-tcp://127.0.0.1:${slow.port}`), families, undefined);
  const { findings } = await probeBus(attempts, systemClock, { ...HURRIED, answerMs: 250 });
  expect(findings.map(({ family }) => family.name)).toEqual(['deye']);
  slow.close();
});

it('one unit is looked for with patience, whichever driver it may have', async () => {
  const requests: number[] = [];
  const silent = await host((bytes) => requests.push(...unitsIn(bytes)));
  const address = parseBusAddress(`modbus-tcp://127.0.0.1:${silent.port}`);
  const times = { ...HURRIED, knock: { ...HURRIED.knock, silenceMs: 600_000, answerMs: 600_000 } };
  const { notes } = await probeBus(attemptsAt(address, allFamilies, 7), systemClock, times);
  expect(notes).toContain('sungrow: no answer');
  await expect.poll(() => requests, PATIENCE).toEqual([7, 7]);
  silent.close();
});

it('hardware that sends by itself is found, although its bytes are noise to all others', async () => {
  const pty = openPty();
  const block = encodeBlock(
    new Map(Object.entries({ PID: '0xA053', V: '12800', I: '0', PPV: '0', CS: '0' })),
  );
  const sending = setInterval(() => pty.line.write(Buffer.from(block)), 5);
  const attempts = attemptsAt({ transport: 'serial', path: pty.path }, allFamilies, undefined);
  const { findings } = await probeBus(attempts, systemClock, LISTENING);
  expect(findings.map(({ family }) => family.name)).toEqual(['victron']);
  clearInterval(sending);
  pty.close();
});

it('a line on which something unknown sends by itself is left after a few requests', async () => {
  const pty = openPty();
  let requests = 0;
  pty.line.on('data', () => (requests += 1));
  const noise = Buffer.from(Array.from({ length: 40 }, (_, index) => 0x80 + index));
  const sending = setInterval(() => pty.line.write(noise), 5);
  const attempts = attemptsAt({ transport: 'modbus-rtu', path: pty.path }, allFamilies, undefined);
  const { findings, notes } = await probeBus(attempts, systemClock, LISTENING);
  expect(findings).toEqual([]);
  expect(notes).toContainEqual(expect.stringContaining('sends by itself'));
  expect(requests).toBeLessThan(10);
  clearInterval(sending);
  pty.close();
});

it('inverters of Voltronic are looked for before families whose requests they would keep in their line', async () => {
  const attempts = attemptsAt(parseBusAddress('serial:///dev/a'), allFamilies, undefined);
  expect(attempts.slice(0, 3).map(({ family }) => family.name)).toEqual(['pi30', 'pi17', 'pi18']);
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

it.concurrent.each([
  ['pi17', 'serial', PI17_FORMAT],
  ['pi18', 'serial', CHECKED_FORMAT],
  ['pi18', 'hid', CHECKED_FORMAT],
] as const)('an inverter of %s is found among all families over %s', async (name, transport, format) => {
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
  const attempts = attemptsAt(parseBusAddress(`${transport}://${pty.path}`), allFamilies, undefined);
  const { findings } = await probeBus(attempts, systemClock);
  expect(findings.map(({ family }) => family.name)).toEqual([name]);
  pty.close();
});
