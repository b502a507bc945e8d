import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProbeBody, ProbeReport, ProbeStarted } from '@heliograph/contracts';
import { buildChain, recordedBank, startRegisterServer } from '@heliograph/dev/modbus';
import { openPty } from '@heliograph/dev/serial';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWholeDevice, type WholeDevice } from '../../../test/whole-device.ts';
import { canonicalAddress } from '../../bus/address.ts';

const PATH = '/api/v1/probe';

/** The port of the device's own hardware, under another name. */
let link: string;
let folder: string;
let device: WholeDevice;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-ports-'));
  const port = join(folder, 'ttyUSB0');
  writeFileSync(port, '');
  link = join(folder, 'by-id');
  symlinkSync(port, link);
  device = await startWholeDevice(`mdns: false
connections:
  - { driver: pi30, bus: "${canonicalAddress({ transport: 'serial', path: port })}" }
`);
});
afterAll(async () => {
  await device.stop();
  rmSync(folder, { recursive: true });
});

const start = async (body: ProbeBody) => {
  const answer = await device.browser.send('POST', PATH, body);
  return { status: answer.status, body: (await answer.json()) as ProbeStarted & { errors?: object } };
};
const report = (id: string) => device.answer<ProbeReport>(`${PATH}/${id}`);
const finished = async (id: string): Promise<ProbeReport> => {
  await expect.poll(async () => (await report(id)).state, { interval: 20 }).not.toBe('running');
  return report(id);
};

it('a probe finds an inverter, and its connection entry', async () => {
  const bank = recordedBank(
    buildChain(
      [
        { id: 1, values: { Mn: 'Kostal', Md: 'Plenticore' } },
        { id: 103, values: { W: 5, W_SF: 0 } },
      ],
      { unitId: 71 },
    ),
  );
  const hardware = await startRegisterServer({ host: '127.0.0.1', port: 0, ...bank });
  const bus = `modbus-tcp://127.0.0.1:${hardware.port}`;
  const { status, body } = await start({ bus, driver: 'sunspec' });
  expect(status).toBe(202);
  expect(await finished(body.id)).toEqual({
    id: body.id,
    state: 'done',
    error: null,
    progress: { tried: 6, of: 6, now: null },
    findings: [
      {
        driver: 'sunspec',
        title: expect.stringContaining('SunSpec'),
        bus,
        unit: 71,
        units: [{ kind: 'inverters', model: 'Plenticore', serial_number: null }],
        connection: { driver: 'sunspec', bus, unit: 71, role: null, options: {} },
      },
    ],
    notes: [],
    skipped: [],
  });
  await hardware.stop();
});

it('a probe skips ports that the device itself uses, by whichever name', async () => {
  const { body } = await start({ bus: canonicalAddress({ transport: 'modbus-rtu', path: link }) });
  expect(await finished(body.id)).toMatchObject({
    state: 'done',
    progress: { tried: 0, of: 0 },
    skipped: [{ bus: canonicalAddress({ transport: 'modbus-rtu', path: link }), in_use_by: 'pi30' }],
  });
});

it('one probe runs at a time, reports its progress, and can be cancelled', async () => {
  const silent = openPty();
  const { body } = await start({ bus: `modbus-rtu://${silent.path}` });
  await expect
    .poll(async () => (await report(body.id)).progress.now, { interval: 5 })
    .toMatch(/^.+: modbus-rtu:\/\/\S+\?baud=\d+/);
  expect((await start({ bus: 'modbus-tcp://127.0.0.1:1' })).status).toBe(409);
  expect((await device.browser.send('DELETE', `${PATH}/${body.id}`)).status).toBe(204);
  expect((await report(body.id)).state).toBe('cancelled');
  expect((await device.browser.get(`${PATH}/another`)).status).toBe(404);
  silent.close();
});

it('a probe without a finding reports the reasons', async () => {
  const { body } = await start({ bus: 'modbus-tcp://127.0.0.1:1', driver: 'sunspec' });
  expect(await finished(body.id)).toMatchObject({
    state: 'done',
    findings: [],
    notes: [expect.stringContaining('ECONNREFUSED')],
  });
});

it.each<[ProbeBody, object]>([
  [{ bus: 'ftp://10.0.0.2' }, { bus: [expect.stringContaining('does not begin with')] }],
  [{ driver: 'morse' }, { driver: [expect.stringContaining('is none of daly')] }],
  [{ bus: 'hid:///dev/hidraw0', driver: 'deye' }, { bus: ['is not how deye is connected'] }],
])('the request %j is refused at its field', async (probe, errors) => {
  const { status, body } = await start(probe);
  expect([status, body.errors]).toEqual([422, errors]);
});
