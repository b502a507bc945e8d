import { type CheckResult, Readiness } from '@heliograph/telemetry';
import type { UplinkStatus } from '../../cloud/uplink/uplink.ts';
import type { History } from '../../history/history.ts';
import type { ConnectionPoller } from '../../poll/links/connection-poller.ts';
import type { SnapshotSource } from '../../poll/snapshot.ts';
import type { MqttStatus } from '../../serve/mqtt/mqtt-bridge.ts';
import type { ConfigurationWatch } from '../configuration/configuration-watch.ts';
import { type DataFolderSizes, dataFolderSizes } from './data-folder.ts';
import { type StoreState, storeCheck } from './store-check.ts';

/** Below this share of the disk, and this much, it is nearly full. */
const LOW_SHARE = 0.05;
const LOW_BYTES = 200_000_000;
/** Below this the log of writes has no room, so that no setting can be written. */
const FULL_BYTES = 1_000_000;

export interface DeviceReadinessOptions {
  readonly pollers: readonly Pick<ConnectionPoller, 'status'>[];
  readonly snapshots: SnapshotSource;
  readonly history: Pick<History, 'state' | 'isRecording'>;
  readonly store: () => StoreState;
  readonly dataFolder: string;
  readonly uplink: () => UplinkStatus | undefined;
  readonly mqtt: () => MqttStatus | undefined;
  readonly configuration: Pick<ConfigurationWatch, 'fault' | 'source'>;
}

/** The rows of a device's readiness. A home whose hardware sleeps, or that is offline, is still served. */
export function deviceReadiness(options: DeviceReadinessOptions): Readiness {
  const { dataFolder, store, history, uplink, mqtt, configuration } = options;
  return new Readiness({
    configuration: () => configurationCheck(configuration),
    readings: () => readingsCheck(options),
    disk: async () => diskCheck(await dataFolderSizes(dataFolder)),
    store: () => storeCheck(store()),
    history: () =>
      history.isRecording
        ? { status: 'ok', detail: 'The history is recorded' }
        : { status: 'warning', detail: history.state },
    cloud: () => peerCheck(uplink()?.state, 'online', 'The device is reachable through its proxy', 'cloud'),
    mqtt: () => peerCheck(mqtt()?.state, 'connected', 'The broker is connected', 'broker'),
  });
}

function configurationCheck({ fault, source }: DeviceReadinessOptions['configuration']): CheckResult {
  if (fault === null) return { status: 'ok', detail: 'The configuration file can be used' };
  const substitute = source === 'nothing' ? 'without a configuration' : 'with the last one that worked';
  return {
    status: 'failed',
    detail: `${fault.place}: the configuration file cannot be used, and the device runs ${substitute}; its page "Configuration" has the reasons`,
  };
}

function readingsCheck({ pollers, snapshots }: DeviceReadinessOptions): CheckResult {
  if (snapshots.current.sequence === 0) return { status: 'failed', detail: 'Nothing has been read yet' };
  if (pollers.length === 0) return { status: 'warning', detail: 'No hardware is configured' };
  const up = pollers.filter(({ status }) => status.state === 'connected').length;
  const detail = `${up} of ${pollers.length} connections to hardware work`;
  return { status: up === pollers.length ? 'ok' : 'warning', detail };
}

/** @param sizes undefined where they are not known; some file systems report 0 for all */
export function diskCheck(sizes: DataFolderSizes | undefined): CheckResult {
  if (sizes === undefined || sizes.disk === 0)
    return { status: 'warning', detail: 'The free room on the disk is not known' };
  const { disk, diskFree } = sizes;
  const detail = `${Math.floor((100 * diskFree) / disk)} % of the disk are free`;
  if (diskFree < FULL_BYTES)
    return { status: 'failed', detail: 'The disk is full: no setting can be written, and no history' };
  return { status: diskFree < LOW_BYTES || diskFree < LOW_SHARE * disk ? 'warning' : 'ok', detail };
}

function peerCheck(state: string | undefined, up: string, detail: string, name: string): CheckResult {
  if (state === undefined) return { status: 'ok', detail: `No ${name} is configured` };
  return state === up
    ? { status: 'ok', detail }
    : { status: 'warning', detail: `The ${name} is not reached` };
}
