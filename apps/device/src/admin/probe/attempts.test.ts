import { openPty } from '@heliograph/dev/serial';
import { systemClock } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { parseBusAddress } from '../../bus/address.ts';
import { loadFamilies } from '../../drivers/families/families.ts';
import { attemptsAt } from './attempts.ts';
import { probeBus } from './probe-bus.ts';

const all = [...(await loadFamilies()).values()];
const named = (name: string) => all.filter((family) => family.name === name);

/** The attempts, as `family speed: targets`. */
function tried(families: typeof all, address: string, unit?: number): readonly string[] {
  return attemptsAt(parseBusAddress(address), families, unit).map(({ family, address: at, targets }) => {
    const speed = 'baudRate' in at ? ` ${at.baudRate}` : '';
    const what = targets.map((target) => target.options.protocol ?? target.unit ?? 'usual');
    return `${family.name}${speed}: ${what.join(' ')}`;
  });
}

it.each([
  ['pylontech', 'serial:///dev/a', undefined, ['pylontech 115200: usual', 'pylontech 9600: usual']],
  ['pylontech', 'serial:///dev/a?baud=9600', undefined, ['pylontech 9600: usual']],
  ['pylontech', 'serial-tcp://h:1', 18, ['pylontech: 18']],
  [
    'sunspec',
    'modbus-rtu:///dev/a',
    undefined,
    ['sunspec 9600: usual 71 126 2 3 200', 'sunspec 19200: usual', 'sunspec 115200: usual'],
  ],
  ['deye', 'modbus-tcp://h', undefined, ['deye: usual 2 3']],
  ['deye', 'modbus-tcp://h', 7, ['deye: 7']],
  ['victron', 'serial:///dev/a', 7, ['victron 19200: usual']],
  ['pi30', 'serial:///dev/a', 7, ['pi30 2400: usual']],
  ['jk', 'serial:///dev/a', undefined, ['jk 115200: usual pb']],
  ['pace', 'serial:///dev/a', undefined, ['pace 9600: usual 0']],
  ['seplos-v2', 'serial:///dev/a', undefined, ['seplos-v2 19200: usual', 'seplos-v2 9600: usual']],
  ['daly', 'serial:///dev/a', 3, ['daly 9600: 3']],
  ['daly-d2', 'modbus-rtu:///dev/a', undefined, ['daly-d2 9600: usual']],
] as const)('%s is looked for at %s, unit %s', (name, address, unit, expected) => {
  expect(tried(named(name), address, unit)).toEqual(expected);
});

it('a probe goes on where other hardware sends without a pause', async () => {
  const pty = openPty();
  const speaking = setInterval(() => pty.line.write('noise'), 1);
  const soon = {
    answerMs: 30,
    silenceMs: 30,
    recognitionMs: 1_000,
    knock: { silenceMs: 20, answerMs: 20, lateMs: 20, unaskedMs: 20 },
  };
  const attempts = attemptsAt({ transport: 'modbus-rtu', path: pty.path }, named('sunspec'), undefined);
  expect(await probeBus(attempts, systemClock, soon)).toEqual({
    findings: [],
    notes: expect.arrayContaining(['sunspec: no answer']),
  });
  clearInterval(speaking);
  pty.close();
});

it('a probe sends nothing that other hardware may take for a write, unless one family alone is looked for', async () => {
  expect(tried(all, 'serial:///dev/a')).toContain('jk 115200: usual');
  const pty = openPty();
  let sent = Buffer.alloc(0);
  pty.line.on('data', (bytes: Buffer) => {
    sent = Buffer.concat([sent, bytes]);
  });
  const soon = {
    answerMs: 20,
    silenceMs: 20,
    recognitionMs: 1_000,
    knock: { silenceMs: 20, answerMs: 20, lateMs: 20, unaskedMs: 20 },
  };
  const attempts = attemptsAt({ transport: 'serial', path: pty.path }, all, undefined);
  expect(await probeBus(attempts, systemClock, soon)).toMatchObject({ findings: [] });
  pty.close();
  // Not which requests: a port that is opened at another speed drops what was not read before.
  expect(sent.length).toBeGreaterThan(0);
  // Function 16 of unit 1, at the register by which a JK-PB is asked for its values.
  expect(sent.includes(Buffer.from([1, 0x10, 0x16, 0x20]))).toBe(false);
});
