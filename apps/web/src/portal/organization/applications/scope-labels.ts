import type { ApplicationScope } from '@heliograph/client';

export const APPLICATION_SCOPE_LABELS = {
  openid: 'applications.identity',
  'sites:read_single': 'applications.readSite',
} as const satisfies Record<ApplicationScope, string>;

export const APPLICATION_SCOPES: readonly ApplicationScope[] = ['openid', 'sites:read_single'];
