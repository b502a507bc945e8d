import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startChild } from '../child.ts';
import { quantile } from '../quantile.ts';
import { PASSWORD, TOKENS } from './fill.ts';
import { latencies } from './latencies.ts';
import type { FilledCloud } from './server.ts';

const ROUNDS = 5;
const ROUND_S = 5;
/** Long enough for what a sign-in runs through to be compiled by V8: at some 60 a second that takes its time. */
const WARM_UP_S = 20;
/** The least that sign-in may reach of the machine's raw argon2id rate. */
const FLOOR = 0.9;
/** The most that reading one's own account may take at the same time, in milliseconds. */
const READ_P99_LIMIT_MS = 50;
const CONNECTIONS = 8;
/** The reader measures and does not compete: it takes a rest after each answer, in milliseconds. */
const READ_EVERY_MS = 50;
/** A client that costs little: it runs on the cores that it measures. */
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** Sign-ins as fast as the cores allow, while another user reads their account. */
export async function benchSignIn(cloud: FilledCloud): Promise<boolean> {
  const shares: number[] = [];
  const readsMs: number[] = [];
  await signInStorm(cloud, WARM_UP_S);
  for (let round = 0; round < ROUNDS; round++) {
    const raw = await startChild<{ perSecond: number }>(join(import.meta.dirname, 'raw-argon2.ts'), {
      order: { durationS: ROUND_S },
    });
    const storm = await signInStorm(cloud, ROUND_S);
    shares.push(storm.perSecond / raw.message.perSecond);
    readsMs.push(...storm.readsMs);
    console.log(
      `  sign-in ${storm.perSecond.toFixed(1)}/s, raw argon2id ${raw.message.perSecond.toFixed(1)}/s`,
    );
  }
  const share = quantile(shares, 0.5);
  const p99 = quantile(readsMs, 0.99);
  const isWithinLimit = share >= FLOOR && p99 < READ_P99_LIMIT_MS;
  console.log(
    `${isWithinLimit ? 'kept' : 'MISSED'}: sign-in ${share.toFixed(2)} of raw argon2id (floor ${FLOOR}); GET /user ` +
      `meanwhile p50 ${quantile(readsMs, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (below ${READ_P99_LIMIT_MS})\n`,
  );
  return isWithinLimit;
}

async function signInStorm(
  { url }: FilledCloud,
  durationS: number,
): Promise<{ perSecond: number; readsMs: number[] }> {
  const start = performance.now();
  const end = start + durationS * 1000;
  let count = 0;
  const signer = async (connection: number): Promise<void> => {
    for (let n = connection; performance.now() < end; n += CONNECTIONS) {
      await signIn(url, 1 + (n % 1000));
      count += 1;
    }
  };
  const readsMs: number[] = [];
  const reader = async (): Promise<void> => {
    while (performance.now() < end) {
      readsMs.push(...(await latencies(url, TOKENS.staff, ['/user'])));
      await delay(READ_EVERY_MS);
    }
  };
  await Promise.all([
    ...Array.from({ length: CONNECTIONS }, (_, connection) => signer(connection)),
    reader(),
  ]);
  return { perSecond: (count / (performance.now() - start)) * 1000, readsMs };
}

function signIn(url: string, user: number): Promise<void> {
  const body = JSON.stringify({
    email: `user${user}@example.org`,
    password: PASSWORD,
    organization_id: 'none',
  });
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    // Every account at home, as it is in life: limits per address must not see one attacker.
    'x-forwarded-for': `10.1.${user >> 8}.${user & 255}`,
  };
  return new Promise((resolve, reject) => {
    const requested = request(`${url}/api/v1/sign_in`, { agent, method: 'POST', headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`sign-in answers ${answer.statusCode}`));
      answer.resume().once('end', resolve);
    });
    requested.once('error', reject).end(body);
  });
}
