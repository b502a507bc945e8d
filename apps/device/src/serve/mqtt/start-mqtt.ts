import type { MqttConfig } from '../../config/mqtt-config.ts';
import { BrokerRecords } from './broker/broker-records.ts';
import { FormerBrokers, type FormerBrokerTimes } from './broker/former-brokers.ts';
import { clientIdOf, MQTT_TIMES, MqttBridge, type MqttBridgeOptions, type MqttTimes } from './mqtt-bridge.ts';

export interface MqttOptions extends Omit<MqttBridgeOptions, 'config' | 'ledger' | 'times'> {
  /** Undefined without a broker: what earlier ones hold is removed all the same. */
  readonly config: MqttConfig | undefined;
  readonly times?: MqttTimes & Pick<FormerBrokerTimes, 'formerRetryMaxMs'>;
}

export interface Mqtt {
  /** Undefined where no broker is configured. */
  readonly bridge: MqttBridge | undefined;
  stop(): Promise<void>;
}

const TIMES = { ...MQTT_TIMES, formerRetryMaxMs: 10 * 60_000 };

/** Publishes to the configured broker, and removes what earlier ones hold. */
export function startMqtt({ config, times = TIMES, ...options }: MqttOptions): Mqtt {
  const { store, uid, clock, logger } = options;
  const records = new BrokerRecords({ store, current: config, clock, logger });
  const bridge = config && new MqttBridge({ ...options, config, ledger: records.ledger, times });
  const former = new FormerBrokers({
    records,
    uid,
    clientId: clientIdOf(uid),
    current: bridge,
    clock,
    logger,
    times,
  });
  bridge?.start();
  former.start();
  return {
    bridge,
    async stop() {
      await former.stop();
      await bridge?.stop();
    },
  };
}
