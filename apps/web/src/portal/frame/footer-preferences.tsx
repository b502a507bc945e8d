import { Suspense } from 'react';
import { deferredPart } from '../../shared/routing/lazy-part.ts';

const PortalPreferences = deferredPart(
  async () => (await import('./portal-preferences.tsx')).PortalPreferences,
);

/** Language and colour scheme; loaded after the first view. */
export function FooterPreferences() {
  return (
    <div style={{ minHeight: '2.875rem' }}>
      <Suspense fallback={null}>
        <PortalPreferences />
      </Suspense>
    </div>
  );
}
