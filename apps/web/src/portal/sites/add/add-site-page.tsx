import { ApiError, requiresRegistrationCode } from '@heliograph/client';
import { Button, Group, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { BackToSites } from '../site/back-to-sites.tsx';
import { useNameError } from '../site/device/use-name-error.ts';
import { Activation } from './activation.tsx';
import classes from './narrow-page.module.css';
import { NearbyDevices } from './nearby-devices.tsx';
import { type DeviceRedirect, type NewDevice, useRegistration } from './registration.ts';

export function Page() {
  const { t } = useTranslation(['adding', 'sites']);
  const [params] = useSearchParams();
  const uid = params.get('uid') ?? '';
  const code = params.get('code') ?? '';
  const [device, setDevice] = useState<NewDevice>({ uid, name: '', description: '', code });
  const { sending, waiting, released, departure, arrive } = useRegistration(params.get('callback'));
  const isWaiting = waiting !== undefined && waiting.uid === device.uid;
  if (departure !== undefined) return <RedirectToDevice {...departure} />;
  return (
    <div className={classes.page}>
      <BackToSites />
      <PageTitle text={t('add.title')} />
      <Card title={t('add.device')}>
        <AddSiteForm
          device={device}
          isLinked={uid !== ''}
          takesCode={code !== '' || released === device.uid}
          isWaiting={isWaiting}
          sending={sending}
          onChange={setDevice}
        />
      </Card>
      {isWaiting && (
        <Activation
          device={device}
          isChecking={sending.isPending}
          onRegistered={arrive}
          onCheck={() => sending.submit(device)}
        />
      )}
      {uid === '' && (
        <Card title={t('nearby.title')}>
          <NearbyDevices uid={undefined} />
        </Card>
      )}
    </div>
  );
}

/**
 * The device is registered. Its own pages open at once; any other address only after a confirmation, since the
 * redirect carries a token.
 */
function RedirectToDevice({ callback: { href, host, isTrusted }, sitePath }: DeviceRedirect) {
  const { t } = useTranslation(['adding', 'sites']);
  return (
    <div className={classes.page}>
      <PageTitle text={t('leave.title')} />
      <Card title={t(isTrusted ? 'leave.going' : 'leave.ask', { host })}>
        <p className={classes.text} role="status">
          {t(isTrusted ? 'leave.goingText' : 'leave.askText', { host })}
        </p>
        <Group>
          <Button component={Link} href={sitePath}>
            {t('leave.toSite')}
          </Button>
          <Button variant="default" component="a" href={href} rel="noreferrer">
            {t('leave.go', { host })}
          </Button>
        </Group>
      </Card>
    </div>
  );
}

interface AddSiteFormProps {
  readonly device: NewDevice;
  /** Whether a link of the device has brought its identifier. */
  readonly isLinked: boolean;
  /** Whether the device was released, so that a registration code is required; a link of it may have brought one. */
  readonly takesCode: boolean;
  /** Whether the device waits for its activation, which a card below explains. */
  readonly isWaiting: boolean;
  readonly sending: ReturnType<typeof useRegistration>['sending'];
  readonly onChange: (device: NewDevice) => void;
}

function AddSiteForm({ device, isLinked, takesCode, isWaiting, sending, onChange }: AddSiteFormProps) {
  const { t } = useTranslation(['adding', 'sites']);
  const { isPending, fields, error } = sending;
  const [sentCode, setSentCode] = useState('');
  const isReleased = requiresRegistrationCode(error);
  const isCodeWrong = isReleased && sentCode.trim() !== '' && device.code === sentCode;
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
        setSentCode(device.code);
        if (wrong === undefined) sending.submit(device);
        else event.currentTarget.querySelector<HTMLElement>(wrong)?.focus();
      }}
    >
      {!isUnknown && !isWaiting && !isReleased && <FormError error={error} />}
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
      {takesCode && (
        <TextInput
          name="code"
          label={t('add.code')}
          description={t('add.codeWhere')}
          required
          autoFocus={device.code === ''}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={device.code}
          error={isCodeWrong && t('add.codeWrong')}
          onChange={change('code')}
        />
      )}
      <TextInput
        name="name"
        label={t('add.name')}
        description={t('sites:name.rule')}
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
