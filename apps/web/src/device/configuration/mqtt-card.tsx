import { Alert, Button, Group, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { PasswordField } from '../../shared/components/form/password-field.tsx';
import type { FieldErrors } from '../../shared/errors/error-message.ts';
import { OfHousehold } from '../support/of-household.tsx';
import { useConfiguration } from './configuration-query.ts';
import { changeOf, draftOf, type MqttDraft } from './mqtt-draft.ts';
import { SettingsForm } from './settings-form.tsx';

/** The broker that the device publishes to. */
export function MqttCard() {
  const { t } = useTranslation('configuration');
  const { mqtt } = useConfiguration();
  const [draft, setDraft] = useState(() => draftOf(mqtt));
  const set = (part: Partial<MqttDraft>): void => setDraft({ ...draft, ...part });
  return (
    <Card title={t('mqtt.title')}>
      <OfHousehold>
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
      </OfHousehold>
    </Card>
  );
}

interface BrokerPasswordProps {
  /** Undefined: stays as it is. */
  readonly value: string | undefined;
  readonly hasPassword: boolean;
  readonly error: string | undefined;
  readonly onChange: (password: string | undefined) => void;
}

/** A password that the device never shows: it is kept, replaced or removed. */
function BrokerPassword({ value, hasPassword, error, onChange }: BrokerPasswordProps) {
  const { t } = useTranslation('configuration');
  const isRemoved = hasPassword && value === '';
  return (
    <div>
      <PasswordField
        label={t('mqtt.password')}
        description={hasPassword ? t('mqtt.passwordKept') : t('mqtt.passwordNone')}
        autoComplete="off"
        value={value ?? ''}
        error={error}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value === '' ? undefined : currentTarget.value)
        }
      />
      {hasPassword && (
        <Group gap="sm" mt={4}>
          <Button
            variant="subtle"
            size="compact-md"
            mih={44}
            onClick={() => onChange(isRemoved ? undefined : '')}
          >
            {isRemoved ? t('mqtt.passwordKeep') : t('mqtt.passwordRemove')}
          </Button>
          {isRemoved && <Text size="sm">{t('mqtt.passwordGoes')}</Text>}
        </Group>
      )}
    </div>
  );
}

interface MqttFieldsProps {
  readonly draft: MqttDraft;
  /** Whether the device has one for this broker. */
  readonly hasPassword: boolean;
  readonly fields: FieldErrors;
  readonly onChange: (part: Partial<MqttDraft>) => void;
}

function MqttFields({ draft, hasPassword, fields, onChange }: MqttFieldsProps) {
  const { t } = useTranslation('configuration');
  const plain = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const;
  return (
    <>
      <TextInput
        {...plain}
        label={t('mqtt.url')}
        description={t('mqtt.urlWhy', { example: 'mqtt://192.168.1.5:1883' })}
        inputMode="url"
        value={draft.url}
        error={fields['mqtt.url']}
        onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
      />
      <TextInput
        {...plain}
        label={t('mqtt.username')}
        value={draft.username}
        error={fields['mqtt.username']}
        onChange={({ currentTarget }) => onChange({ username: currentTarget.value })}
      />
      <BrokerPassword
        value={draft.password}
        hasPassword={hasPassword}
        error={fields['mqtt.password']}
        onChange={(password) => onChange({ password })}
      />
      <TextInput
        {...plain}
        label={t('mqtt.caFile')}
        description={t('mqtt.caFileWhy')}
        value={draft.caFile}
        error={fields['mqtt.ca_file']}
        onChange={({ currentTarget }) => onChange({ caFile: currentTarget.value })}
      />
      <Switch
        label={t('mqtt.homeAssistant')}
        description={t('mqtt.homeAssistantWhy')}
        checked={draft.homeAssistant}
        onChange={({ currentTarget }) => onChange({ homeAssistant: currentTarget.checked })}
      />
      <Switch
        label={t('mqtt.allowWrites')}
        description={t('mqtt.allowWritesWhy')}
        checked={draft.allowWrites}
        onChange={({ currentTarget }) => onChange({ allowWrites: currentTarget.checked })}
      />
      {draft.allowWrites && (
        <Alert color="orange" variant="light">
          {t('mqtt.allowWritesWarning')}
        </Alert>
      )}
      <TextInput
        {...plain}
        label={t('mqtt.topicPrefix')}
        description={t('mqtt.topicPrefixWhy')}
        value={draft.topicPrefix}
        error={fields['mqtt.topic_prefix']}
        onChange={({ currentTarget }) => onChange({ topicPrefix: currentTarget.value })}
      />
      <TextInput
        {...plain}
        label={t('mqtt.discoveryPrefix')}
        description={t('mqtt.discoveryPrefixWhy')}
        value={draft.discoveryPrefix}
        error={fields['mqtt.discovery_prefix']}
        onChange={({ currentTarget }) => onChange({ discoveryPrefix: currentTarget.value })}
      />
    </>
  );
}
