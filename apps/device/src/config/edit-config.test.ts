import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DRIVERS, settings } from '../../test/config/check-text.ts';
import { ConfigFile } from './config-file.ts';
import { exampleConfig, offerExample } from './config-text.ts';
import { editConfig } from './edit-config.ts';
import { BadConfigFile } from './read-config-file.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'device-edit-'));
  file = join(folder, 'device.yaml');
});
afterEach(() => rm(folder, { recursive: true }));

const text = () => readFile(file, 'utf8');
const change = (...path: (string | number)[]) => ({
  to: (value: unknown) => editConfig(file, [{ path, value }], DRIVERS),
});

const COMMENTED = `# Our house
poll_interval_s: 5 # the old inverter is slow

connections:
  # in the cellar
  - driver: sunspec
    bus: "modbus-tcp://10.0.0.2" # with quotes
    unit: 1
`;

describe('the example file', () => {
  it('the example is written once, for its owner alone, and sets nothing', async () => {
    expect(await offerExample(file)).toBe(true);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(settings(await text())).toEqual(settings(''));
    await writeFile(file, COMMENTED);
    expect(await offerExample(file)).toBe(false);
    expect(await text()).toBe(COMMENTED);
  });

  it('the example shows every setting with its default', async () => {
    const filledIn = (await exampleConfig()).replaceAll(/^#(?=\S)|^#(?= {2,}\S)/gm, '');
    const {
      connections,
      alertRules,
      notifications,
      mqtt,
      timeZone,
      region,
      cloudUrl,
      channel,
      automaticUpdates,
      ...rest
    } = settings(filledIn);
    expect({ ...settings(''), ...rest }).toEqual(settings(''));
    expect(region).toBe('eu');
    expect([channel, automaticUpdates]).toEqual(['stable', false]);
    expect(cloudUrl).toBe('https://cloud.example.org');
    expect(connections).toMatchObject([
      { driver: 'sunspec', unit: 1 },
      { driver: 'sunspec', role: 'grid' },
    ]);
    expect(alertRules).toMatchObject([
      { id: 'battery_low', severity: 'warning', condition: { kind: 'below', limit: 10 } },
      { id: 'much_import', severity: 'warning', condition: { kind: 'above', limit: 8000 } },
    ]);
    expect(notifications).toEqual([
      {
        ntfy: 'https://ntfy.sh/a-name-that-is-hard-to-guess',
        token: undefined,
        severity: 'warning',
        language: 'en',
      },
      {
        smtp: 'smtps://mail.example.org',
        username: 'home',
        password: 'secret',
        from: 'home@example.org',
        to: ['ada@example.org'],
        severity: 'warning',
        language: 'en',
      },
    ]);
    expect(mqtt).toMatchObject({ allowWrites: false, homeAssistant: true, topicPrefix: 'solar_assistant' });
    expect(timeZone).toBe('Europe/Berlin');
    for (const name of Object.keys(ConfigFile.properties))
      expect(filledIn).toMatch(new RegExp(`^${name}:`, 'm'));
  });
});

describe('editConfig', () => {
  it('an edit changes a value and leaves every comment and quote where it is', async () => {
    await writeFile(file, COMMENTED);
    const now = await change('poll_interval_s').to(3);
    expect(now.pollIntervalMs).toBe(3000);
    await change('connections', 0, 'bus').to('modbus-tcp://10.0.0.3');
    expect(await text()).toBe(COMMENTED.replace(': 5', ': 3').replace('10.0.0.2', '10.0.0.3'));
  });

  it('an edit adds missing values, and removes undefined ones', async () => {
    await writeFile(file, COMMENTED);
    await change('connections', 1).to({ driver: 'talker', bus: 'hid:///dev/hidraw0' });
    await change('mqtt').to({ url: 'mqtt://broker', password: '12' });
    await change('poll_interval_s').to(undefined);
    const read = settings(await text());
    expect(read).toMatchObject({ pollIntervalMs: 2000, mqtt: { url: 'mqtt://broker', password: '12' } });
    expect(read.connections.map(({ driver }) => driver)).toEqual(['sunspec', 'talker']);
    expect(await text()).toContain('# in the cellar');
  });

  it('an edit without a file makes one of the example', async () => {
    await change('energy_period').to('daily');
    expect(settings(await text()).energyPeriod).toBe('daily');
    expect(await text()).toContain('# Configuration of this device.');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await change('energy_period').to(undefined);
    expect(settings(await text())).toEqual(settings(''));
  });

  it('an edit that a start would refuse is not written, nor any other of the same call', async () => {
    await writeFile(file, COMMENTED);
    const edit = editConfig(
      file,
      [
        { path: ['poll_interval_s'], value: 3 },
        { path: ['connections', 0, 'driver'], value: 'sunspc' },
      ],
      DRIVERS,
    );
    await expect(edit).rejects.toThrow(/:6:13: connections\[0\].driver: there is no driver "sunspc"/);
    await expect(edit).rejects.toBeInstanceOf(BadConfigFile);
    expect(await text()).toBe(COMMENTED);
    expect(await readdir(folder)).toEqual(['device.yaml']);
  });

  it('an edit of an invalid file is refused with its problems', async () => {
    await writeFile(file, 'poll_interval_s: soon\n');
    await expect(change('mdns').to(false)).rejects.toThrow(/:1:18: poll_interval_s/);
    expect(await text()).toBe('poll_interval_s: soon\n');
  });

  it('an edit waits for the one before it, so that none is lost', async () => {
    await writeFile(file, COMMENTED);
    await Promise.all([
      change('poll_interval_s').to(7),
      change('energy_period')
        .to('sometimes')
        .catch(() => undefined),
      change('mdns').to(false),
      change('history').to({ max_size_mb: 50 }),
    ]);
    expect(settings(await text())).toMatchObject({
      pollIntervalMs: 7000,
      mdns: false,
      history: { maxSizeMb: 50 },
    });
  });

  it('an edit keeps the mode of the file and a link to it', async () => {
    const target = join(folder, 'elsewhere.yaml');
    await writeFile(target, COMMENTED);
    await chmod(target, 0o640);
    await symlink(target, file);
    await change('mdns').to(false);
    expect((await stat(target)).mode & 0o777).toBe(0o640);
    expect(await readFile(target, 'utf8')).toContain('mdns: false');
    expect((await readdir(folder)).toSorted()).toEqual(['device.yaml', 'elsewhere.yaml']);
  });
});
