import type { Organization } from '@heliograph/client';
import { type ReactNode, useLayoutEffect } from 'react';
import { ProductName, SERVICE_NAME } from '../../shared/browser/product-name.ts';
import { usePortalSession } from '../session/session.ts';
import { brandVariables } from './brand-variables.ts';
import { logoPath } from './logo-path.ts';

/** Applies the colours, the name and the logo of the portal's organization. */
export function Brand({ children }: { children: ReactNode }) {
  const { home } = usePortalSession();
  useBrandColors(home);
  useTabIcon(home && logoPath(home));
  return <ProductName value={home?.name ?? SERVICE_NAME}>{children}</ProductName>;
}

/** @param logo null for the icon of the service */
function useTabIcon(logo: string | null): void {
  useLayoutEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (icon === null || logo === null) return;
    const { href, type } = icon;
    icon.removeAttribute('type');
    icon.href = logo;
    return () => {
      icon.type = type;
      icon.href = href;
    };
  }, [logo]);
}

/** Applies the colours of an organization while mounted. */
export function useBrandColors(organization: Organization | null): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const variables: [string, string][] = organization === null ? [] : brandVariables(organization);
    const before = variables.map(([name]) => [name, style.getPropertyValue(name)] as const);
    for (const [name, value] of variables) style.setProperty(name, value);
    return () => {
      for (const [name, value] of before) style.setProperty(name, value);
    };
  }, [organization]);
}
