export {
  certificateCheck,
  EXPIRY_WARNING_DAYS,
  invalidityOf,
  type Validity,
} from './certificate-validity.ts';
export { DurationHistogram } from './duration-histogram.ts';
export { EXPOSITION_TYPE, MetricExposition, type MetricSample } from './metric-exposition.ts';
export { isForwarded, mayReadMetrics, THIS_MACHINE } from './metrics-access.ts';
export { type Check, type CheckResult, Readiness, type ReadinessAnswer } from './readiness.ts';
export { type EndedRequest, RequestMetrics } from './request-metrics.ts';
export { levelOfFailures, RequestObserver } from './request-observer.ts';
export {
  type OpenTelemetryConfig,
  openTelemetryFromEnv,
  type SpanExport,
  startSpanExport,
} from './span-export.ts';
