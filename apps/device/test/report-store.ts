/** Starts the device of a data folder, and prints what it reports about its store as JSON. */
import type { Alert, DeviceSession } from '@heliograph/contracts';
import { startWholeDevice } from './whole-device.ts';

const device = await startWholeDevice('mdns: false\n', {
  dataFolder: process.argv[2] ?? '',
  env: { DEVICE_PASSWORD: '' },
});
const { checks } = (await (await fetch(`${device.url}/readyz`)).json()) as {
  checks: readonly { readonly name: string; readonly status: string; readonly detail: string }[];
};
const { store_problem: problem } = (await (
  await device.browser.get('/api/v1/session')
).json()) as DeviceSession;
const alerts = problem === null ? await device.answer<readonly Alert[]>('/api/v1/alerts') : [];
console.log(
  JSON.stringify({
    check: checks.find(({ name }) => name === 'store'),
    fault: problem?.fault ?? null,
    alerts: alerts.map(({ rule, text }) => `${rule}: ${text}`),
  }),
);
await device.stop();
