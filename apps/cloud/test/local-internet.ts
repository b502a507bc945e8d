import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { Env, runMain } from '@heliograph/kit';
import { startCloud } from '../src/cloud.ts';
import { configFromEnv } from '../src/common/config/env.ts';

// The cloud as a program to which this machine is the internet: what it sends to `https://localhost` arrives here.
const internet = {
  resolve: async () => ['127.0.0.1'],
  allowAddress: (address: string) => address === '127.0.0.1',
  ca: TEST_TLS.cert,
};
await runMain(async () => startCloud(configFromEnv(new Env()), { internet }), { name: 'cloud' });
