import type { BotCheckChallenge } from '@heliograph/contracts';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

async function newChallenge(): Promise<BotCheckChallenge> {
  const { status, body } = await cloud.call<BotCheckChallenge>('GET /register/verify/challenge');
  expect(status).toBe(200);
  return body;
}

async function solve(challenge: BotCheckChallenge) {
  const found = await solveChallenge({ challenge, deriveKey });
  if (found === null) throw new Error('The challenge has no solution');
  return { challenge, solution: { counter: found.counter, derivedKey: found.derivedKey } };
}

const trade = (solution: object) => cloud.call('POST /register/verify', { body: solution });

describe('GET /register/verify/challenge', () => {
  it('a solved challenge is exchanged for a verification token, which is accepted once', async () => {
    const { status, body } = await trade(await solve(await newChallenge()));
    expect(status).toBe(200);
    const email = 'ada@example.org';
    const challengeOnce = () =>
      cloud.call('POST /api/v1/password/reset', {
        body: { email, verification_token: body.verification_token },
      });
    expect((await challengeOnce()).status).toBe(200);
    expect(await challengeOnce()).toMatchObject({
      status: 422,
      body: { errors: { verification_token: ['is invalid or has expired'] } },
    });
  });

  it('a solution is exchanged once under concurrent use', async () => {
    const solution = await solve(await newChallenge());
    const answers = await Promise.all(Array.from({ length: 6 }, () => trade(solution)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
  });

  it('an exchanged challenge is remembered until it expires', async () => {
    const solution = await solve(await newChallenge());
    await trade(solution);
    cloud.clock.advance(5 * 60_000 - 1);
    expect((await trade(solution)).body).toEqual({ error: 'The check was used already: try again' });
  });

  it('a challenge expires after five minutes', async () => {
    const first = await solve(await newChallenge());
    const late = await solve(await newChallenge());
    cloud.clock.advance(5 * 60_000 - 1);
    expect((await trade(first)).status).toBe(200);
    cloud.clock.advance(1);
    expect(await trade(late)).toMatchObject({
      status: 422,
      body: { error: 'The check has expired: try again' },
    });
  });

  it('a verification token expires after five minutes', async () => {
    const { body } = await trade(await solve(await newChallenge()));
    cloud.clock.advance(5 * 60_000);
    const { status } = await cloud.call('POST /api/v1/password/reset', {
      body: { email: 'ada@example.org', verification_token: body.verification_token },
    });
    expect(status).toBe(422);
  });
});

describe('POST /register/verify', () => {
  type Solved = Awaited<ReturnType<typeof solve>>;
  it.each<[string, (solved: Solved) => object, number]>([
    ['without content', () => ({}), 400],
    ['as text', () => ({ payload: 'e30=' }), 400],
    [
      'with another key',
      ({ challenge, solution }) => ({ challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } }),
      422,
    ],
    [
      'to a challenge that was made easier',
      ({ challenge, solution }) => ({
        challenge: { ...challenge, parameters: { ...challenge.parameters, keyPrefix: '00' } },
        solution,
      }),
      422,
    ],
    [
      'to a challenge that was made to last',
      ({ challenge, solution }) => ({
        challenge: {
          ...challenge,
          parameters: { ...challenge.parameters, data: { expires_at_ms: 9e15 } },
        },
        solution,
      }),
      422,
    ],
    [
      'to a challenge with a foreign signature',
      ({ challenge, solution }) => ({ challenge: { ...challenge, signature: 'ab'.repeat(32) }, solution }),
      422,
    ],
    [
      'with a parameter of its own',
      ({ challenge, solution }) => ({
        challenge: { ...challenge, parameters: { ...challenge.parameters, memoryCost: 1 } },
        solution,
      }),
      400,
    ],
  ])('a solution %s is refused', async (_what, change, status) => {
    const answer = await trade(change(await solve(await newChallenge())));
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } });
    expect(answer.body).not.toHaveProperty('verification_token');
  });
});

it.each([
  ['GET /register/verify/challenge', 60],
  ['POST /register/verify', 30],
])('the operation %s answers 429 to an address beyond its limit, and to no other', async (route, allowed) => {
  const body = route.startsWith('POST') ? await solve(await newChallenge()) : undefined;
  const call = (from: string) => cloud.call(route, { from, ...(body && { body }) });
  for (let i = 0; i < allowed; i++) expect((await call('192.0.2.1')).status).not.toBe(429);
  const refused = await call('192.0.2.1');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await call('192.0.2.2')).status).not.toBe(429);
});

it('any token passes where no check is required, even an empty one', async () => {
  await using lenient = await startTestCloud({ botCheck: false });
  const { status } = await lenient.call('POST /api/v1/password/reset', {
    body: { email: 'ada@example.org', verification_token: '' },
  });
  expect(status).toBe(200);
});
