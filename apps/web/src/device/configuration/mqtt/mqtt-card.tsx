import { Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { useConfiguration } from '../configuration-query.ts';
import { SettingsForm } from '../saving/settings-form.tsx';
import { changeOf, draftOf, type MqttDraft } from './mqtt-draft.ts';
import { MqttFields } from './mqtt-fields.tsx';

/** The broker that the device publishes to. */
export function MqttCard() {
  const { t } = useTranslation('configuration');
  const { mqtt } = useConfiguration();
  const [draft, setDraft] = useState(() => draftOf(mqtt));
  const set = (part: Partial<MqttDraft>): void => setDraft({ ...draft, ...part });
  return (
    <Card title={t('mqtt.title')}>
      <SettingsForm change={() => changeOf(draft)} onInEffect={() => set({ password: undefined })}>
        {(fields) => (
          <>
            <Switch
              label={t('mqtt.on')}
              description={t('mqtt.onWhy')}
              checked={draft.isOn}
              error={fields.mqtt}
              onChange={({ currentTarget }) => set({ isOn: currentTarget.checked })}
            />
            {draft.isOn && (
              <MqttFields
                draft={draft}
                hasPassword={mqtt?.has_password === true}
                fields={fields}
                onChange={set}
              />
            )}
          </>
        )}
      </SettingsForm>
    </Card>
  );
}
