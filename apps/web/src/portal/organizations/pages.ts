import type { PortalPageSource } from '../routing/portal-page.ts';

const common = { access: 'user', texts: ['organization'] } as const;

export const organizationPages: readonly PortalPageSource[] = [
  { path: '/organizations', ...common, load: () => import('./joining/organizations-page.tsx') },
  { path: '/user/invitations', ...common, load: () => import('./joining/invitations-page.tsx') },
  {
    path: '/organizations/:id',
    ...common,
    texts: ['organization', 'closing'],
    load: () => import('./branding/branding-page.tsx'),
  },
  {
    path: '/organizations/:id/members',
    ...common,
    texts: ['organization', 'security'],
    load: () => import('./members/members-page.tsx'),
  },
  { path: '/organizations/:id/sites', ...common, load: () => import('./organization/sites-page.tsx') },
  {
    path: '/organizations/:id/documents',
    ...common,
    load: () => import('./organization/documents-page.tsx'),
  },
  {
    path: '/organizations/:id/applications',
    ...common,
    load: () => import('./applications/applications-page.tsx'),
  },
  {
    path: '/organizations/:id/webhooks',
    ...common,
    texts: ['organization', 'delegations', 'webhooks'],
    load: () => import('./organization/webhooks-page.tsx'),
  },
  {
    path: '/organizations/:id/messages',
    ...common,
    texts: ['organization', 'recipients', 'notifications', 'notificationChoices'],
    load: () => import('./organization/messages-page.tsx'),
  },
  {
    path: '/organizations/:id/activation',
    ...common,
    load: () => import('./organization/activation-page.tsx'),
  },
  {
    path: '/organizations/:id/audit',
    ...common,
    texts: ['organization', 'account', 'audit', 'staff', 'tickets'],
    load: () => import('./organization/audit-page.tsx'),
  },
];
