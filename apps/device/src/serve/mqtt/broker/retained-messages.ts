import type { MetricDefinition } from '@heliograph/metrics';
import type { Sample, Snapshot } from '../../../poll/snapshot.ts';
import type { AlertSensor } from '../alert-sensors.ts';
import type { HomeAssistant, NamedUnit } from '../home-assistant.ts';
import { attributesText, SWITCH_OFF, SWITCH_ON, stateText } from '../payloads.ts';
import type { BrokerTopics } from './broker-topics.ts';

export interface RetainedMessagesOptions {
  readonly topics: BrokerTopics;
  /** Undefined without discovery messages for Home Assistant. */
  readonly homeAssistant: HomeAssistant | undefined;
  readonly units: () => readonly NamedUnit[];
  readonly alerts: () => readonly AlertSensor[];
}

/** Whether something may soon be known that a snapshot lacks: what the broker holds of it stays until then. */
export function isIncomplete({ isStarting = false, samples }: Snapshot): boolean {
  return isStarting || [...samples.values()].some((sample) => sample.awaited === true && isPublished(sample));
}

/** Everything that the broker is to hold of a snapshot, without what is not known yet after a start. */
export class RetainedMessages {
  readonly #options: RetainedMessagesOptions;
  #definitions: readonly MetricDefinition[] = [];
  #units = '';
  #discovery: ReadonlyMap<string, string> = new Map();

  constructor(options: RetainedMessagesOptions) {
    this.#options = options;
  }

  /** Payloads by topic, in the order of publishing: the status last, when all else is there. */
  of(snapshot: Snapshot): ReadonlyMap<string, string> {
    const { topics } = this.#options;
    const samples = [...snapshot.samples.values()].filter(
      (sample) => isPublished(sample) && sample.awaited !== true,
    );
    const alerts = this.#options.alerts();
    const messages = new Map(this.#discoveryOf(samples, alerts));
    for (const sample of samples) {
      messages.set(topics.state(sample.definition.topic), stateText(sample));
      messages.set(topics.attributes(sample.definition.topic), attributesText(sample));
    }
    for (const { id, isOn, attributes } of alerts) {
      messages.set(topics.state(`alerts/${id}`), isOn ? SWITCH_ON : SWITCH_OFF);
      messages.set(topics.attributes(`alerts/${id}`), attributes);
    }
    return messages.set(topics.status, 'online');
  }

  /**
   * Whether a topic has an announcement below former prefixes. Home Assistant ignores a second one of the same entity,
   * and removes the entity with the first.
   */
  isMoved(topic: string): boolean {
    return this.#options.homeAssistant?.isFormer(topic) ?? false;
  }

  /** Made again only when there are other metrics or units than before, or writes begin or end: it is most of the work. */
  #discoveryOf(samples: readonly Sample[], alerts: readonly AlertSensor[]): ReadonlyMap<string, string> {
    const { homeAssistant, units } = this.#options;
    if (homeAssistant === undefined) return this.#discovery;
    const before = this.#definitions;
    const named = units().map(({ kind, number, model }) => [kind, number, model]);
    const known = JSON.stringify([
      homeAssistant.isWritable,
      named,
      alerts.map(({ id, title }) => [id, title]),
    ]);
    if (
      known !== this.#units ||
      samples.length !== before.length ||
      samples.some(({ definition }, index) => definition !== before[index])
    ) {
      this.#units = known;
      this.#definitions = samples.map(({ definition }) => definition);
      this.#discovery = homeAssistant.messages(this.#definitions, units(), alerts);
    }
    return this.#discovery;
  }
}

/** Wildcards in a topic are a protocol error, for which a broker hangs up. */
function isPublished({ definition: { group, topic } }: Sample): boolean {
  return group !== 'Ignore' && !/[+#]/.test(topic);
}
