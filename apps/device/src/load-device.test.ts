import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, Env, silentLogger, systemClock } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepLastWorking } from './config/last-working.ts';
import { loadDevice } from './load-device.ts';

const GOOD = 'poll_interval_s: 7\nconnections:\n  - { driver: sunspec, bus: "modbus-tcp://127.0.0.1:1" }\n';
const isRoot = process.getuid?.() === 0;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-load-'));
  file = join(folder, 'device.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

const load = (logger = silentLogger) => loadDevice(new Env({ DEVICE_DATA: folder }), systemClock, logger);
const write = (content: string | Uint8Array) => () => writeFileSync(file, content);

describe('a configuration file that cannot be used', () => {
  const BAD: Record<string, readonly [make: () => void, message: RegExp, place?: string]> = {
    'has a name twice': [
      write(`${GOOD}poll_interval_s: 8\n`),
      /^.+device\.yaml:4:1: this name is there twice$/,
      'device.yaml:4:1',
    ],
    'is cut off': [
      write('connections:\n  - driver: sunspec\n    bus: "modbus-t'),
      /device\.yaml:3:\d+: this cannot be read as YAML/,
      'device.yaml:3:19',
    ],
    'is random bytes': [write(Uint8Array.of(0x80, 0xff, 1, 2, 3)), / is not text in UTF-8$/, 'device.yaml'],
    'is random characters': [write('\x01\x02[[[{{\n%%%\n'), /device\.yaml:\d+:\d+: /],
    'is bytes of zero': [write(new Uint8Array(4096)), / is not text: it has bytes of zero/, 'device.yaml'],
    'ends in bytes of zero': [write(`${GOOD}\0\0\0\0`), / is not text: it has bytes of zero/, 'device.yaml'],
    'is UTF-16': [write(Buffer.from(`\ufeff${GOOD}`, 'utf16le')), / is not text/, 'device.yaml'],
    'has values of wrong types': [
      write('poll_interval_s: fast\nmdns: 1\n'),
      /^.+:1:18: poll_interval_s: must be a number, not "fast"\n.+:2:7: mdns: must be true or false, not 1$/,
      'device.yaml:1:18, device.yaml:2:7',
    ],
    'has values of wrong types everywhere': [
      write('poll_interval_s: a\nmdns: 1\nregion: 1\nhistory: 1\n'),
      /:4:10: history/,
      'device.yaml:1:18, device.yaml:2:7, device.yaml:3:9',
    ],
    'names an unknown driver': [
      write('connections:\n  - { driver: sunspeck, bus: "modbus-tcp://127.0.0.1:1" }\n'),
      /device\.yaml:2:15: connections\[0\]\.driver: .*sunspec/,
      'device.yaml:2:15',
    ],
    'is empty': [write(''), / is empty \(0 bytes\), as a power cut may leave it/, 'device.yaml'],
    'is indented with tabs': [
      write('connections:\n\t- driver: sunspec\n'),
      /:2:1: lines must be indented with spaces, not with tabs$/,
      'device.yaml:2:1',
    ],
    'is a folder': [() => mkdirSync(file), / cannot be read: .*EISDIR/, 'device.yaml'],
    'is a link to itself': [() => symlinkSync(file, file), / cannot be read: .*ELOOP/, 'device.yaml'],
    'names a certificate that is not there': [
      write('mqtt: { url: "mqtts://127.0.0.1", ca_file: /nowhere/ca.pem }\n'),
      /:1:44: mqtt\.ca_file: /,
      'device.yaml:1:44',
    ],
    'names a profile with mistakes': [
      () => {
        mkdirSync(join(folder, 'profiles'));
        writeFileSync(join(folder, 'profiles', 'mine.yaml'), 'nothing: 1\n');
        writeFileSync(file, 'connections:\n  - { driver: mine, bus: "modbus-tcp://127.0.0.1:1" }\n');
      },
      /mine\.yaml:1:1: /,
      'A profile',
    ],
  };

  it.each(Object.entries(BAD))(
    'a file that %s gives way to the last that worked',
    async (_what, [make, message, place]) => {
      await keepLastWorking(folder, GOOD);
      make();
      const lines: { level: number; reason: string; msg: string }[] = [];
      const logger = createLogger('device', 'info', { write: (line) => lines.push(JSON.parse(line)) });
      const { pollIntervalMs, connections, fileFault, configText } = await load(logger);
      expect([pollIntervalMs, connections.map(({ driver }) => driver), configText]).toEqual([
        7000,
        ['sunspec'],
        GOOD,
      ]);
      expect(fileFault?.message).toMatch(message);
      expect(fileFault?.message.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
      if (place !== undefined) expect(fileFault?.place).toBe(place);
      expect(lines).toEqual([
        expect.objectContaining({
          level: 50,
          reason: fileFault?.message,
          msg: 'the configuration file cannot be used: the device starts with the last one that worked',
        }),
      ]);
    },
  );

  it.skipIf(isRoot)('a file that may not be read gives way to the last that worked', async () => {
    await keepLastWorking(folder, GOOD);
    writeFileSync(file, GOOD);
    chmodSync(file, 0);
    const { pollIntervalMs, fileFault } = await load();
    expect([pollIntervalMs, fileFault?.message]).toEqual([7000, expect.stringMatching(/EACCES/)]);
  });

  it.each([
    ['no last one', undefined],
    [
      'a last one that names an unknown driver',
      'connections:\n  - { driver: gone, bus: "hid:///dev/hidraw0" }\n',
    ],
    ['a damaged last one', '\0\0\0'],
  ])('a file that cannot be used is left out where there is %s', async (_what, last) => {
    if (last !== undefined) await keepLastWorking(folder, last);
    writeFileSync(file, 'mdns: no\n');
    expect(await load()).toMatchObject({
      connections: [],
      pollIntervalMs: 2000,
      configText: undefined,
      fileFault: { place: 'device.yaml:1:7' },
    });
  });
});

it.each([
  ['a byte order mark', `\ufeff${GOOD}`],
  ['line ends of Windows', GOOD.replaceAll('\n', '\r\n')],
  ['comments alone', '# nothing yet\n'],
  ['no content but a line end', '\n'],
])('a configuration file with %s is used', async (_what, text) => {
  writeFileSync(file, text);
  expect(await load()).toMatchObject({ fileFault: null, pollIntervalMs: text.includes('7') ? 7000 : 2000 });
});

it.each([
  ['no last one', false],
  ['a last one', true],
])('an empty configuration file is at fault where there is %s: %s', async (_what, isFault) => {
  if (isFault) await keepLastWorking(folder, GOOD);
  writeFileSync(file, '');
  const { fileFault, configText } = await load();
  expect([fileFault !== null, configText]).toEqual([isFault, isFault ? GOOD : undefined]);
});

it('a device without a configuration file has none at fault', async () => {
  expect(await load()).toMatchObject({ fileFault: null, connections: [] });
});

it('a variable that cannot be used still ends the start', async () => {
  writeFileSync(file, 'mdns: no\n');
  const env = new Env({ DEVICE_DATA: folder, DEVICE_PORT: 'http' });
  await expect(loadDevice(env, systemClock, silentLogger)).rejects.toThrow(/^DEVICE_PORT/);
});
