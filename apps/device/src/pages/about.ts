import type { DeviceAbout } from '@heliograph/contracts';
import type { RegisteredSite } from '../auth/registered-site.ts';
import type { DeviceConfig } from '../config/config.ts';
import { deviceFacts, type FactsSource } from '../uplink/device-facts.ts';

export interface AboutSource extends FactsSource {
  readonly uid: string;
  readonly config: Pick<DeviceConfig, 'timeZone' | 'energyPeriod'>;
  readonly site: RegisteredSite;
}

/** Identity and settings of this device, for the head of its pages. */
export function aboutDevice({ uid, config, site, ...source }: AboutSource): DeviceAbout {
  const { version, build_date, arch, board, local_ip } = deviceFacts(source);
  return {
    uid,
    version,
    build_date,
    arch,
    board,
    local_ip,
    time_zone: config.timeZone,
    energy_period: config.energyPeriod,
    site_id: site.id,
    site_name: site.name,
  };
}
