import type { Clock } from '@heliograph/kit';
import { JwksKeys, type JwksKeysOptions } from '@heliograph/wire';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { KeyValueStore } from '../storage/key-value.ts';

const KEY = 'cloud_jwks';

/** How long the cloud may take to answer with its keys, in milliseconds. */
const FETCH_TIMEOUT_MS = 5_000;

/**
 * How old the keys may be when a token is checked before they are fetched again, in milliseconds. Through the proxy a
 * withdrawn key opens nothing after seconds; this is for the local network, where the device alone checks.
 */
const MAX_AGE_MS = 60 * 60 * 1000;

type KeySet = Awaited<ReturnType<JwksKeysOptions['fetch']>>;

const KEY_SET = Compile(Type.Object({ keys: Type.Array(Type.Object({ kty: Type.String() })) }));

/**
 * The cloud's public keys. The last set that was fetched is kept, so that site tokens work on the LAN for
 * days without the internet.
 *
 * @param cloudUrl undefined for a device without a cloud: then only kept keys are known
 */
export function cloudKeys(cloudUrl: string | undefined, store: KeyValueStore, clock: Clock): JwksKeys {
  return new JwksKeys({
    initial: store.json(KEY, KEY_SET, undefined),
    maxAgeMs: MAX_AGE_MS,
    monotonic: () => clock.monotonic(),
    onFetched: (keys) => {
      const text = JSON.stringify(keys);
      if (text !== store.get(KEY)) store.set(KEY, text);
    },
    fetch: async () => {
      if (cloudUrl === undefined) throw new Error('no cloud is configured');
      const answer = await fetch(`${cloudUrl}/.well-known/jwks.json`, {
        signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
        redirect: 'error',
      });
      if (!answer.ok) throw new Error(`the cloud answers ${answer.status} when asked for its keys`);
      return keySetOf(await answer.json());
    },
  });
}

function keySetOf(value: unknown): KeySet {
  if (!KEY_SET.Check(value)) throw new Error('not a key set');
  return { keys: value.keys };
}
