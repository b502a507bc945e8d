import { randomBytes } from 'node:crypto';
import type { PasskeyCreationOptions } from '@heliograph/contracts';
import { SoftwareAuthenticator } from '../../software-authenticator.ts';
import type { AccessFixture } from '../fixture.ts';
import { emptyRequest } from '../requests.ts';
import { accessRows } from '../row.ts';

/** A call in a session of the owner. */
async function call<Body>({ cloud, owner }: AccessFixture, route: string): Promise<Body> {
  const token = await cloud.make.token(owner.id, { kind: 'session' });
  return (await cloud.call<Body>(route, { token })).body;
}

async function setSecondFactor({ cloud: { db, clock }, owner }: AccessFixture, has: boolean): Promise<void> {
  const second_factor_at = has ? new Date(clock.now()) : null;
  await db.updateTable('users').set({ second_factor_at }).where('id', '=', owner.id).execute();
}

export const SECOND_FACTOR_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
getSecondFactor             any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
startAuthenticatorApp       any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
confirmAuthenticatorApp     any         403      403      403      403      403      403      422      403      403      403      403      403      403      403      403      403      403      401
removeAuthenticatorApp      any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
startPasskey                any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
addPasskey                  any         403      403      403      403      403      403      201      403      403      403      403      403      403      403      403      403      403      401
removePasskey               any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
replaceRecoveryCodes        any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
`,
  {
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
  },
);
