import { DelegationsCard } from '../../shared/delegations/delegations-card.tsx';
import { queries } from '../../shared/queries/query-client.ts';
import { device } from '../session/device.ts';
import { configurationQuery, useConfiguration } from './configuration-query.ts';
import { whenInEffect } from './in-effect.ts';

/** Delegations of the configuration. */
export function Delegations() {
  const { delegations } = useConfiguration();
  return <DelegationsCard delegations={delegations} onKeep={keep} onEnd={end} />;
}

async function keep(id: string): Promise<void> {
  queries.setQueryData(configurationQuery.queryKey, await device.configuration.keepDelegation(id));
}

async function end(id: string): Promise<void> {
  const written = await device.configuration.endDelegation(id);
  const settled = await whenInEffect(written, { get: () => device.configuration.get() });
  queries.setQueryData(configurationQuery.queryKey, settled ?? written);
}
