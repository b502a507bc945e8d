import type { AlertRuleEntry } from '@heliograph/contracts';
import type { Clock, Logger } from '@heliograph/kit';
import type { AlertStore } from '../../../src/alerts/alert-store.ts';
import { AlertWatch } from '../../../src/alerts/alert-watch.ts';
import type { HoursBetween } from '../../../src/alerts/usual-production.ts';
import { AlertRules } from '../../../src/config/alert-rules/alert-rules.ts';
import type { SnapshotSource } from '../../../src/poll/snapshot.ts';
import type { Alerting } from '../../../src/serve/api/routes/alert-routes.ts';
import type { KeyValueStore } from '../../../src/storage/key-value.ts';

export interface TestAlertingOptions {
  readonly store: KeyValueStore;
  readonly alerts: AlertStore;
  readonly snapshots: SnapshotSource;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly configured?: readonly AlertRuleEntry[] | undefined;
  readonly hours?: HoursBetween;
  readonly clockBehind?: () => boolean;
}

/** Rules and alerts of a store, evaluated with each snapshot. */
export function testAlerting(options: TestAlertingOptions): Alerting & { readonly watch: AlertWatch } {
  const { store, configured = [], hours = () => new Map(), clockBehind = () => false, ...others } = options;
  const rules = new AlertRules({ store, configured });
  const watch = new AlertWatch({ ...others, rules, store, hours, clockBehind, storeLoss: () => null });
  watch.start();
  return { rules, alerts: options.alerts, watch };
}
