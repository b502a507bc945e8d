import { useTranslation } from 'react-i18next';
import { topicName } from '../../shared/energy/topic-names.ts';
import { useDeviceLabel } from '../../shared/format/device-label.ts';
import { useDefinitions } from '../../shared/live/live-context.tsx';

/** What a topic is called where it stands alone: "Inverter 1: PV voltage". */
export function useTopicTitles(): (topic: string) => string {
  const { t } = useTranslation('site');
  const heading = useDeviceLabel();
  const definitions = new Map(useDefinitions().map((definition) => [definition.topic, definition]));
  return (topic) => {
    const definition = definitions.get(topic);
    return (
      topicName(topic, t) ??
      (definition === undefined
        ? topic
        : `${heading(definition.device, definition.number)}: ${definition.name}`)
    );
  };
}
