import { ALERT_STATES } from '@heliograph/contracts';
import {
  type DiscoveryFields,
  discoveryFields,
  isUnitKind,
  type MetricDefinition,
  topicPrefix,
  type UnitKind,
  unitTitle,
} from '@heliograph/metrics';
import { DEFAULT_TOPIC_PREFIX } from '../../config/mqtt-config.ts';
import type { AlertSensor } from './alert-sensors.ts';
import type { BrokerTopics } from './broker/broker-topics.ts';
import { SWITCH_OFF, SWITCH_ON } from './payloads.ts';

/** Home Assistant shows "unknown" in place of a longer text; what is cut is still in the state topic. */
const SHOWN_TEXT = '{{ value[:255] }}';

/** Finer steps are refused by Home Assistant. */
const FINEST_STEP = 0.001;

/** A unit of hardware, for the names of Home Assistant's devices. */
export interface NamedUnit {
  readonly kind: UnitKind;
  /** 0-based. */
  readonly number: number;
  /** Null when the hardware does not report it. */
  readonly model: string | null;
}

export interface HomeAssistantOptions {
  readonly topics: BrokerTopics;
  readonly topicPrefix: string;
  readonly discoveryPrefix: string;
  /** Makes identities unique among all devices of a Home Assistant. */
  readonly uid: string;
  readonly softwareVersion: string;
  /** While it is not, settings are shown as sensors. */
  readonly isWritable: () => boolean;
}

type Config = Readonly<Record<string, unknown>>;

/** Discovery messages for Home Assistant: one entity a metric, by topic. */
export class HomeAssistant {
  readonly #options: HomeAssistantOptions;

  constructor(options: HomeAssistantOptions) {
    this.#options = options;
  }

  get isWritable(): boolean {
    return this.#options.isWritable();
  }

  /** Discovery messages as JSON by topic. */
  messages(
    definitions: readonly MetricDefinition[],
    units: readonly NamedUnit[],
    alerts: readonly AlertSensor[] = [],
  ): ReadonlyMap<string, string> {
    const totals = new Set(definitions.filter(({ device }) => device === 'totals').map(({ name }) => name));
    const messages = new Map<string, string>();
    const add = (platform: string, id: string, config: Config) =>
      messages.set(this.#topic(platform, id), JSON.stringify(config));
    for (const definition of definitions) {
      const { platform, ...fields } = this.#entity(definition);
      add(platform, idOf(definition.topic), {
        // The first inverter carries the totals too, and two of one name would be numbered by chance.
        name:
          isMain(definition) && totals.has(definition.name) ? `Inverter ${definition.name}` : definition.name,
        ...this.#common(definition.topic, deviceOf(definition), units),
        state_topic: this.#options.topics.state(definition.topic),
        json_attributes_topic: this.#options.topics.attributes(definition.topic),
        ...fields,
      });
    }
    for (const { id, title } of alerts) {
      const topic = `alerts/${id}`;
      add('binary_sensor', idOf(topic), {
        name: title,
        ...this.#common(topic, MAIN, units),
        state_topic: this.#options.topics.state(topic),
        json_attributes_topic: this.#options.topics.attributes(topic),
        device_class: 'problem',
        payload_on: SWITCH_ON,
        payload_off: SWITCH_OFF,
        entity_category: 'diagnostic',
      });
    }
    add('event', 'alert', {
      name: 'Alert',
      ...this.#common('alert', MAIN, units),
      state_topic: this.#options.topics.alert,
      event_types: ALERT_STATES,
      icon: 'mdi:alert-circle-outline',
    });
    if (this.isWritable) {
      add('sensor', 'set_response_message', {
        name: 'Response',
        ...this.#common('set_response_message', MAIN, units),
        state_topic: this.#options.topics.response,
        value_template: SHOWN_TEXT,
        entity_category: 'diagnostic',
      });
    }
    return messages;
  }

  /** Whether an announcement has a topic that this device would not give it with its present prefixes. */
  isFormer(topic: string): boolean {
    const levels = topic.split('/');
    const platform = levels[this.#options.discoveryPrefix.split('/').length] ?? '';
    return levels.at(-1) === 'config' && topic !== this.#topic(platform, levels.at(-2) ?? '');
  }

  #topic(platform: string, id: string): string {
    const { discoveryPrefix, topicPrefix } = this.#options;
    const node = topicPrefix === DEFAULT_TOPIC_PREFIX ? '' : `${idOf(topicPrefix.toLowerCase())}/`;
    return `${discoveryPrefix}/${platform}/${node}${id}/config`;
  }

  #common(id: string, device: UnitId, units: readonly NamedUnit[]): Config {
    const { topics, uid, softwareVersion } = this.#options;
    return {
      unique_id: `${uid}_${idOf(id)}`,
      availability_topic: topics.status,
      device: {
        identifiers: [`${uid}_${topicPrefix(device.kind, device.number)}`],
        ...names(device, units),
        sw_version: softwareVersion,
      },
      origin: { name: 'Heliograph', sw_version: softwareVersion },
    };
  }

