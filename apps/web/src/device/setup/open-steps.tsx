import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { browserStorage } from '../../shared/browser/browser-storage.ts';
import { lazyPart } from '../../shared/routing/lazy-part.ts';
import { claimQuery } from '../claim/claim-query.ts';
import { linksQuery } from '../links/links-query.ts';

/** The key in the browser's storage that hides the reminder to claim the device. */
const LATER = 'heliograph_claim_later';

/** Most who look at a device have long done what they remind of. */
const HardwareReminder = lazyPart(async () => (await import('./reminders.tsx')).HardwareReminder);
const AccountReminder = lazyPart(async () => (await import('./reminders.tsx')).AccountReminder);

/** Reminds of the open steps of a new device; shows nothing where they are unknown. */
export function OpenSteps() {
  // The configuration lists the hardware, too, but for it a device loads every driver that it has.
  const { data: links } = useQuery(linksQuery);
  const { data: claim } = useQuery(claimQuery);
  const [isLater, setLater] = useState(() => browserStorage.get(LATER) !== null);
  const hide = (): void => {
    browserStorage.set(LATER, 'yes');
    setLater(true);
  };
  const needsHardware = links?.connections.length === 0;
  const needsAccount = (claim?.state === 'unclaimed' || claim?.state === 'released') && !isLater;
  return (
    <Suspense fallback={null}>
      {needsHardware ? <HardwareReminder /> : needsAccount && <AccountReminder onLater={hide} />}
    </Suspense>
  );
}
