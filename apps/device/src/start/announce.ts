import { presentAlert } from '../alerts/present-alert.ts';
import { Advertisement, isFindable } from '../serve/discovery/advertisement.ts';
import { storedBrokers } from '../serve/mqtt/broker/broker-records.ts';
import type { Ground } from './ground.ts';
import type { DeviceData } from './open-data.ts';
import type { PolledHardware } from './read-hardware.ts';
import type { RecordedHistory } from './record-history.ts';
import type { Served } from './serve-home.ts';
import type { OpenedAlerts } from './watch-alerts.ts';
import type { Settings } from './write-settings.ts';

/** Announces the device on the local network, where it has an identity and can be reached. */
export function advertise(
  { config, logger, undo }: Ground,
  { uid, isItself }: DeviceData,
  { snapshots }: RecordedHistory,
  { api }: Served,
): void {
  const { host } = config;
  if (!config.mdns || !isFindable(host) || !isItself) return;
  const advertisement = new Advertisement({ uid, host, port: api.port, snapshots, logger });
  advertisement.start();
  undo.defer(() => advertisement.stop());
}

/** Publishes to the configured broker, and removes what it published to brokers of the past. */
export async function publishToBroker(
  { config, clock, logger, undo }: Ground,
  { uid, isItself, store, delegations }: DeviceData,
  { snapshots }: RecordedHistory,
  { ownUnits }: PolledHardware,
  { rules, alerts, watch }: OpenedAlerts,
  { settings }: Settings,
  { pages }: Served,
): Promise<void> {
  if (!isItself || (config.mqtt === undefined && storedBrokers(store).length === 0)) return;
  // Loaded where it is wanted only: the library takes megabytes.
  const [{ startMqtt }, { alertSensors }] = await Promise.all([
    import('../serve/mqtt/start-mqtt.ts'),
    import('../serve/mqtt/alert-sensors.ts'),
  ]);
  const mqtt = startMqtt({
    config: config.mqtt,
    uid,
    units: ownUnits,
    alerts: () => alertSensors(rules.all, alerts.open().map(presentAlert)),
    alertChanges: { alerts, watch },
    snapshots,
    settings,
    delegation: {
      author: () => delegations.authorOf('mqtt'),
      suspended: () => delegations.suspended('mqtt')?.message,
    },
    store,
    clock,
    logger,
  });
  pages.bridge = mqtt.bridge;
  undo.defer(() => mqtt.stop());
}
