import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { claimQuery } from '../claim/claim-query.ts';
import { configurationQuery } from '../configuration/configuration-query.ts';

/** Where this browser keeps that somebody wants no account for the device, or not yet. */
const LATER = 'heliograph_claim_later';

/** Most who look at a device have long done what they remind of. */
const HardwareReminder = lazy(async () => {
  const { HardwareReminder: component } = await import('./reminders.tsx');
  return { default: component };
});
const AccountReminder = lazy(async () => {
  const { AccountReminder: component } = await import('./reminders.tsx');
  return { default: component };
});

/** Reminds of what a new device still needs; nothing is said where that cannot be asked. */
export function OpenSteps() {
  const { data: configuration } = useQuery(configurationQuery);
  const { data: claim } = useQuery(claimQuery);
  const [isLater, setLater] = useState(() => localStorage.getItem(LATER) !== null);
  const hide = (): void => {
    localStorage.setItem(LATER, 'yes');
    setLater(true);
  };
  const needsHardware = configuration?.connections.length === 0;
  const needsAccount = claim?.state === 'unclaimed' && !isLater;
  return (
    <Suspense fallback={null}>
      {needsHardware ? <HardwareReminder /> : needsAccount && <AccountReminder onLater={hide} />}
    </Suspense>
  );
}
