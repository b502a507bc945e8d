import type { PasskeyCreationOptions } from '@heliograph/contracts';
import { generate } from 'otplib';
import type { TestUser } from './factory.ts';
import { SoftwareAuthenticator } from './software-authenticator.ts';
import type { TestCloud } from './test-cloud.ts';

/** An authenticator app: its secret, and what it shows. */
export class TestApp {
  readonly secret: string;
  readonly #cloud: TestCloud;

  constructor(cloud: TestCloud, secret: string) {
    this.#cloud = cloud;
    this.secret = secret;
  }

  /** The code of the present time step. @param stepsAway of another one */
  code(stepsAway = 0): Promise<string> {
    const epoch = Math.floor(this.#cloud.clock.now() / 1000) + stepsAway * 30;
    return generate({ secret: this.secret, epoch });
  }

  /** Lets the present code run out, and shows the next. */
  nextCode(): Promise<string> {
    this.#cloud.clock.advance(30_000);
    return this.code();
  }
}

/** Sets an authenticator app up in a session of the account. @returns the app, and the recovery codes that came with it */
export async function addApp(cloud: TestCloud, { id }: Pick<TestUser, 'id'>) {
  const token = await cloud.make.token(id, { kind: 'session' });
  const { body: made } = await cloud.call('POST /api/v1/user/second_factor/totp', { token });
  const app = new TestApp(cloud, String(made.secret));
  const { status, body } = await cloud.call('PUT /api/v1/user/second_factor/totp', {
    token,
    body: { otp: await app.code() },
  });
  if (status !== 200) throw new Error(`The app was refused: ${JSON.stringify(body)}`);
  // Its first code was used up.
  cloud.clock.advance(30_000);
  return { app, recoveryCodes: body.recovery_codes as string[] | null, token };
}

/** Adds a passkey in a session of the account. @returns the authenticator that has it */
export async function addPasskey(cloud: TestCloud, { id }: Pick<TestUser, 'id'>, name = 'Laptop') {
  const token = await cloud.make.token(id, { kind: 'session' });
  const authenticator = new SoftwareAuthenticator(cloud.url);
  const { body: options } = await cloud.call<PasskeyCreationOptions & Record<string, unknown>>(
    'POST /api/v1/user/passkeys/options',
    { token },
  );
  const passkey = authenticator.create(options);
  const { status, body } = await cloud.call('POST /api/v1/user/passkeys', { token, body: { name, passkey } });
  if (status !== 201) throw new Error(`The passkey was refused: ${JSON.stringify(body)}`);
  return { authenticator, id: Number(body.id), recoveryCodes: body.recovery_codes as string[] | null, token };
}
