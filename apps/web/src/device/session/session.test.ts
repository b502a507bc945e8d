import { ApiError, type DeviceSession } from '@heliograph/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { queries } from '../../shared/queries/query-client.ts';

const ORIGIN = 'http://device.example';

const SIGNED_OUT: DeviceSession = {
  has_password: true,
  signed_in: false,
  may_write: false,
  may_configure: false,
  via: 'lan',
  site_id: null,
  site_name: null,
  recovery: null,
  store_problem: null,
  support_url: null,
};
const SIGNED_IN: DeviceSession = { ...SIGNED_OUT, signed_in: true, may_write: true, may_configure: true };

let session: typeof import('./session.ts');
let calls: typeof import('./device.ts')['device']['session'];
const replaceState = vi.fn();

beforeAll(async () => {
  // The device is the origin of its pages.
  vi.stubGlobal('location', new URL(ORIGIN));
  session = await import('./session.ts');
  calls = (await import('./session-client.ts')).deviceSession;
  vi.stubGlobal('history', { replaceState });
});
afterAll(() => vi.unstubAllGlobals());

beforeEach(() => {
  queries.setQueryData(['session'], SIGNED_OUT);
  queries.setQueryData(['links'], { connections: ['of the former reader'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  replaceState.mockReset();
  queries.clear();
});

describe('the session of a device page', () => {
  it('signing in replaces the session and drops the data of the former reader', async () => {
    const signIn = vi.spyOn(calls, 'signIn').mockResolvedValue(undefined);
    vi.spyOn(calls, 'get').mockResolvedValue(SIGNED_IN);
    await session.signIn('a password');
    expect(signIn).toHaveBeenCalledExactlyOnceWith('a password');
    expect(queries.getQueryData(['session'])).toEqual(SIGNED_IN);
    expect(queries.getQueryData(['links'])).toBeUndefined();
  });

  it('signing out drops the data of the former reader', async () => {
    queries.setQueryData(['session'], SIGNED_IN);
    vi.spyOn(calls, 'signOut').mockResolvedValue(undefined);
    vi.spyOn(calls, 'get').mockResolvedValue(SIGNED_OUT);
    await session.signOut();
    expect(queries.getQueryData(['session'])).toEqual(SIGNED_OUT);
    expect(queries.getQueryData(['links'])).toBeUndefined();
  });

  it('a wrong password changes neither the session nor the data', async () => {
    const refusal = new ApiError(ORIGIN, 401, 'The password is wrong', {});
    vi.spyOn(calls, 'signIn').mockRejectedValue(refusal);
    const get = vi.spyOn(calls, 'get');
    await expect(session.signIn('wrong')).rejects.toBe(refusal);
    expect(get).not.toHaveBeenCalled();
    expect(queries.getQueryData(['session'])).toEqual(SIGNED_OUT);
    expect(queries.getQueryData(['links'])).toBeDefined();
  });

  it('the first password leads to the setup before the session shows other pages', async () => {
    vi.spyOn(calls, 'setFirstPassword').mockResolvedValue(undefined);
    vi.spyOn(calls, 'get').mockImplementation(async () => {
      expect(replaceState.mock.calls[0]?.[2]).toBe('/configuration/setup');
      return SIGNED_IN;
    });
    await session.setFirstPassword('a password');
    expect(queries.getQueryData(['session'])).toEqual(SIGNED_IN);
  });
});
