import { afterAll, beforeAll, describe } from 'vitest';
import { startTestSystem, type TestSystem } from '../src/testing/test-system.ts';
import { describeAccess } from './access.ts';
import { describeAgents } from './agents.ts';
import { describeCloudSdk } from './cloud-sdk.ts';
import { describeCommandLine } from './command-line.ts';
import { describeDeviceSdk } from './device-sdk.ts';
import { describeDeviceThroughProxy } from './device-through-proxy.ts';
import { describeMonitoring } from './monitoring.ts';
import { describeReadAndWrite } from './read-and-write.ts';
import { describeSiteHistory } from './site-history.ts';
import { describeThirdPartyClients } from './third-party-clients.ts';

// Each leaves the system in order for the next. Their own files would each start one, which takes longer than most of them.
let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem();
});
afterAll(() => system?.stop());

const parts = {
  'the SDK at the cloud': describeCloudSdk,
  'reading and writing': describeReadAndWrite,
  'the SDK at the device': describeDeviceSdk,
  'a device through its proxy': describeDeviceThroughProxy,
  'clients of third parties': describeThirdPartyClients,
  'the command line': describeCommandLine,
  agents: describeAgents,
  access: describeAccess,
  monitoring: describeMonitoring,
  'the history of sites': describeSiteHistory,
};
describe.each(Object.entries(parts))('%s', (_name, describePart) => describePart(() => system));
