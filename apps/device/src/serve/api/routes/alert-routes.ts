import { isDeepStrictEqual } from 'node:util';
import { type AlertRule, type AlertRuleList, DEFAULT_LIMIT, MAX_LIMIT } from '@heliograph/contracts';
import { deviceOperations } from '@heliograph/contracts/operations/device';
import type { Api } from '@heliograph/http/api';
import type { Audit } from '../../../access/audit/audit.ts';
import type { AlertStore, StoredAlert } from '../../../alerts/alert-store.ts';
import type { AlertWatch } from '../../../alerts/alert-watch.ts';
import { presentAlert } from '../../../alerts/present-alert.ts';
import type { AlertRules, Rule } from '../../../config/alert-rules/alert-rules.ts';
import { builtInRule } from '../../../config/alert-rules/built-in-rules.ts';
import type { AlertFeed } from '../../stream/live-stream.ts';
import { callerOf } from '../guards.ts';

export interface Alerting {
  readonly rules: AlertRules;
  readonly alerts: Pick<AlertStore, 'recent' | 'open'>;
  readonly watch: Pick<AlertWatch, 'acknowledge' | 'current' | 'matching' | 'subscribe'>;
}

/** Alerts, and the rules that raise them. */
export function alertRoutes(api: Api, { rules, alerts, watch }: Alerting, audit: Audit): void {
  const shown = (alert: StoredAlert) => presentAlert(watch.current(alert));

  api.serve(deviceOperations.listAlerts, ({ query: { open, limit = DEFAULT_LIMIT, before } }) => {
    const most = Math.min(Number(limit), MAX_LIMIT);
    const which = { open: open === '1', ...(before === undefined ? {} : { before: Number(before) }) };
    return alerts.recent(most, which).map(shown);
  });

  api.serve(deviceOperations.changeAlert, (request) => {
    const { acknowledged } = request.body;
    return shown(watch.acknowledge(Number(request.params.id), acknowledged, callerOf(request).name));
  });

  api.serve(deviceOperations.listAlertRules, () => ruleList(rules, watch));

  api.serve(deviceOperations.setAlertRules, (request) => {
    const before = changedRules(rules);
    rules.set(request.body);
    audit
      .begin('alert_rules.change', callerOf(request), {
        changes: [{ field: 'rules', old_value: before, new_value: changedRules(rules) }],
      })
      .end('ok');
    return ruleList(rules, watch);
  });
}

function ruleList(rules: AlertRules, watch: Pick<AlertWatch, 'matching'>): AlertRuleList {
  const matching = watch.matching();
  const shown = rules.all.map((rule) => presentRule(rule, matching.get(rule.id) ?? 0));
  const waiting = shown.filter(
    ({ enabled, source, condition, matching_topics: count }) =>
      enabled && source !== 'built_in' && condition.topics.length > 0 && count === 0,
  );
  return {
    rules: shown,
    warnings: waiting.map(
      ({ id, condition }) => `${id} waits: no topic matches ${condition.topics.join(', ')} now`,
    ),
  };
}

function presentRule(
  { id, name, enabled, severity, condition, source }: Rule,
  matchingTopics: number,
): AlertRule {
  const delivered = builtInRule(id);
  const isDelivered =
    delivered !== undefined &&
    isDeepStrictEqual(
      { enabled, severity, condition },
      { enabled: delivered.enabled, severity: delivered.severity, condition: delivered.condition },
    );
  return {
    id,
    name,
    enabled,
    severity,
    condition,
    source,
    explanation: delivered?.explanation ?? '',
    changed: delivered !== undefined && !isDelivered,
    matching_topics: matchingTopics,
  };
}

/** The ids of rules that are not as they were delivered, for the audit log. */
function changedRules({ all }: AlertRules): string | null {
  const ids = all.filter((rule) => {
    const { changed, source } = presentRule(rule, 0);
    return changed || source !== 'built_in';
  });
  return ids.length === 0 ? null : ids.map(({ id, enabled }) => (enabled ? id : `${id} (off)`)).join(', ');
}

/** The alerts as the live stream sends them. */
export function alertFeedOf({ alerts, watch }: Alerting): AlertFeed {
  return {
    open: () => alerts.open().map((alert) => presentAlert(watch.current(alert))),
    subscribe: (listener) => watch.subscribe((alert) => listener(presentAlert(alert))),
  };
}
