import type { DeviceClient } from './device-client.ts';
import { callFile } from './http/call-file.ts';

/** How long a device on a slow line may take to send a bundle, in milliseconds. */
const BUNDLE_TIMEOUT_MS = 120_000;

export interface DiagnosticsOptions {
  /** Adds the last requests to the hardware and its answers, byte by byte. */
  readonly frames?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A diagnostic bundle of a device, a ZIP file of at most 10 MiB, without its secrets. No method of DeviceClient: first views
 * of pages load that class, and few need this.
 *
 * @throws ApiError with status 403 when the caller may not change settings, 503 while others fetch bundles
 */
export function fetchDiagnostics(
  client: DeviceClient,
  { frames, signal }: DiagnosticsOptions = {},
): Promise<File> {
  const query = { frames: frames === true ? 1 : undefined };
  return client.connection.request(
    callFile,
    'GET /api/v1/diagnostics',
    { timeoutMs: BUNDLE_TIMEOUT_MS, signal },
    query,
  );
}