  #entity(definition: MetricDefinition): Config & { readonly platform: string } {
    const fields = discoveryFields(definition);
    const known = (entries: Config): Config =>
      Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== null));
    const measured = known({
      unit_of_measurement: fields.unit_of_measurement,
      device_class: fields.device_class,
    });
    const control = this.isWritable ? controlOf(fields) : undefined;
    if (control !== undefined) {
      const command_topic = this.#options.topics.set(definition.topic);
      return { platform: fields.platform, ...measured, ...control, command_topic, entity_category: 'config' };
    }
    return {
      platform: 'sensor',
      ...measured,
      ...known({ state_class: fields.state_class }),
      ...(isNumber(definition, fields)
        ? { suggested_display_precision: definition.decimals }
        : definition.setting === undefined && { value_template: SHOWN_TEXT }),
      ...(definition.group !== 'Status' && { entity_category: 'diagnostic' }),
    };
  }
}

/** Home Assistant refuses texts of an entity that has a unit or a class, or a precision. */
function isNumber({ setting }: MetricDefinition, fields: DiscoveryFields): boolean {
  if (setting !== undefined) return setting.kind === 'number';
  return [fields.unit_of_measurement, fields.device_class, fields.state_class].some((each) => each !== null);
}

/** The fields of an entity that can be changed; undefined when it cannot, or Home Assistant would refuse it. */
function controlOf({ platform, min, max, step, options }: DiscoveryFields): Config | undefined {
  switch (platform) {
    case 'number':
      if (min === null || max === null || min >= max) return undefined;
      return { min, max, step: Math.max(step ?? 1, FINEST_STEP), mode: 'box' };
    case 'select':
      return { options };
    case 'switch':
      return { payload_on: SWITCH_ON, payload_off: SWITCH_OFF };
    case 'sensor':
      return undefined;
  }
}

interface UnitId {
  readonly kind: UnitKind;
  readonly number: number;
}

/** Metrics of the whole home are shown with the first inverter, where automations look for it. */
const MAIN: UnitId = { kind: 'inverters', number: 0 };

function deviceOf({ device, number }: MetricDefinition): UnitId {
  return isUnitKind(device) ? { kind: device, number: number ?? 0 } : MAIN;
}

function isMain({ device, number }: MetricDefinition): boolean {
  return device === MAIN.kind && number === MAIN.number;
}

/** The model; of several units that would have the same name, later ones have their number in it. */
function names({ kind, number }: UnitId, units: readonly NamedUnit[]): Config {
  const model = units.find((unit) => unit.kind === kind && unit.number === number)?.model ?? null;
  const name = model ?? unitTitle(kind);
  return { name: number === 0 ? name : `${name} ${number + 1}`, ...(model !== null && { model }) };
}

/** Home Assistant's ids hold no other characters. Letters of other alphabets stay distinct, as their bytes in UTF-8. */
function idOf(topic: string): string {
  return topic
    .replace(/[\u0080-\uffff]+/g, (letters) => Buffer.from(letters).toString('hex'))
    .replace(/[^a-z0-9_-]+/g, '_');
}
