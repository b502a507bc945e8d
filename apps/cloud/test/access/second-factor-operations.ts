import { randomBytes } from 'node:crypto';
import type { PasskeyCreationOptions } from '@heliograph/contracts';
import { PASSWORD } from '../../src/testing/factory.ts';
import { SoftwareAuthenticator } from '../../src/testing/software-authenticator.ts';
import type { AccessFixture } from './fixture.ts';
import { type AccessOperation, emptyRequest } from './operation.ts';

/** A call in a session of the owner. */
async function call<Body>({ cloud, owner }: AccessFixture, route: string): Promise<Body> {
  const token = await cloud.make.token(owner.id, { kind: 'session' });
  return (await cloud.call<Body>(route, { token })).body;
}

async function setSecondFactor({ cloud: { db, clock }, owner }: AccessFixture, has: boolean): Promise<void> {
  const second_factor_at = has ? new Date(clock.now()) : null;
  await db.updateTable('users').set({ second_factor_at }).where('id', '=', owner.id).execute();
}

/** Operations about the second factor of the account that asks. */
export const SECOND_FACTOR_OPERATIONS: Readonly<Record<string, AccessOperation>> = {
  getSecondFactor: { request: emptyRequest },
  startAuthenticatorApp: { request: emptyRequest },
  confirmAuthenticatorApp: {
    request: async (_target, fixture) => {
      await call(fixture, 'POST /api/v1/user/second_factor/totp');
      return { body: { otp: 'no code' } };
    },
  },
  removeAuthenticatorApp: {
    request: async (_target, { cloud: { db, clock }, owner }) => {
      const at = new Date(clock.now());
      await db
        .insertInto('authenticator_apps')
        .values({ user_id: owner.id, sealed: randomBytes(40), created_at: at, confirmed_at: at })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ confirmed_at: at }))
        .execute();
      return {};
    },
  },
  startPasskey: { request: emptyRequest },
  addPasskey: {
    request: async (_target, fixture) => {
      const options = await call<PasskeyCreationOptions>(fixture, 'POST /api/v1/user/passkeys/options');
      return {
        body: { name: 'Laptop', passkey: new SoftwareAuthenticator(fixture.cloud.url).create(options) },
      };
    },
  },
  removePasskey: {
    request: async (_target, { cloud: { db, clock }, owner }) => {
      const { id } = await db
        .insertInto('passkeys')
        .values({
          user_id: owner.id,
          credential_id: randomBytes(32),
          rp_id: 'localhost',
          public_key: randomBytes(32),
          counter: 0,
          transports: [],
          backed_up: false,
          name: 'Phone',
          created_at: new Date(clock.now()),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { params: { id } };
    },
  },
  replaceRecoveryCodes: {
    request: async (_target, fixture) => {
      await setSecondFactor(fixture, true);
      return {};
    },
  },
  describeSessionConfirmation: { request: emptyRequest },
  confirmSession: {
    request: async (_target, fixture) => {
      await setSecondFactor(fixture, false);
      return { body: { password: PASSWORD } };
    },
  },
};
