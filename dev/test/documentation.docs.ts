import { afterAll, beforeAll, describe } from 'vitest';
import { startTestSystem, type TestSystem } from '../src/testing/test-system.ts';
import { describeApiGuide } from './api-guide.ts';
import { describeInstalledClient } from './installed-client.ts';
import { describeOperatorGuide } from './operator-guides.ts';
import { describeReadme } from './readme.ts';

// Each leaves the system in order for the next.
let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem();
});
afterAll(() => system?.stop());

const pages = {
  // The first one: its home is new.
  'docs/api.md': describeApiGuide,
  'README.md': describeReadme,
  'the README of the client': describeInstalledClient,
  'docs/operating-a-device.md': describeOperatorGuide('device'),
  'docs/operating-a-proxy.md': describeOperatorGuide('proxy'),
  // The last one: it withdraws keys of the cloud.
  'docs/operating-a-cloud.md': describeOperatorGuide('cloud'),
};
describe.each(Object.entries(pages))('%s', (_name, describePage) => describePage(() => system));
