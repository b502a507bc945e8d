import { ApiError } from '@heliograph/client';
import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useNameError } from '../site/use-name-error.ts';
import classes from './narrow-page.module.css';
import type { NewDevice } from './registration.ts';
import type { useRegistration } from './use-registration.ts';

interface AddSiteFormProps {
  readonly device: NewDevice;
  /** Whether a link of the device has brought its identifier. */
  readonly isLinked: boolean;
  /** Whether the cloud has the device wait for somebody to activate it, which is told below. */
  readonly isWaiting: boolean;
  readonly sending: ReturnType<typeof useRegistration>['sending'];
  readonly onChange: (device: NewDevice) => void;
}

export function AddSiteForm({ device, isLinked, isWaiting, sending, onChange }: AddSiteFormProps) {
  const { t } = useTranslation('sites');
  const { isPending, fields, error } = sending;
  const isUnknown = error instanceof ApiError && error.status === 404;
  const [isTried, setTried] = useState(false);
  const isEmpty = device.uid.trim() === '';
  const uidProblem = isEmpty ? isTried && t('add.uidNeeded') : isUnknown ? t('add.unknown') : fields.uid;
  const nameProblem = useNameError(device.name, fields.name);
  const change = (field: keyof NewDevice) => (event: FormEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    onChange({ ...device, [field]: event.currentTarget.value });
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        const wrong = isEmpty ? '[name=uid]' : nameProblem.isLocal ? '[name=name]' : undefined;
        if (wrong === undefined) sending.submit(device);
        else event.currentTarget.querySelector<HTMLElement>(wrong)?.focus();
      }}
    >
      {!isUnknown && !isWaiting && <FormError error={error} />}
      <TextInput
        name="uid"
        label={t('add.uid')}
        description={t(isLinked ? 'add.uidLinked' : 'add.uidWhere')}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={device.uid}
        error={uidProblem}
        onChange={change('uid')}
      />
      <TextInput
        name="name"
        label={t('add.name')}
        description={t('add.nameRule')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={device.name}
        error={nameProblem.message}
        onChange={change('name')}
      />
      <Textarea
        name="description"
        size="md"
        label={t('add.description')}
        description={t('add.descriptionHint')}
        maxLength={1000}
        autosize={false}
        rows={2}
        value={device.description}
        error={fields.description}
        onChange={change('description')}
      />
      <Button className={classes.send} type="submit" loading={isPending}>
        {t('add.send')}
      </Button>
    </form>
  );
}
