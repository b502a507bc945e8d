import { Agent, request } from 'node:http';
import { generateSigningKey, type SigningKey, signDeviceProof, uidOf } from '@heliograph/wire';
import type { Bench } from '../bench.ts';
import { BenchServer, type FilledCloud } from '../cloud/server.ts';
import { startProxyProcess } from '../proxy-process.ts';
import { DEVICE_FACTS } from '../reconnect/dialler.ts';
import { addDevices } from '../reconnect/fleet.ts';
import { reportLimit } from '../report-limit.ts';
import { cpuSeconds } from '../usage.ts';

const DEVICES = 4_000;
const WARM_UP = 4_000;
/** Calls of each process of the cloud under way. */
const CONCURRENCY = 16;
/** The most that a call may cost the cloud, in times of what its signature and its proof's verification cost. */
const LIMIT = 6;
/** Pairs of a signature and its verification for that comparison. */
const SIGNATURES = 3_000;

interface Cost {
  /** Processor time of a call, in milliseconds of one core. */
  readonly cloudMs: number;
  readonly databaseMs: number;
  readonly perSecond: number;
}

export const bench: Bench = {
  description: `${DEVICES} devices call the cloud for a ticket at once, with one process of the cloud and with two`,
  async run() {
    await using server = await BenchServer.start();
    const keys = await Promise.all(Array.from({ length: DEVICES }, generateSigningKey));
    const enrolled = keys.map(({ publicJwk: { kty, crv, x } }) => ({
      uid: uidOf({ x } as SigningKey['publicJwk']),
      publicKey: { kty, crv, x },
    }));
    const first = await server.cloud(DEVICES, (client) => addDevices(client, enrolled));
    await using _proxy = await startProxyProcess(first.url);
    await untilAssigned(first, keys[0] as SigningKey);
    await callAll([first], first.url, keys.slice(0, WARM_UP));
    const one = await costOf(server, [first], keys);
    print('one process', one);
    const second = await server.secondCloud(first);
    await callAll([second], first.url, keys.slice(0, WARM_UP));
    const two = await costOf(server, [first, second], keys);
    print('two processes', two);
    const signatureMs = await signatureCostMs(keys[0] as SigningKey);
    const ratio = one.cloudMs / signatureMs;
    console.log(`a signature and a verification cost ${signatureMs.toFixed(3)} ms of a core`);
    return reportLimit(
      ratio <= LIMIT,
      `a call costs the cloud ${ratio.toFixed(1)} times its signature and its verification (at most ${LIMIT})`,
    );
  },
};

function print(label: string, { cloudMs, databaseMs, perSecond }: Cost): void {
  console.log(
    `${label}: ${cloudMs.toFixed(2)} ms of the cloud's core and ${databaseMs.toFixed(2)} ms of PostgreSQL's for a call, ` +
      `${perSecond.toFixed(0)} calls/s on this machine`,
  );
}

async function costOf(
  server: BenchServer,
  clouds: readonly FilledCloud[],
  keys: readonly SigningKey[],
): Promise<Cost> {
  const cloudSeconds = (): number => clouds.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const [audience] = clouds;
  const bodies = await bodiesOf(keys, audience?.url ?? '');
  const before = { cloud: cloudSeconds(), database: server.cpuSeconds() };
  const begun = performance.now();
  await send(clouds, bodies);
  const seconds = (performance.now() - begun) / 1000;
  const toMs = (used: number): number => (used * 1000) / keys.length;
  return {
    cloudMs: toMs(cloudSeconds() - before.cloud),
    databaseMs: toMs(server.cpuSeconds() - before.database),
    perSecond: keys.length / seconds,
  };
}

async function callAll(
  clouds: readonly FilledCloud[],
  audience: string,
  keys: readonly SigningKey[],
): Promise<void> {
  await send(clouds, await bodiesOf(keys, audience));
}

/** Made ahead: the devices' own work is not measured. */
function bodiesOf(keys: readonly SigningKey[], audience: string): Promise<string[]> {
  return Promise.all(
    keys.map(async (key) => {
      const { kty, crv, x } = key.publicJwk;
      const proof = await signDeviceProof(key, uidOf(key.publicJwk), audience, Date.now());
      return JSON.stringify({ public_key: { kty, crv, x }, proof, facts: DEVICE_FACTS });
    }),
  );
}

async function send(clouds: readonly FilledCloud[], bodies: readonly string[]): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  let next = 0;
  const work = async (cloud: FilledCloud): Promise<void> => {
    for (let index = next++; index < bodies.length; index = next++) {
      const { status, text } = await call(agent, cloud.url, bodies[index] ?? '', index);
      if (status !== 200 || !text.includes('"ready"'))
        throw new Error(`the cloud answers ${status}: ${text}`);
    }
  };
  await Promise.all(clouds.flatMap((cloud) => Array.from({ length: CONCURRENCY }, () => work(cloud))));
  agent.destroy();
}

/** @param home number of the caller's home, each of which has an address of its own */
function call(agent: Agent, url: string, body: string, home = 0): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-forwarded-for': `10.0.${home >> 8}.${home & 255}`,
    };
    const outgoing = request(
      `${url}/api/v1/devices/connect`,
      { method: 'POST', agent, headers },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Waits until the proxy has announced itself. */
async function untilAssigned({ url }: FilledCloud, key: SigningKey): Promise<void> {
  const agent = new Agent();
  for (;;) {
    const [body = ''] = await bodiesOf([key], url);
    if ((await call(agent, url, body)).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Processor time of one signature and one verification, on one core. */
async function signatureCostMs({ privateKey, publicJwk }: SigningKey): Promise<number> {
  const publicKey = await crypto.subtle.importKey(
    'jwk',
    { kty: publicJwk.kty ?? '', crv: publicJwk.crv ?? '', x: publicJwk.x ?? '' },
    'Ed25519',
    false,
    ['verify'],
  );
  const text = Buffer.alloc(300, 1);
  const pair = async (): Promise<void> => {
    const signature = await crypto.subtle.sign('Ed25519', privateKey, text);
    await crypto.subtle.verify('Ed25519', publicKey, signature, text);
  };
  for (let i = 0; i < 200; i++) await pair();
  const before = process.cpuUsage();
  for (let i = 0; i < SIGNATURES; i++) await pair();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / SIGNATURES;
}
