import { expect, it } from 'vitest';
import { temporaryStore } from '../../../test/serve/api/test-device.ts';
import { RegisteredSite } from '../../access/registered-site.ts';
import { claimFacts } from './claim-facts.ts';

const CLOUD = 'https://cloud.example';

it.each([
  ['no_cloud', undefined, undefined, null],
  ['not_reached', CLOUD, undefined, null],
  ['waiting_for_activation', CLOUD, 'inactive', null],
  ['unclaimed', CLOUD, 'unregistered', null],
  ['released', CLOUD, 'released', null],
  ['claimed', CLOUD, 'ready', 7],
  // Registered before this start, of which the cloud has not said anything else yet.
  ['claimed', CLOUD, undefined, 7],
] as const)(
  'the state is %s with the cloud %s that answered %s, as site %s',
  (state, cloudUrl, cloudStatus, siteId) => {
    const { store, remove } = temporaryStore();
    new RegisteredSite(store).set(siteId, siteId === null ? null : 'Our roof');
    const status = { state: 'offline', reason: 'why', proxy: null, since: 0 } as const;
    const site = new RegisteredSite(store);
    const registrationCode = state === 'released' ? { code: '0123A', expires_in_s: 900 } : undefined;
    expect(
      claimFacts({ uid: 'a uid', cloudUrl, site, uplink: { status, cloudStatus, registrationCode } }),
    ).toEqual({
      uid: 'a uid',
      state,
      reason: 'why',
      site_id: siteId,
      site_name: siteId === null ? null : 'Our roof',
      cloud_url: cloudUrl ?? null,
      registration_code: registrationCode ?? null,
    });
    remove();
  },
);
