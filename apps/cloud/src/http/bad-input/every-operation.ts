import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../testing/factory.ts';
import { BadInputRun } from './bad-input-run.ts';
import { type Group, OPERATION_IDS } from './operations.ts';
import { bodyShots, fieldShots, goodShot, pathShots, queryShots } from './shots.ts';

/** What cannot succeed without a signature, a logo, a code, a second factor or what went before, or would end the session of the test. */
const NEVER_GOOD = new Set([
  'signOut',
  'signIn',
  'showSecondFactor',
  'confirmAuthenticatorApp',
  'removeAuthenticatorApp',
  'addPasskey',
  'removePasskey',
  'replaceRecoveryCodes',
  'revokeToken',
  'endSession',
  'getOrganizationLogo',
  'getOrganizationLogoVersion',
  'setOrganizationLogo',
  'removeOrganizationSite',
  'revokeActivationCode',
  'revokeServiceActivationCode',
  'declineActivationRequest',
  'forgetProxy',
  'POST /api/v1/devices/connect',
  'POST /register/verify',
  'PATCH /api/v1/proxies/{name}',
]);

/** Some operations hash a password for each of hundreds of requests. */
const PATIENCE_MS = 60_000;

/** How many bodies are made up for each operation. */
const MADE_UP = 12;

/** Sends each operation of a group everything there is to send, and looks at what comes back. */
export function describeBadInput(group: Group): void {
  let run: BadInputRun;
  beforeAll(async () => {
    run = await BadInputRun.start();
  });
  afterAll(() => run?.[Symbol.asyncDispose]());

  describe.each(OPERATION_IDS[group] ?? [])('%s', (id) => {
    const places = { path: pathShots, query: queryShots, body: fieldShots };
    it.each(Object.entries(places))(
      'foresees whatever stands in its %s',
      async (_place, shotsOf) => {
        const operation = run.operation(id);
        const shots = await shotsOf(operation, run.requests);
        expect(await run.surprises(operation, shots)).toEqual([]);
      },
      PATIENCE_MS,
    );

    it('refuses bodies that nobody can read', async () => {
      const operation = run.operation(id);
      if (operation.method === 'GET' || id === 'setOrganizationLogo') return;
      expect(await run.surprises(operation, await bodyShots(operation, run.requests))).toEqual([]);
    });

    it('foresees any JSON', async () => {
      const operation = run.operation(id);
      if (operation.body === undefined) return;
      const { path, body } = await run.requests.good(operation);
      const fields = Object.fromEntries(
        Object.keys(operation.body.properties ?? {}).map((name) => [
          name,
          name in body ? fc.oneof(fc.constant(body[name]), fc.jsonValue()) : fc.jsonValue(),
        ]),
      );
      const bodies = fc.oneof(fc.jsonValue(), fc.record(fields, { requiredKeys: [] }));
      await fc.assert(
        fc.asyncProperty(bodies, async (value) => {
          const content = JSON.stringify(value);
          const mustFail = !operation.accepts(value) && !(value === null && operation.isBodyOptional);
          expect(await run.surprises(operation, [{ about: content, path, content, mustFail }])).toEqual([]);
        }),
        { numRuns: MADE_UP },
      );
    });

    it('still serves', async () => {
      const operation = run.operation(id);
      if (NEVER_GOOD.has(id)) return;
      const shot = { ...(await goodShot(operation, run.requests)), about: 'a good request' };
      const surprises = await run.surprises(operation, [{ ...shot, mustFail: true }]);
      expect(surprises).toMatchObject([{ about: 'a good request' }]);
      expect(surprises[0]?.status).toBeLessThan(400);
    });
  });

  it('knows every operation of the group', () => {
    const published = run.operations.map(({ id }) => id);
    expect(published).toEqual(expect.arrayContaining([...(OPERATION_IDS[group] ?? ['none'])]));
    expect(published).toHaveLength(Object.values(OPERATION_IDS).flat().length);
  });

  it('writes to nobody whose address is more than one', async () => {
    const mails = await run.cloud.db
      .selectFrom('mailbox_messages')
      .select(['recipient', 'subject'])
      .execute();
    expect(mails.filter(({ recipient }) => !/^[^\s\p{C}@,;<>]+@[^\s\p{C}@,;<>]+$/u.test(recipient))).toEqual(
      [],
    );
    expect(mails.filter(({ subject }) => /[\r\n\0]/.test(subject))).toEqual([]);
  });

  it('logs no failure, and none of the secrets', () => {
    expect(run.log.split('\n').filter((line) => /"level":[456]0/.test(line))).toEqual([]);
    expect(run.log).not.toContain(PASSWORD);
    expect(run.log).not.toMatch(/hg[a-z0-9]_[\w-]{20}/);
  });
}
