import { FakeCloud, FakeDevice, sampleMetrics, sampleSite } from '@heliograph/client/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { type CommandEnv, type Finished, runCommand } from '../../test/run-command.ts';

const SECRETS = ['api-token', 'site-token', 'device-password'];

const running: { stop(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of running.splice(0)) await one.stop();
});

/** A cloud and a device, and commands that use them. */
async function startHome() {
  const device = await new FakeDevice(sampleMetrics(), { password: 'device-password' }).start();
  running.push(device);
  const seen = new Date().toISOString();
  const barn = { id: 12, name: 'barn', inverter: null, battery: null, inverter_count: 0, battery_count: 0 };
  const cloud = await new FakeCloud(
    [
      sampleSite({ last_seen_at: seen, battery_count: 2 }),
      sampleSite({ ...barn, last_seen_at: new Date(Date.now() - 3 * 3_600_000).toISOString() }),
      sampleSite({ id: 13, name: null }),
    ],
    device,
  ).start();
  running.push(cloud);
  const env = { HELIOGRAPH_URL: cloud.url, HELIOGRAPH_TOKEN: cloud.token };

  /** Runs a command that must not show a secret, whatever it does. */
  const run = async (args: readonly string[], extra: CommandEnv = {}): Promise<Finished> => {
    const finished = await runCommand(args, { ...env, ...extra });
    const shown = finished.stdout + finished.stderr;
    expect(SECRETS.filter((secret) => shown.includes(secret))).toEqual([]);
    return finished;
  };
  return { cloud, device, run };
}

const lan = ({ address }: FakeDevice): string[] => ['--device', address, '--password', 'device-password'];

describe.concurrent('heliograph with a cloud and a device', () => {
  it('the list of members shows a person without a name by email', async () => {
    const { cloud, run } = await startHome();
    const ada = {
      id: 1,
      email: 'ada@example.org',
      first_name: 'Ada',
      last_name: 'Example',
      role: 'owner',
    } as const;
    const bo = { id: 2, email: 'bo@example.org', first_name: '', last_name: '', role: 'member' } as const;
    cloud.members = [ada, bo];
    expect((await run(['members', 'demo'])).stdout).toBe(
      [
        'ID  ROLE    EMAIL            NAME',
        ' 1  owner   ada@example.org  Ada Example',
        ' 2  member  bo@example.org   bo@example.org',
        '',
      ].join('\n'),
    );
  });

  describe('sites', () => {
    it('the list of sites shows when each was last seen', async () => {
      const { run } = await startHome();
      expect(await run(['sites'])).toEqual({
        code: 0,
        stderr: '',
        stdout: [
          'ID  NAME  SEEN     INVERTER          BATTERY',
          ' 7  demo  online   Simulated hybrid  Simulated 10 kWh × 2',
          '12  barn  3 h ago  -                 -',
          '13  -     never    Simulated hybrid  Simulated 10 kWh',
          '',
        ].join('\n'),
      });
    });

    it('the list of sites is searched, and printed as JSON', async () => {
      const { run } = await startHome();
      const { stdout } = await run(['sites', 'name:barn', '--json']);
      expect(JSON.parse(stdout)).toMatchObject([{ id: 12, name: 'barn', inverter: null }]);
    });

    it('a full page of sites names the option for more', async () => {
      const { run } = await startHome();
      const { stdout, stderr } = await run(['sites', '--limit', '2', '--json']);
      expect(JSON.parse(stdout)).toHaveLength(2);
      expect(stderr).toBe('There may be more sites: --offset 2 shows the next\n');
    });
  });

  describe('metrics', () => {
    const ALL = [
      'TOPIC                       VALUE  UNIT',
      'total/pv_power               1240  W',
      'total/grid_power             -300  W',
      '',
      'battery_1/voltage            51.2  V',
      '',
      'inverter_1/battery_reserve     20  %',
      '',
    ].join('\n');

    it.each<[string, (device: FakeDevice) => string[]]>([
      ['by name', () => ['demo']],
      ['by id', () => ['7']],
      ['on the LAN', lan],
    ])('the metrics of a site are shown %s', async (_how, where) => {
      const { device, run } = await startHome();
      expect(await run(['metrics', ...where(device)])).toEqual({ code: 0, stderr: '', stdout: ALL });
    });

    it('a metric that several globs match is shown once', async () => {
      const { run } = await startHome();
      const { stdout } = await run(['metrics', 'demo', '-t', 'total/pv*', '-t', 'total/*', '--value']);
      expect(stdout).toBe('1240\n-300\n');
    });

    it('--json prints the writable fields of metrics', async () => {
      const { device, run } = await startHome();
      const { stdout } = await run(['metrics', 'demo', '-t', '*reserve', '--json']);
      expect(JSON.parse(stdout)).toMatchObject([
        { topic: 'inverter_1/battery_reserve', value: 20, unit: '%' },
      ]);
      expect(device.requests).toEqual(['GET /api/v1/metrics?discovery&topic=%2Areserve']);
    });

    it.each([
      [
        'an unknown name',
        ['metrics', 'attic'],
        'There is no site named "attic"; "heliograph sites" lists them',
      ],
      ['nothing that matches', ['metrics', 'demo', '-t', 'moon/*'], 'Nothing matches moon/*'],
    ])('the command fails in one line for %s', async (_what, args, line) => {
      const { run } = await startHome();
      expect(await run(args)).toEqual({ code: 1, stdout: '', stderr: `heliograph: ${line}\n` });
    });
  });

  describe('set', () => {
    it('the old value and the new one are printed', async () => {
      const { run } = await startHome();
      const finished = await run(['set', 'demo', 'inverter_1/battery_reserve', '35']);
      expect(finished).toEqual({ code: 0, stderr: '', stdout: 'inverter_1/battery_reserve: 20 % → 35 %\n' });
    });

    it('a setting is changed on the LAN', async () => {
      const { device, run } = await startHome();
      const { stdout } = await run(['set', ...lan(device), 'inverter_1/battery_reserve', '40']);
      expect(stdout).toBe('inverter_1/battery_reserve: 20 % → 40 %\n');
    });

    it('a negative number is passed on, and its refusal printed with the reason', async () => {
      const { run } = await startHome();
      expect(await run(['set', 'demo', 'inverter_1/battery_reserve', '-5'])).toEqual({
        code: 1,
        stdout: '',
        stderr: 'heliograph: inverter_1/battery_reserve must be a number from 0 to 100\n',
      });
    });
  });

  it.each([
    ['a wrong token', { HELIOGRAPH_TOKEN: 'wrong' }, ['sites'], 'answered 401: Unauthorized'],
    ['an unknown id', {}, ['metrics', '999'], 'There is no site with the id 999'],
    ['a cloud out of reach', { HELIOGRAPH_URL: 'http://127.0.0.1:2' }, ['sites'], 'connection refused'],
  ])('the command fails in one line for %s', async (_what, extra, args, text) => {
    const { run } = await startHome();
    const { code, stdout, stderr } = await run(args, extra);
    expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 1, stdout: '', lines: 2 });
    expect(stderr).toContain(text);
  });
});
