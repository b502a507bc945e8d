import { ApiError, createCloudClient } from '@heliograph/client';
import type { TFunction } from 'i18next';
import { describe, expect, it } from 'vitest';
import { CLOUD_BASE, errorMessage } from './error-message.ts';

const t = ((key: string) => key) as TFunction<'shared'>;

describe.each([502, 503, 504])('the status %d', (status) => {
  it('a failure of the cloud is about the service', async () => {
    const fetch = async () => Response.json({ error: 'unavailable' }, { status });
    const error = await createCloudClient({ url: CLOUD_BASE, retry: false, fetch })
      .listSites()
      .catch((caught: unknown) => caught);
    expect(errorMessage(error, t)).toBe('errors.serviceUnavailable');
  });

  it('a failure of a proxy or a device is about the device', () => {
    for (const origin of ['https://demo.us.example.org', ''])
      expect(errorMessage(new ApiError(origin, status, ''), t)).toBe('errors.deviceOffline');
  });
});
