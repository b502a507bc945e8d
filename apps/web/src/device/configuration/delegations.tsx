import { DelegationsCard } from '../../shared/delegations/delegations-card.tsx';
import { queries } from '../../shared/queries/query-client.ts';
import { device } from '../session/device.ts';
import { OfHousehold } from '../support/of-household.tsx';
import { configurationQuery, useConfiguration } from './configuration-query.ts';
import { whenInEffect } from './in-effect.ts';

/** Delegations of the configuration. */
export function Delegations() {
  const { delegations } = useConfiguration();
  if (delegations.length === 0) return null;
  return (
    <OfHousehold>
      <DelegationsCard delegations={delegations} onKeep={keep} onEnd={end} />
    </OfHousehold>
  );
}

async function keep(id: string): Promise<void> {
  queries.setQueryData(configurationQuery.queryKey, await device.configuration.keepDelegation(id));
}

async function end(id: string): Promise<void> {
  const written = await device.configuration.endDelegation(id);
  const settled = await whenInEffect(written, { get: () => device.configuration.get() });
  queries.setQueryData(configurationQuery.queryKey, settled ?? written);
}
