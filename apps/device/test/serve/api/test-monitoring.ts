import { AddressList, type Logger } from '@heliograph/kit';
import {
  levelOfFailures,
  MetricExposition,
  Readiness,
  RequestMetrics,
  RequestObserver,
} from '@heliograph/telemetry';
import type { SnapshotSource } from '../../../src/poll/snapshot.ts';
import type { Monitoring } from '../../../src/serve/api/routes/monitoring-routes.ts';

/** Monitoring of an API without a device around it. */
export function testMonitoring(
  snapshots: SnapshotSource,
  logger: Logger,
  metricsFrom: readonly string[] = ['127.0.0.1'],
): Monitoring {
  const exposition = new MetricExposition('heliograph_device_');
  const metrics = new RequestMetrics(exposition);
  return {
    observer: new RequestObserver({ logger, levelOf: levelOfFailures, metrics }),
    readiness: new Readiness({
      readings: () => ({ status: snapshots.current.sequence > 0 ? 'ok' : 'failed', detail: 'Readings' }),
    }),
    metrics: () => exposition.text(),
    metricsFrom: new AddressList(metricsFrom),
  };
}
