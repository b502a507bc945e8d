import type { PortalPageSource } from '../../routing/portal-page.ts';

const texts = ['account'] as const;

export const accountPages: readonly PortalPageSource[] = [
  {
    path: '/user',
    access: 'user',
    texts: ['account', 'app', 'security', 'leaving', 'joining'],
    load: () => import('./profile-page.tsx'),
  },
  { path: '/user/edit', access: 'user', texts, load: () => import('./edit-page.tsx') },
  {
    path: '/user/security',
    access: 'user',
    texts: ['account', 'security', 'delegations'],
    load: () => import('./security-page.tsx'),
  },
  {
    path: '/user/notifications',
    access: 'user',
    texts: ['account', 'notifications', 'notificationChoices', 'alerts', 'sites', 'app'],
    load: () => import('./notifications-page.tsx'),
  },
  {
    path: '/user/webhooks',
    access: 'user',
    texts: ['account', 'delegations', 'webhooks'],
    load: () => import('./webhooks-page.tsx'),
  },
  {
    path: '/user/activity',
    access: 'user',
    texts: ['account', 'audit', 'organization', 'staff', 'tickets'],
    load: () => import('./activity-page.tsx'),
  },
  {
    path: '/user/tokens',
    access: 'user',
    texts: ['account', 'delegations'],
    load: () => import('./tokens-page.tsx'),
  },
  {
    path: '/user/data',
    access: 'user',
    texts: ['account', 'security', 'leaving'],
    load: () => import('./data-page.tsx'),
  },
  { path: '/user/applications', access: 'user', texts, load: () => import('./applications-page.tsx') },
];
