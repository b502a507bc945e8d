import { protocolOperations } from '@heliograph/contracts/operations/protocols';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../factory.ts';
import { BadInputRun } from './bad-input-run.ts';
import { type Group, OPERATION_IDS } from './operations.ts';
import { bodyPayloads, fieldPayloads, goodPayload, pathPayloads, queryPayloads } from './payloads.ts';

/** Operations that need a signature, a history, a logo, a code, a second factor or an earlier step, or end the test's session. */
const NEVER_SUCCESSFUL = new Set([
  'signOut',
  'signIn',
  'showSecondFactor',
  'confirmAuthenticatorApp',
  'removeAuthenticatorApp',
  'addPasskey',
  'removePasskey',
  'replaceRecoveryCodes',
  'revokeToken',
  'removePushSubscription',
  // The account has nothing that was suspended, and handed no site over.
  'endDelegation',
  'endSiteDelegation',
  'keepDelegation',
  'keepSiteDelegation',
  'recallSite',
  // It asks name servers for the host, and tests have none.
  'createWebhook',
  'unsubscribeFromMails',
  'endSession',
  'cancelEmailChange',
  'cancelAccountDeletion',
  // The account is the only operator.
  'requestAccountDeletion',
  // This cloud has no payment provider.
  'payOrder',
  'receiveStripeEvent',
  'getOrganizationLogo',
  'getOrganizationLogoVersion',
  'setOrganizationLogo',
  'createUpload',
  'removeOrganizationSite',
  // A hostile request has left it already.
  'leaveOrganization',
  'revokeActivationCode',
  'revokeServiceActivationCode',
  'declineActivationRequest',
  'forgetProxy',
  'connectDevice',
  'storeDeviceBackup',
  'storeDeviceHistory',
  'storeDeviceAlerts',
  'getSiteEnergy',
  'getSiteHistory',
  'removeDeviceBackups',
  'fetchDeviceBackup',
  'verifyBotCheck',
  'announceProxyChanges',
]);

/** Operations whose bodies are files. */
const TAKES_BYTES = new Set([
  'unsubscribeFromMails',
  'setOrganizationLogo',
  'createUpload',
  'storeDeviceBackup',
]);

/** Generous: some operations hash a password for each of hundreds of requests. */
const TIMEOUT_MS = 60_000;

const GENERATED_BODIES = 12;

/** Sends hostile input to each operation of a group and compares the answers with the contract. */
export function describeBadInput(group: Group): void {
  let run: BadInputRun;
  beforeAll(async () => {
    run = await BadInputRun.start();
  });
  afterAll(() => run?.[Symbol.asyncDispose]());

  describe.each(OPERATION_IDS[group] ?? [])('%s', (id) => {
    const payloadsByPart = { path: pathPayloads, query: queryPayloads, body: fieldPayloads };
    it.each(Object.entries(payloadsByPart))(
      'hostile values in the %s get an answer of the contract',
      async (_part, payloadsOf) => {
        const operation = run.operation(id);
        const payloads = await payloadsOf(operation, run.requests);
        expect(await run.unexpectedAnswers(operation, payloads)).toEqual([]);
      },
      TIMEOUT_MS,
    );

    it('unreadable bodies are refused', async () => {
      const operation = run.operation(id);
      // An operation without a body ignores one.
      if (operation.body === undefined || TAKES_BYTES.has(id)) return;
      expect(await run.unexpectedAnswers(operation, await bodyPayloads(operation, run.requests))).toEqual([]);
    });

    it('arbitrary JSON gets an answer of the contract', async () => {
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
      const payloads = fc.sample(bodies, GENERATED_BODIES).map((value) => {
        const content = JSON.stringify(value);
        const mustFail = !operation.accepts(value) && !(value === null && operation.isBodyOptional);
        return { description: content, path, content, mustFail };
      });
      expect(await run.unexpectedAnswers(operation, payloads)).toEqual([]);
    });

    it('a valid request is served after hostile ones', async () => {
      const operation = run.operation(id);
      if (NEVER_SUCCESSFUL.has(id)) return;
      const payload = await goodPayload(operation, run.requests);
      const answers = await run.unexpectedAnswers(operation, [{ ...payload, mustFail: true }]);
      expect(answers).toMatchObject([{ description: payload.description }]);
      expect(answers[0]?.status).toBeLessThan(400);
    });
  });

  it('the group has only published operations, and the groups have all', () => {
    const published = run.operations.map(({ id }) => id);
    expect(published).toEqual(expect.arrayContaining([...(OPERATION_IDS[group] ?? ['none'])]));
    // Those of protocols have tests of their own, with the clients of these protocols.
    const protocols = Object.keys(protocolOperations).length;
    expect(published).toHaveLength(Object.values(OPERATION_IDS).flat().length + protocols);
  });

  it('every mail has a single recipient and no line break in its subject', async () => {
    const mails = await run.cloud.db
      .selectFrom('mailbox_messages')
      .select(['recipient', 'subject'])
      .execute();
    expect(mails.filter(({ recipient }) => !/^[^\s\p{C}@,;<>]+@[^\s\p{C}@,;<>]+$/u.test(recipient))).toEqual(
      [],
    );
    expect(mails.filter(({ subject }) => /[\r\n\0]/.test(subject))).toEqual([]);
  });

  it('the log has no warnings, no errors and no secrets', () => {
    expect(run.log.split('\n').filter((line) => /"level":[456]0/.test(line))).toEqual([]);
    expect(run.log).not.toContain(PASSWORD);
    expect(run.log).not.toMatch(/hg[a-z0-9]_[\w-]{20}/);
  });
}
