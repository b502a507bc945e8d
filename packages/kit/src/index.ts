export { AddressList } from './address-list.ts';
export { Backoff, type BackoffOptions, wait } from './backoff.ts';
export { canonicalAddress, networkOf } from './client-address.ts';
export { type Clock, ManualClock, systemClock, testMoment, wallAt } from './clock.ts';
export { clockEnv } from './clock-env.ts';
export {
  currentTrace,
  outsideOfRequests,
  runWithTrace,
  traceHeaders,
  withCurrentTrace,
} from './current-trace.ts';
export { ConfigError, Env, NewerDatabase } from './env.ts';
export { parseEnvironmentFile, readEnvironmentFile } from './environment-file.ts';
export {
  AppError,
  BadRequest,
  Forbidden,
  messageOf,
  NotFound,
  reasonOf,
  Unauthorized,
  Unprocessable,
  UnsupportedMediaType,
  ValidationError,
} from './errors.ts';
export { type ForwardedClient, forwardedClient, peerAddress } from './forwarded.ts';
export { findJsonFault, type JsonFault, MAX_JSON_DEPTH, MAX_JSON_FIELDS } from './json-text.ts';
export { createLogger, type DestinationStream, type Logger, silentLogger, standardError } from './logger.ts';
export { isLoopback } from './loopback.ts';
export { answerMalformedRequest, requireOneHost } from './malformed-requests.ts';
export { requestTrace } from './request-trace.ts';
export { type ReadyMessage, type RunMainOptions, type Running, runMain } from './run-main.ts';
export {
  REQUEST_ID,
  TRACEPARENT,
  TRACESTATE,
  type TraceContext,
  traceOf,
  traceparentOf,
} from './trace-context.ts';
export { truncate, truncateOrNull } from './truncate.ts';
export { projectVersion } from './version.ts';
export { compareVersions, isVersion, RELEASE_CHANNELS, type ReleaseChannel } from './versions.ts';
