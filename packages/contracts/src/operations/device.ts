import { aboutOperations, administrationOperations } from '../device/about.ts';
import { deviceAuditOperations } from '../device/audit.ts';
import { backupOperations, storeOperations } from '../device/backup.ts';
import { claimOperations } from '../device/claim.ts';
import { configurationOperations } from '../device/configuration.ts';
import { linkOperations } from '../device/links.ts';
import { probeOperations } from '../device/probe.ts';
import { sessionOperations } from '../device/session.ts';
import { supportOperations } from '../device/support.ts';
import { alertOperations } from '../readings/alerts.ts';
import { energyOperations } from '../readings/energy.ts';
import { historyOperations } from '../readings/history.ts';
import { metricOperations } from '../readings/metrics.ts';
import { settingWriteOperations } from '../readings/setting-writes.ts';
import { tariffOperations } from '../readings/tariffs.ts';

/** The operations of a device, the same on its network and through the proxy, in the order of its document. */
export const deviceOperations = {
  ...metricOperations,
  ...historyOperations,
  ...energyOperations,
  ...tariffOperations,
  ...settingWriteOperations,
  ...alertOperations,
  ...aboutOperations,
  ...linkOperations,
  ...claimOperations,
  ...configurationOperations,
  ...probeOperations,
  ...supportOperations,
  ...administrationOperations,
  ...deviceAuditOperations,
  ...backupOperations,
  ...storeOperations,
  ...sessionOperations,
};
