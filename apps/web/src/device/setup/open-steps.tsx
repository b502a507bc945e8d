import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../shared/routing/lazy-part.ts';
import { claimQuery } from '../claim/claim-query.ts';
import { linksQuery } from '../links/links-query.ts';

/** Where this browser keeps that somebody wants no account for the device, or not yet. */
const LATER = 'heliograph_claim_later';

/** Most who look at a device have long done what they remind of. */
const HardwareReminder = lazyPart(async () => (await import('./reminders.tsx')).HardwareReminder);
const AccountReminder = lazyPart(async () => (await import('./reminders.tsx')).AccountReminder);

/** Reminds of what a new device still needs; nothing is said where that cannot be asked. */
export function OpenSteps() {
  // The configuration tells of hardware as well, but to tell it a device loads all that it knows of any.
  const { data: links } = useQuery(linksQuery);
  const { data: claim } = useQuery(claimQuery);
  const [isLater, setLater] = useState(() => localStorage.getItem(LATER) !== null);
  const hide = (): void => {
    localStorage.setItem(LATER, 'yes');
    setLater(true);
  };
  const needsHardware = links?.connections.length === 0;
  const needsAccount = claim?.state === 'unclaimed' && !isLater;
  return (
    <Suspense fallback={null}>
      {needsHardware ? <HardwareReminder /> : needsAccount && <AccountReminder onLater={hide} />}
    </Suspense>
  );
}
