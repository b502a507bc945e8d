/** The prefix that existing clients expect; two devices on one broker need different ones. */
export const DEFAULT_TOPIC_PREFIX = 'solar_assistant';

/** The broker that values go to, and what it may do here. */
export interface MqttConfig {
  /** Such as `mqtt://192.168.1.5`, or `mqtts://broker.example:8883` for TLS; without user and password. */
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Certificate authorities besides the usual ones for `mqtts` and `wss`, PEM. */
  readonly ca?: string | undefined;
  /** Whether clients that may publish to the broker may change settings of the hardware. */
  readonly allowWrites: boolean;
  /** Whether Home Assistant's discovery messages are published. */
  readonly homeAssistant: boolean;
  readonly topicPrefix: string;
  /** Topic prefix of Home Assistant's discovery. */
  readonly discoveryPrefix: string;
}
